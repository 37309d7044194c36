// Installs what would be published into a project of somebody else's, as npm does it, and looks:
// no install script runs, their `node` stays theirs, isolated-vm loads on the pinned Node, and the
// command starts. `npm run try-package`; needs the registry for the package's dependencies.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ensureDist } from "./ensure-dist.mjs";
import { makeRelease } from "./make-release.mjs";

const limitMs = 240_000;
const libraryTry = `
import { Vms } from "agentos-mcp";
const vms = new Vms({ poolSize: 0 });
const vm = await vms.create();
const { stdout } = await vm.exec("echo abc | grep -c b; echo x y z | wc -w; uname");
await vms.close();
console.log(stdout.split("\\n").slice(1).join(" ").trim());
`;

const isolateTry = `
import { execFileSync } from "node:child_process";
import { findPinnedNode } from "./scripts/find-pinned-node.mjs";
if (process.execPath === findPinnedNode()) {
  const { default: ivm } = await import("#isolated-vm");
  console.log(new ivm.Isolate().createContextSync().evalSync("6 * 7"));
} else {
  console.log(execFileSync(findPinnedNode(), [process.argv[1]], { encoding: "utf8" }).trim());
}
`;

const theirs = mkdtempSync(join(tmpdir(), "agentos-mcp-try-"));
try {
  await ensureDist();
  tryPackage();
} finally {
  rmSync(theirs, { recursive: true, force: true });
}

function tryPackage() {
  const project = { name: "theirs", private: true, scripts: { which: "node -v" } };
  writeFileSync(join(theirs, "package.json"), JSON.stringify(project));
  const before = npm("run", "--silent", "which");
  const tarballs = makeRelease({ here: true }).map(pack);
  npm(
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--foreground-scripts",
    ...tarballs,
  );
  expect("their scripts' node", npm("run", "--silent", "which"), before);
  expect("a node in .bin", existsSync(join(theirs, "node_modules", ".bin", "node")), false);
  const installed = join(theirs, "node_modules", "agentos-mcp");
  const command = join(installed, "bin", "agentos-mcp.mjs");
  const home = join(theirs, "home");
  expect("src in the package", existsSync(join(installed, "src")), false);
  writeFileSync(join(installed, "try.mjs"), isolateTry);
  expect("an isolate on the pinned Node", run("node", join(installed, "try.mjs")), "42");
  writeFileSync(join(theirs, "library.mjs"), libraryTry);
  expect("a VM by the library, on their Node", run("node", join(theirs, "library.mjs")), "3 Linux");
  expect(
    "exec by the command",
    run("node", command, "exec", "--home", home, "--", "echo hi"),
    "hi",
  );
  run("node", command, "stop", "--yes", "--home", home);
  const help = run("node", command, "--help");
  expect("help of the command", help.includes("agentos-mcp"), true);
}

/** @param {string} folder */
function pack(folder) {
  const output = npm("pack", "--silent", "--pack-destination", theirs, folder);
  return join(theirs, output.split("\n").at(-1) ?? "");
}

/** @param {string[]} args */
function npm(...args) {
  return run("npm", ...args);
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  return execFileSync(command, args, {
    cwd: theirs,
    encoding: "utf8",
    env: withoutOurs(),
    timeout: limitMs,
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
}

/** Their environment: what npm set for the script we run in, `.bin` on the path included, is not. */
function withoutOurs() {
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((entry) => !entry.includes(".bin"));
  const rest = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return { ...Object.fromEntries(rest), PATH: path.join(delimiter) };
}

/**
 * @param {string} what
 * @param {unknown} actual
 * @param {unknown} expected
 */
function expect(what, actual, expected) {
  if (actual !== expected) {
    throw new Error(`${what}: expected ${String(expected)}, found ${String(actual)}`);
  }
  process.stdout.write(`ok ${what}: ${String(actual)}\n`);
}
