// Compiles the agent of local sandboxes, native/sandbox-agent, into its prebuilt binaries, which are committed:
// an install compiles nothing. `npm run native:agent`, on Linux x64 with gcc and aarch64-linux-gnu-gcc.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "./find-command.mjs";

const folder = join(projectRoot, "native", "sandbox-agent");
const sources = join(folder, "src");

/** It stands alone: no C library, no start files, nothing the compiler would call by itself. */
const flags = [
  ..."-std=gnu11 -Os -static -nostdlib -ffreestanding -fno-builtin -fno-pie -no-pie".split(" "),
  ..."-fno-stack-protector -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns".split(
    " ",
  ),
  ..."-Wall -Wextra -Werror -s -Wl,--build-id=none -Wl,-z,noexecstack".split(" "),
];

const compilers = { "linux-x64": "gcc", "linux-arm64": "aarch64-linux-gnu-gcc" };

/** Names the sources and flags a binary is made of; it says which when it is run without arguments. */
export function agentSourceHash() {
  const hash = createHash("sha256").update(flags.join(" "));
  for (const name of readdirSync(sources).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(sources, name)));
  return hash.digest("hex");
}

function build() {
  mkdirSync(join(folder, "prebuilt"), { recursive: true });
  const files = readdirSync(sources)
    .filter((name) => name.endsWith(".c"))
    .map((name) => join(sources, name));
  for (const [target, compiler] of Object.entries(compilers)) {
    const made = join(folder, "prebuilt", target);
    const define = `-DSOURCE_HASH="${agentSourceHash()}"`;
    execFileSync(compiler, [...flags, define, ...files, "-o", `${made}.new`], { stdio: "inherit" });
    renameSync(`${made}.new`, made);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  build();
