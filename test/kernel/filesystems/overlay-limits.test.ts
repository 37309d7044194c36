/** Random operations on an overlay that has hardly any room: what does not fit changes nothing. */
import { describe, expect, it } from "vitest";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import { OverlayFileSystem } from "../../../src/kernel/filesystems/overlay-file-system.ts";
import { Kernel } from "../../../src/kernel/kernel.ts";
import type { Limits, LimitValues } from "../../../src/kernel/limits/limits.ts";
import type { FileSystem, Inode } from "../../../src/kernel/vfs/file-system.ts";
import { type Operation, OperationSource } from "../../conformance/posix/differential/operation.ts";
import { SysWorld } from "../../conformance/posix/differential/sys-world.ts";
import { describeTree, type World } from "../../conformance/posix/differential/tree.ts";

const now = (): number => 1_700_000_000_000;

function mount(root: (limits: Limits) => FileSystem, limits: Partial<LimitValues> = {}) {
  const kernel = new Kernel({
    host: {
      now,
      monotonic: () => 0,
      setTimer: () => () => {},
      threadCpuMs: () => 0,
      cpus: 1,
      takeMemoryShortage: () => false,
      tellSession: () => undefined,
      yieldTurn: () => Promise.resolve(),
      random: () => {},
      log: ({ message }) => {
        throw new Error(message);
      },
      warnLimit: () => {},
      ask: () => Promise.reject(new Error("nothing asks")),
    },
    root,
    executors: [],
    limits,
  });
  return { world: new SysWorld(kernel.sysOf(kernel.init)), limits: kernel.limits };
}

/** Merged directories do not count their links. */
async function treeOf(world: World): Promise<string[]> {
  const tree = [...(await describeTree(world))].map(([path, facts]) => `${path} ${facts}`);
  return tree.map((line) => line.replace(/("kind":"directory".*?"nlink":)\d+/, "$1-")).toSorted();
}

/** Names and page bytes that the upper layer really holds. */
async function count(fs: MemoryFileSystem): Promise<{ names: number; bytes: number }> {
  const seen = new Map<Inode, number>();
  let names = 0;
  const pending: Inode[] = [fs.root];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const { entries } = await fs.list(directory, 0, 10_000);
    for (const { name } of entries) {
      const inode = await fs.lookup(directory, name);
      if (inode === undefined) continue;
      names += 1;
      seen.set(inode, (await fs.stat(inode)).blocks * 512);
      if (inode.kind === "directory") pending.push(inode);
    }
  }
  return { names, bytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

const isOneCall = (operation: Operation): boolean =>
  operation.op !== "write" && !("slot" in operation);

async function run(seed: number, values: Partial<LimitValues>): Promise<number> {
  const source = new OperationSource(seed, true);
  const [image, twin] = [new MemoryFileSystem({ now }), new MemoryFileSystem({ now })];
  const model = mount(() => twin).world;
  const seeding = mount(() => image).world;
  for (let i = 0; i < 200; i++) {
    const operation = source.next();
    if ("slot" in operation) continue;
    expect(await seeding.run(operation)).toEqual(await model.run(operation));
  }
  const uppers: MemoryFileSystem[] = [];
  const { world: ours, limits } = mount((counted) => {
    const upper = new MemoryFileSystem({ now, limits: counted });
    uppers.push(upper);
    return new OverlayFileSystem({ upper, lower: [image] });
  }, values);
  let refused = 0;
  for (let i = 0; i < 400; i++) {
    const operation = source.next();
    if (!isOneCall(operation)) continue;
    const outcome = await ours.run(operation);
    const isRefused = "errno" in outcome && outcome.errno === "ENOSPC";
    refused += isRefused ? 1 : 0;
    if (!isRefused) await model.run(operation);
    else expect([operation, await treeOf(ours)]).toEqual([operation, await treeOf(model)]);
  }
  expect(await treeOf(ours)).toEqual(await treeOf(model));
  const [upper = image] = uppers;
  const { names, bytes } = await count(upper);
  expect(limits.used("maxInodeCount")).toBe(names);
  expect(limits.used("maxFilesystemBytes")).toBe(bytes);
  return refused;
}

describe("OverlayFileSystem with hardly any room", () => {
  it("leaves the tree as it was when inodes run out, and counts exactly", async () => {
    let refused = 0;
    for (let seed = 1; seed <= 6; seed++) refused += await run(seed, { maxInodeCount: 12 });
    expect(refused).toBeGreaterThan(50);
  });

  it("leaves the tree as it was when bytes run out, and counts exactly", async () => {
    let refused = 0;
    for (let seed = 1; seed <= 6; seed++)
      refused += await run(seed, { maxFilesystemBytes: 40_000 });
    expect(refused).toBeGreaterThan(5);
  });
});
