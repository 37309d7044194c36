// A C program that is written in a VM, compiled and run in its sandbox, and piped through the VM's programs.
//
//   node examples/sandbox-c-program/main.ts
//
// Each step says what it expects, and fails when something else comes. Needs Linux, bubblewrap and gcc.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const here = import.meta.dirname;
const home = await mkdtemp(join(tmpdir(), "sandbox-c-program-"));
const launcher = join(here, "../../bin/agentos-mcp.mjs");
const { PATH = "", HOME = "" } = process.env;
const env = { PATH, HOME, AGENTOS_MCP_HOME: home, AGENTOS_MCP_CONFIG: join(here, "config.json") };

try {
  await story();
  console.log("All of it worked.");
} finally {
  await agentosMcp("stop", "--yes");
  await rm(home, { recursive: true, force: true });
}

async function story(): Promise<void> {
  const source = await readFile(join(here, "rot13.c"), "utf8");
  const run = async (command: string): Promise<string> =>
    await agentosMcp("exec", "--vm", "desk", "--", command);

  step("The VM writes a program; nothing is started by that.");
  await run(`cat > /sandbox/rot13.c <<'END'\n${source}END`);
  assert.match(await run("sandbox status"), /^no sandbox yet/);

  step("gcc is a command of the VM, and runs in its sandbox.");
  await run("cd /sandbox && gcc -Wall rot13.c -o rot13 && test -x rot13");

  step("The program is a stage of a pipeline of the VM.");
  const piped = "cd /sandbox && echo Hello | sandbox exec ./rot13 | tr a-z A-Z";
  assert.equal(await run(piped), "URYYB\n");

  step("Files stay when the sandbox stops; the next command starts it again.");
  await run("sandbox stop");
  assert.match(await run("ls /sandbox"), /^rot13\nrot13\.c\n$/);
  assert.equal(await run("cd /sandbox && echo Uryyb | sandbox exec ./rot13"), "Hello\n");
}

async function agentosMcp(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [launcher, ...words], { env });
  return stdout;
}

function step(words: string): void {
  console.log(`- ${words}`);
}
