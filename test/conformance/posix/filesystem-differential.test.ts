/**
 * The kernel's file systems against the host's real one and against memfs: the same random
 * operations on each, through the syscall table, with the same answers.
 */
import * as hostFs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import { OverlayFileSystem } from "../../../src/kernel/filesystems/overlay-file-system.ts";
import type { KernelHost } from "../../../src/kernel/host.ts";
import { Kernel } from "../../../src/kernel/kernel.ts";
import type { FileSystem } from "../../../src/kernel/vfs/file-system.ts";
import { notLinux, unless } from "../../support/unless.ts";
import { memfsDeviations } from "./differential/memfs-deviations.ts";
import { NodeWorld, type StatFacts } from "./differential/node-world.ts";
import { type Operation, OperationSource, type Outcome } from "./differential/operation.ts";
import { SysWorld } from "./differential/sys-world.ts";
import { copyToMemfs, describeTree, type World } from "./differential/tree.ts";

/** Only root may give files away and pass closed directories; others try what they may. */
const isRoot = process.getuid?.() === 0;

const host: KernelHost = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: () => () => {},
  threadCpuMs: () => 0,
  cpus: 1,
  takeMemoryShortage: () => false,
  tellSession: () => undefined,
  yieldTurn: () => Promise.resolve(),
  random: () => {},
  log: ({ level, message }) => {
    throw new Error(`${level}: ${message}`);
  },
  warnLimit: () => {},
  ask: () => Promise.reject(new Error("nothing asks")),
};

async function mount(root: FileSystem): Promise<SysWorld> {
  const kernel = new Kernel({ host, root: () => root, executors: [], limits: { maxOpenFds: 64 } });
  const sys = kernel.sysOf(kernel.init);
  await sys.umask(process.umask());
  return new SysWorld(sys);
}

interface Run {
  readonly ours: World;
  readonly theirs: World;
  readonly source: OperationSource;
  readonly count: number;
  readonly skip?: (operation: Operation) => boolean;
}

/** Runs the same operations on both and answers where they differ. */
async function findDifferences(run: Run): Promise<string[]> {
  const { ours, theirs, source, count, skip = () => false } = run;
  const differences: string[] = [];
  for (let i = 0; i < count && differences.length < 10; i++) {
    const operation = source.next();
    if (skip(operation)) continue;
    const mine = JSON.stringify(await ours.run(operation));
    const original = JSON.stringify(await theirs.run(operation));
    if (mine === original) continue;
    differences.push(
      `#${i} ${JSON.stringify(operation).slice(0, 300)}: ${mine}, host: ${original}`,
    );
  }
  return differences;
}

/** A world without what cannot be compared in its stats: they read 0. */
class Without implements World {
  readonly #hidden: readonly (keyof StatFacts)[];
  readonly #world: World;

  constructor(hidden: readonly (keyof StatFacts)[], world: World) {
    this.#hidden = hidden;
    this.#world = world;
  }

  async run(operation: Operation): Promise<Outcome> {
    const outcome = await this.#world.run(operation);
    const isStat = ["stat", "lstat", "heldStat"].includes(operation.op) && "value" in outcome;
    if (!isStat || outcome.value === "not held") return outcome;
    const facts = outcome.value as StatFacts;
    const hidden = this.#hidden.filter((name) => name !== "nlink" || facts.kind === "directory");
    return { value: { ...facts, ...Object.fromEntries(hidden.map((name) => [name, 0])) } };
  }
}

/** Who is not root makes files of its own id; the kernel's init is root. */
const owners: readonly (keyof StatFacts)[] = isRoot ? [] : ["uid", "gid"];
const comparable = (world: World): World => new Without(owners, world);
/** A merged directory does not count its links, as on Linux's overlayfs. */
const comparableMerged = (world: World): World => new Without([...owners, "nlink"], world);

let directory = "";
let theirs: NodeWorld;

beforeEach(() => {
  directory = hostFs.mkdtempSync(join(tmpdir(), "agentos-differential-"));
  hostFs.chmodSync(directory, 0o755);
  theirs = new NodeWorld(hostFs, directory);
});

afterEach(() => {
  theirs.close();
  hostFs.rmSync(directory, { recursive: true, force: true });
});

const now = (): number => Date.now();
const isHeld = (operation: Operation): boolean => "slot" in operation;

// The host is the original here, so it must be Linux.
describe("MemoryFileSystem", unless(notLinux), () => {
  it("answers 10,000 operations as the host's file system does, with files held open", async () => {
    const ours = comparable(await mount(new MemoryFileSystem({ now })));
    const original = comparable(theirs);
    const source = new OperationSource(1, isRoot);
    expect(await findDifferences({ ours, theirs: original, source, count: 10_000 })).toEqual([]);
    expect(await describeTree(ours)).toEqual(await describeTree(original));
  });

  it("answers 10,000 operations as the host and memfs do, but for what memfs has wrong", async () => {
    const met = new Map(memfsDeviations.map(({ reason }) => [reason, 0]));
    const unexplained: string[] = [];
    for (let episode = 0; episode < 50; episode++) {
      const root = join(directory, String(episode));
      hostFs.mkdirSync(root);
      const original = new NodeWorld(hostFs, root);
      const ours = comparable(await mount(new MemoryFileSystem({ now })));
      const source = new OperationSource(100 + episode, isRoot);
      const worlds = { ours, original, source };
      unexplained.push(...(await compareWithMemfs(worlds, { count: 200, met })));
    }
    expect(unexplained).toEqual([]);
    const unmet = [...met].filter(([, count]) => count === 0);
    expect(isRoot ? unmet : []).toEqual([]);
  });
});

/** Counts the deviations it meets; answers what no row of the table explains. */
async function compareWithMemfs(
  { ours, original, source }: { ours: World; original: NodeWorld; source: OperationSource },
  { count, met }: { count: number; met: Map<string, number> },
): Promise<string[]> {
  let memfs = copyToMemfs(original);
  const unexplained: string[] = [];
  for (let compared = 0; compared < count; ) {
    const operation = source.next();
    if (isHeld(operation)) continue;
    compared += 1;
    const mine = await ours.run(operation);
    const hosts = JSON.stringify(await comparable(original).run(operation));
    const other = await comparable(memfs).run(operation);
    if (hosts !== JSON.stringify(mine))
      unexplained.push(`${JSON.stringify(operation)}: host ${hosts}`);
    if (hosts === JSON.stringify(other)) continue;
    const deviation = memfsDeviations.find((row) => row.applies(operation, mine, other));
    const words = `${JSON.stringify(operation).slice(0, 300)}: ${JSON.stringify(mine)}`;
    if (deviation === undefined) unexplained.push(`${words}, memfs: ${JSON.stringify(other)}`);
    else met.set(deviation.reason, (met.get(deviation.reason) ?? 0) + 1);
    if ("value" in mine || "value" in other) memfs = copyToMemfs(original);
  }
  return unexplained;
}

describe("OverlayFileSystem", unless(notLinux), () => {
  it("answers 5,000 operations over an image as the host's file system does", async () => {
    const image = new MemoryFileSystem({ now });
    const source = new OperationSource(4, isRoot);
    const original = comparableMerged(theirs);
    const made = await findDifferences({
      ours: comparableMerged(await mount(image)),
      theirs: original,
      source,
      count: 2000,
      skip: isHeld,
    });
    expect(made).toEqual([]);
    const overlay = new OverlayFileSystem({ upper: new MemoryFileSystem({ now }), lower: [image] });
    const ours = comparableMerged(await mount(overlay));
    expect(await describeTree(ours)).toEqual(await describeTree(original));
    expect(await findDifferences({ ours, theirs: original, source, count: 5000 })).toEqual([]);
    expect(await describeTree(ours)).toEqual(await describeTree(original));
  });

  it("shows the same when each upper layer becomes a lower one, five times over", async () => {
    const layers: FileSystem[] = [new MemoryFileSystem({ now })];
    const source = new OperationSource(5, isRoot);
    const original = comparableMerged(theirs);
    const skip = (operation: Operation): boolean => isHeld(operation) || operation.op === "link";
    for (let layer = 0; layer < 5; layer++) {
      const upper = new MemoryFileSystem({ now });
      const ours = comparableMerged(
        await mount(new OverlayFileSystem({ upper, lower: [...layers] })),
      );
      expect(await describeTree(ours)).toEqual(await describeTree(original));
      expect(await findDifferences({ ours, theirs: original, source, count: 1000, skip })).toEqual(
        [],
      );
      layers.unshift(upper);
    }
    const last = new OverlayFileSystem({ lower: layers });
    const ours = comparableMerged(await mount(last));
    expect(await describeTree(ours)).toEqual(await describeTree(original));
  });
});
