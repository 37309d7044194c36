// Unpacks Debian's Docker into a folder that tests of container sandboxes start it from; nothing is installed.
// Needs apt-get and dpkg-deb; says so and ends with 1 where they are missing.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The engine, what it starts, and a userland that is one file: its image. */
const packages = ["docker.io", "containerd", "runc", "tini", "busybox-static"];
const LIMIT_MS = 300_000;
const folder = process.env["AGENTOS_CONTAINER_ENGINE"] ?? join(tmpdir(), "agentos-mcp-engine");

if (existsSync(join(folder, "usr"))) {
  process.stdout.write(`the container engine is in ${folder}\n`);
} else {
  const work = mkdtempSync(join(tmpdir(), "agentos-mcp-engine-"));
  try {
    download(join(work, "packages"));
    const root = join(work, "root");
    mkdirSync(root);
    for (const name of readdirSync(join(work, "packages")))
      run("dpkg-deb", ["-x", join(work, "packages", name), root], work);
    renameSync(root, folder);
    process.stdout.write(`the container engine is in ${folder}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * The lists of a fresh machine are empty: then they are read first, as root may.
 * @param {string} into
 */
function download(into) {
  mkdirSync(into);
  if (attempt("apt-get", ["download", "-q", ...packages], into) === 0) return;
  attempt("apt-get", ["update", "-q"], into);
  run("apt-get", ["download", "-q", ...packages], into);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
function attempt(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "ignore", timeout: LIMIT_MS });
  return error === undefined ? status : -1;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
function run(command, args, cwd) {
  const status = attempt(command, args, cwd);
  if (status === 0) return;
  process.stderr.write(
    `fetch-container-engine: ${command} failed (${status}): the tests are skipped\n`,
  );
  process.exit(1);
}
