// A control group for each sandbox, where this host lets us have one: version 1 (one tree for each controller)
// or 2 (one tree), see cgroups(7). Names tell who made them, so that what a killed server left can be removed.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SandboxLimits } from "../../provider.ts";
import { isServerAlive, readServerMark } from "./server-mark.ts";

/** Where groups can be made. */
export interface ControlGroupTree {
  readonly version: 1 | 2;
  /** One directory; in version 1 one for each controller. */
  readonly memory: string;
  readonly pids: string;
  readonly cpu: string;
}

/** The trees in which this process may make groups with all three limits; undefined where there are none. */
export function findControlGroupTree(root = "/sys/fs/cgroup"): ControlGroupTree | undefined {
  for (const tree of [treeOfVersion1(root), treeOfVersion2(root)]) {
    if (tree !== undefined && canUse(tree)) return tree;
  }
  return undefined;
}

export class ControlGroup {
  /** A process that writes "0" to each of them is in the group, and so is what it starts. */
  readonly joinFiles: readonly string[];
  readonly #tree: ControlGroupTree;
  readonly #name: string;

  /** Throws where the limits cannot be set; nothing stays then. */
  constructor(tree: ControlGroupTree, ref: string, limits: SandboxLimits) {
    this.#tree = tree;
    this.#name = `${PREFIX}${readServerMark()}-${ref}`;
    this.joinFiles = this.#directories().map((directory) => join(directory, "cgroup.procs"));
    try {
      for (const directory of this.#directories()) mkdirSync(directory);
      for (const [directory, file, value] of this.#settings(limits))
        writeFileSync(join(directory, file), value);
      this.#limitSwap(limits);
    } catch (error) {
      for (const directory of this.#directories()) tryRemove(directory);
      throw error;
    }
  }

  /** How often the kernel killed something in it because memory ran out. */
  async countOutOfMemory(): Promise<number> {
    const file = this.#tree.version === 1 ? "memory.oom_control" : "memory.events";
    const text = await readFile(join(this.#tree.memory, this.#name, file), "utf8").catch(() => "");
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  async memoryBytes(): Promise<number | undefined> {
    const file = this.#tree.version === 1 ? "memory.usage_in_bytes" : "memory.current";
    const text = await readFile(join(this.#tree.memory, this.#name, file), "utf8").catch(() => "");
    return text === "" ? undefined : Number(text);
  }

  /** Its processes are gone or going. Fails when one is still there after seconds. */
  async remove(): Promise<void> {
    for (const directory of this.#directories()) {
      for (let round = 0; !tryRemove(directory); round++) {
        if (round > 100) throw new Error(`${directory} cannot be removed`);
        if (round > 5) killAll(directory);
        await delay(20 + round);
      }
    }
  }

  #directories(): string[] {
    const { memory, pids, cpu } = this.#tree;
    return [...new Set([memory, pids, cpu])].map((directory) => join(directory, this.#name));
  }

  #settings(limits: SandboxLimits): readonly (readonly [string, string, string])[] {
    const { memory, pids, cpu, version } = this.#tree;
    const bytes = String(limits.memoryMb * 1024 * 1024);
    // Bubblewrap's own process and the agent are not the sandbox's.
    const processes = String(limits.pids + 2);
    const quota = String(Math.max(1000, Math.round(limits.cpus * CPU_PERIOD_US)));
    const at = (directory: string) => join(directory, this.#name);
    if (version === 2)
      return [
        [at(memory), "memory.max", bytes],
        [at(pids), "pids.max", processes],
        [at(cpu), "cpu.max", `${quota} ${CPU_PERIOD_US}`],
      ];
    return [
      [at(memory), "memory.limit_in_bytes", bytes],
      [at(pids), "pids.max", processes],
      [at(cpu), "cpu.cfs_period_us", String(CPU_PERIOD_US)],
      [at(cpu), "cpu.cfs_quota_us", quota],
    ];
  }

  /** Kernels without swap accounting have no such file. */
  #limitSwap(limits: SandboxLimits): void {
    const bytes = String(limits.memoryMb * 1024 * 1024);
    const isFirst = this.#tree.version === 1;
    const file = isFirst ? "memory.memsw.limit_in_bytes" : "memory.swap.max";
    const directory = join(this.#tree.memory, this.#name);
    if (readdirSync(directory).includes(file))
      writeFileSync(join(directory, file), isFirst ? bytes : "0");
  }
}

/** Ends what servers that are gone left in their groups, and removes the groups. */
export function removeLeftControlGroups(tree: ControlGroupTree): void {
  for (const directory of new Set([tree.memory, tree.pids, tree.cpu])) {
    for (const name of readdirSync(directory)) {
      const mark = /^agentos-sandbox-(\d+-\d+)-/.exec(name)?.[1];
      if (mark === undefined || isServerAlive(mark)) continue;
      killAll(join(directory, name));
      tryRemove(join(directory, name));
    }
  }
}

const PREFIX = "agentos-sandbox-";
/** The kernel's default, see Documentation/scheduler/sched-bwc.rst. */
const CPU_PERIOD_US = 100_000;

function killAll(directory: string): void {
  for (const pid of readPids(directory)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

function readPids(directory: string): number[] {
  try {
    const lines = readFileSync(join(directory, "cgroup.procs"), "utf8").split("\n");
    return lines.map(Number).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** Whether it is gone. */
function tryRemove(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

function treeOfVersion1(root: string): ControlGroupTree | undefined {
  const own = readOwnGroups();
  const directoryOf = (controller: string) => {
    const path = own.find(({ controllers }) => controllers.includes(controller))?.path;
    return path === undefined ? undefined : join(root, controller, path);
  };
  const [memory, pids, cpu] = ["memory", "pids", "cpu"].map(directoryOf);
  if (memory === undefined || pids === undefined || cpu === undefined) return undefined;
  return { version: 1, memory, pids, cpu };
}

/**
 * A group with processes of its own cannot lend controllers (cgroups(7), "no internal processes"), so root
 * makes its groups below the root; a user below the nearest group of its own that lends all three.
 */
function treeOfVersion2(root: string): ControlGroupTree | undefined {
  const own = readOwnGroups().find(({ controllers }) => controllers.length === 0)?.path;
  if (own === undefined) return undefined;
  for (let path = own; ; path = join(path, "..")) {
    const directory = join(root, path);
    const tree = { version: 2, memory: directory, pids: directory, cpu: directory } as const;
    if (lendsControllers(directory) && canUse(tree)) return tree;
    if (path === "/") return undefined;
  }
}

function lendsControllers(directory: string): boolean {
  try {
    const lent = readFileSync(join(directory, "cgroup.subtree_control"), "utf8").split(/\s+/);
    return ["memory", "pids", "cpu"].every((controller) => lent.includes(controller));
  } catch {
    return false;
  }
}

/** The only proof is to make one. */
function canUse(tree: ControlGroupTree): boolean {
  const limits = { memoryMb: 64, pids: 16, cpus: 1, diskMb: 1, lifetimeMs: 1 };
  try {
    const probe = new ControlGroup(tree, `probe-${process.hrtime.bigint()}`, limits);
    for (const file of probe.joinFiles) tryRemove(join(file, ".."));
    return true;
  } catch {
    return false;
  }
}

/** /proc/self/cgroup: `4:memory:/path`, and `0::/path` for version 2. */
function readOwnGroups(): { readonly controllers: readonly string[]; readonly path: string }[] {
  try {
    const lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
    return lines.map((line) => {
      const [, names = "", path = "/"] = line.split(":");
      return { controllers: names.split(",").filter((name) => name !== ""), path };
    });
  } catch {
    return [];
  }
}
