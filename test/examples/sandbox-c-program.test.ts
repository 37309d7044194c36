import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/find-command.mjs";
import { MemoryFileSystem } from "../../src/kernel/index.ts";
import { LocalProvider } from "../../src/sandbox-escalation/index.ts";
import "../support/dist.ts";
import { unless } from "../support/unless.ts";

const openFiles = async () => new MemoryFileSystem({ now: Date.now });
const probe = await new LocalProvider({
  stateDirectory: "/nonexistent/sandboxes",
  openFiles,
}).probe();

const obstacle = probe.isUsable ? undefined : probe.reason;
const noCompiler = spawnSync("gcc", ["--version"]).status === 0 ? undefined : "needs gcc";

describe("examples/sandbox-c-program", unless(obstacle, noCompiler), () => {
  it("runs, and finds everything as it says", async () => {
    const story = join(projectRoot, "examples/sandbox-c-program/main.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [story]);
    expect(stdout.split("\n").slice(-2)).toEqual(["All of it worked.", ""]);
  }, 120_000);
});
