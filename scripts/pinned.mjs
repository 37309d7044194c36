// Runs a development tool on the pinned Node: `node scripts/pinned.mjs vitest run`.
// A first argument that is a file is run as it is; otherwise it names a package's command.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findPinnedNode } from "./find-pinned-node.mjs";

const aliases = { tsc: "typescript", depcruise: "dependency-cruiser" };
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [tool, ...rest] = process.argv.slice(2);
if (tool === undefined) {
  process.stderr.write("usage: node scripts/pinned.mjs <command or file> [arguments]\n");
  process.exit(2);
}
const node = findPinnedNode();
if (node === undefined) {
  process.stderr.write(`No pinned Node for ${process.platform}-${process.arch}; using ${process.version}.\n`);
}
const child = spawn(node ?? process.execPath, [entryOf(tool), ...rest], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
});

function entryOf(name) {
  if (existsSync(name)) return resolve(name);
  for (const folder of [name, `@biomejs/${name}`, aliases[name] ?? name]) {
    const manifest = join(root, "node_modules", folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
    const file = typeof bin === "string" ? bin : (bin?.[name] ?? Object.values(bin ?? {})[0]);
    if (file !== undefined) return join(dirname(manifest), file);
  }
  process.stderr.write(`There is no command "${name}" in node_modules; run npm install first.\n`);
  process.exit(127);
}
