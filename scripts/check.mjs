// Runs every check of the repository, all of them even when one fails, and prints the output of
// those that fail. The exit status is the number of failed checks, which .ci/run adds up.
import { spawnSync } from "node:child_process";

const checks = ["types", "lint", "format:check", "layers", "dead-code", "package"];
const npm = process.env["npm_execpath"];
let failed = 0;
for (const name of checks) {
  const started = performance.now();
  const { status, output } = run(name);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? "ok  " : "FAIL"} npm run ${name} (${seconds} s)\n`);
  if (status === 0) continue;
  failed += 1;
  process.stdout.write(`${output.trimEnd()}\n`);
}
process.exitCode = failed;

/** @param {string} name */
function run(name) {
  const args = ["run", "--silent", name];
  const options = /** @type {const} */ ({
    encoding: "utf8",
    timeout: 240_000,
    maxBuffer: 64 << 20,
  });
  const result =
    npm === undefined
      ? spawnSync("npm", args, { ...options, shell: process.platform === "win32" })
      : spawnSync(process.execPath, [npm, ...args], options);
  const problem = result.error === undefined ? "" : `${result.error.message}\n`;
  return { status: result.status, output: `${result.stdout}${result.stderr}${problem}` };
}
