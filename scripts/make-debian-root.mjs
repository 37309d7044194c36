// Makes the Debian root that tests install packages in, once: an archive by mmdebstrap, from where this machine has its
// own packages. Says so and ends with 1 where it cannot; those tests are skipped then.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIMIT_MS = 140_000;
const archive = process.env["AGENTOS_DEBIAN_ROOT"] ?? join(tmpdir(), "agentos-mcp-debian-root.tar");

if (existsSync(archive)) {
  process.stdout.write(`a Debian root is in ${archive}\n`);
} else if (findTool() && make()) {
  process.stdout.write(`made a Debian root: ${archive}\n`);
} else {
  process.stderr.write("make-debian-root: no root could be made: tests of packages are skipped\n");
  process.exit(1);
}

function findTool() {
  if (existsSync("/usr/bin/mmdebstrap")) return true;
  return run("apt-get", ["install", "-q", "-y", "--no-install-recommends", "mmdebstrap"]);
}

function make() {
  const made = `${archive}.${process.pid}.tar`;
  const suite = readSuite();
  const lists = "/etc/apt/sources.list.d";
  const sources = existsSync(lists)
    ? readdirSync(lists).filter((name) => /^debian\.(sources|list)$/.test(name))
    : [];
  const places = ["/etc/apt/sources.list", ...sources.map((name) => join(lists, name))];
  const argv = [
    "--quiet",
    "--variant=apt",
    suite,
    made,
    ...places.filter((file) => existsSync(file)),
  ];
  const isMade = suite !== "" && run("mmdebstrap", argv);
  if (isMade) renameSync(made, archive);
  else rmSync(made, { force: true });
  return isMade;
}

function readSuite() {
  const line = '. /etc/os-release && [ "$ID" = debian ] && printf %s "$VERSION_CODENAME"';
  return spawnSync("sh", ["-c", line], { encoding: "utf8" }).stdout ?? "";
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status } = spawnSync(command, args, { env, stdio: "ignore", timeout: LIMIT_MS });
  return status === 0;
}
