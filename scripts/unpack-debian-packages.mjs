// Unpacks Debian packages into a folder, once; nothing is installed. Needs apt-get and dpkg-deb.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIMIT_MS = 300_000;

/**
 * Says what happened, and sets the exit status 1 where the packages cannot be had.
 *
 * @param {readonly string[]} packages
 * @param {string} folder
 */
export function unpackDebianPackages(packages, folder) {
  if (existsSync(join(folder, "usr"))) {
    process.stdout.write(`${packages.length} Debian packages are in ${folder}\n`);
    return;
  }
  const work = mkdtempSync(join(tmpdir(), "agentos-mcp-packages-"));
  try {
    const downloads = join(work, "packages");
    const root = join(work, "root");
    mkdirSync(downloads);
    mkdirSync(root);
    download(packages, downloads);
    for (const name of readdirSync(downloads))
      run("dpkg-deb", ["-x", join(downloads, name), root], work);
    renameSync(root, folder);
    process.stdout.write(`${packages.length} Debian packages are in ${folder}\n`);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    process.stderr.write(`${error.message}: the tests are skipped\n`);
    process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * The lists of a fresh machine are empty: then they are read first, as root may.
 *
 * @param {readonly string[]} packages
 * @param {string} into
 */
function download(packages, into) {
  const args = ["download", "-q", ...packages];
  if (attempt("apt-get", args, into) === 0) return;
  attempt("apt-get", ["update", "-q"], into);
  run("apt-get", args, into);
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
  if (status !== 0) throw new CommandFailed(`${command} failed (${status})`);
}

class CommandFailed extends Error {}
