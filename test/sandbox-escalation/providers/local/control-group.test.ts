// Version 2, where this host has only 1, is shown by the files written; the other way round by the contract.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ControlGroup } from "../../../../src/sandbox-escalation/providers/local/control-group.ts";

const limits = { memoryMb: 64, pids: 10, cpus: 0.5, diskMb: 1, lifetimeMs: 1000 };
const made: string[] = [];

function makeTree(version: 1 | 2) {
  const directory = mkdtempSync(join(tmpdir(), "agentos-groups-"));
  made.push(directory);
  return { version, memory: directory, pids: directory, cpu: directory };
}

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

describe("a control group", () => {
  it.each([
    [2, { "memory.max": "67108864", "pids.max": "12", "cpu.max": "50000 100000" }],
    [
      1,
      {
        "memory.limit_in_bytes": "67108864",
        "pids.max": "12",
        "cpu.cfs_period_us": "100000",
        "cpu.cfs_quota_us": "50000",
      },
    ],
  ] as const)("sets the limits as version %s has them", async (version, files) => {
    const tree = makeTree(version);
    const group = new ControlGroup(tree, "0123456789abcdef", limits);
    const [name = ""] = readdirSync(tree.memory);
    const written = Object.fromEntries(
      readdirSync(join(tree.memory, name)).map((file) => [
        file,
        readFileSync(join(tree.memory, name, file), "utf8"),
      ]),
    );
    expect(written).toEqual(files);
    expect(group.joinFiles).toEqual([join(tree.memory, name, "cgroup.procs")]);
  });

  it("reads how often memory ran out", async () => {
    const tree = makeTree(2);
    const group = new ControlGroup(tree, "0123456789abcdef", limits);
    expect(await group.countOutOfMemory()).toBe(0);
    const [name = ""] = readdirSync(tree.memory);
    writeFileSync(
      join(tree.memory, name, "memory.events"),
      "low 0\noom 3\noom_kill 2\noom_group_kill 0\n",
    );
    expect(await group.countOutOfMemory()).toBe(2);
  });

  it("leaves nothing where it cannot be made", () => {
    const tree = { ...makeTree(1), cpu: "/proc/nowhere" };
    expect(() => new ControlGroup(tree, "0123456789abcdef", limits)).toThrow();
    expect(readdirSync(tree.memory)).toEqual([]);
  });
});
