// Compiles the programs that stand alone, the agent of local sandboxes and the launcher of cells, into their prebuilt
// binaries, which are committed: an install compiles nothing. `npm run native:agent`, on Linux x64 with gcc and
// aarch64-linux-gnu-gcc.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "./find-command.mjs";

/** The launcher has its system calls from the agent. */
const programs = /** @type {const} */ ({
  "sandbox-agent": ["sandbox-agent/src"],
  "cell-launcher": ["cell-launcher/src", "sandbox-agent/src/system.h"],
});

/** It stands alone: no C library, no start files, nothing the compiler would call by itself. */
const flags = [
  ..."-std=gnu11 -Os -static -nostdlib -ffreestanding -fno-builtin -fno-pie -no-pie".split(" "),
  ..."-fno-stack-protector -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns".split(
    " ",
  ),
  ..."-Wall -Wextra -Werror -s -Wl,--build-id=none -Wl,-z,noexecstack".split(" "),
];

const compilers = { "linux-x64": "gcc", "linux-arm64": "aarch64-linux-gnu-gcc" };

/**
 * Names the sources and flags a binary is made of; it says which when it is run without arguments.
 *
 * @param {keyof typeof programs} program
 */
export function programSourceHash(program) {
  const hash = createHash("sha256").update(flags.join(" "));
  for (const file of programs[program].flatMap(listSources))
    hash.update(`\0${file.slice(file.lastIndexOf("/") + 1)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/** @param {string} path a folder below native, or a file */
function listSources(path) {
  const whole = join(projectRoot, "native", path);
  if (path.endsWith(".h")) return [whole];
  return readdirSync(whole)
    .sort()
    .map((name) => join(whole, name));
}

/** @param {keyof typeof programs} program */
function build(program) {
  const folder = join(projectRoot, "native", program, "prebuilt");
  mkdirSync(folder, { recursive: true });
  const files = programs[program].flatMap(listSources).filter((file) => file.endsWith(".c"));
  for (const [target, compiler] of Object.entries(compilers)) {
    const made = join(folder, target);
    const define = `-DSOURCE_HASH="${programSourceHash(program)}"`;
    execFileSync(compiler, [...flags, define, ...files, "-o", `${made}.new`], { stdio: "inherit" });
    renameSync(`${made}.new`, made);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const program of /** @type {(keyof typeof programs)[]} */ (Object.keys(programs)))
    build(program);
