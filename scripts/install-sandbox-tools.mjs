// Installs the Debian packages that tests of sandboxes need, where they are missing and root may: bubblewrap. Says so
// and ends with 1 where it cannot; those tests are skipped then.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const LIMIT_MS = 300_000;
const packages = ["bubblewrap"];

if (existsSync("/usr/bin/bwrap")) {
  process.stdout.write("sandbox tools are installed\n");
} else if (install() || (run("apt-get", ["update", "-q"]) && install())) {
  process.stdout.write(`installed ${packages.join(", ")}\n`);
} else {
  process.stderr.write(
    "install-sandbox-tools: apt-get failed: tests of local sandboxes are skipped\n",
  );
  process.exit(1);
}

function install() {
  return run("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages]);
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
