// Runs a development tool on the pinned Node: `node scripts/pinned.mjs vitest run`.
// A first argument that is a file is run as it is; otherwise it names a package's command.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { findCommand } from "./find-command.mjs";
import { findPinnedNode } from "./find-pinned-node.mjs";

const [tool, ...rest] = process.argv.slice(2);
if (tool === undefined) {
  process.stderr.write("usage: node scripts/pinned.mjs <command or file> [arguments]\n");
  process.exit(2);
}
const entry = statSync(tool, { throwIfNoEntry: false })?.isFile()
  ? resolve(tool)
  : findCommand(tool);
if (entry === undefined) {
  process.stderr.write(`There is no command "${tool}" in node_modules; run npm install first.\n`);
  process.exit(127);
}
const node = findPinnedNode();
if (node === undefined) {
  const platform = `${process.platform}-${process.arch}`;
  process.stderr.write(`No pinned Node for ${platform}; using ${process.version}.\n`);
}
const child = spawn(node ?? process.execPath, [entry, ...rest], { stdio: "inherit" });
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  process.stderr.write(`Cannot start ${node ?? process.execPath}: ${error.message}\n`);
  process.exitCode = 126;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
});
