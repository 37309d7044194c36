// A VM in the test's own process. All of it is what ships: `Vm` at the server's end, the wire's
// frames, `Cell` and its kernel at the other. Only the process and the jail around the cell are not there.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Kernel, LimitValues, SeedEntry, Sys } from "../../src/kernel/index.ts";
import { CellClient } from "../../src/vm/broker/cell-client.ts";
import { CellProcess } from "../../src/vm/broker/cell-process/cell-process.ts";
import { Watchdog } from "../../src/vm/broker/cell-process/watchdog.ts";
import { Disk } from "../../src/vm/broker/folders/disk.ts";
import { type Machine, makeImage } from "../../src/vm/cell/boot-machine.ts";
import { type ConnectedCell, connectCell } from "../../src/vm/cell/connect-cell.ts";
import type { EngineMemory } from "../../src/vm/cell/engine-memory.ts";
import { MemoryWatch } from "../../src/vm/cell/memory-watch.ts";
import { runToEnd } from "../../src/vm/exec-options.ts";
import { LogSpace } from "../../src/vm/log-space.ts";
import { Vm } from "../../src/vm/vm.ts";
import type { VmOptions } from "../../src/vm/vm-options.ts";
import { makeWirePair } from "./wire-pair.ts";

export interface MachineOptions extends VmOptions {
  /** Files beside the image's. */
  readonly seed?: Iterable<SeedEntry>;
  readonly limits?: Partial<LimitValues>;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Ends it after this. */
  readonly limitMs?: number;
  readonly isRoot?: boolean;
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** A booted VM, and its kernel for tests that need more than the VM's own doors. */
export class TestMachine {
  readonly vm: Vm;
  readonly kernel: Kernel;
  /** pid 1. */
  readonly sys: Sys;
  /** What the cell and the server have logged: bugs, and what limits forbade. */
  readonly logged: readonly string[];

  constructor(vm: Vm, { kernel }: Machine, logged: readonly string[]) {
    this.vm = vm;
    this.kernel = kernel;
    this.sys = kernel.sysOf(kernel.init);
    this.logged = logged;
  }

  /** Runs `bash -c script` as the user. */
  async sh(script: string, options: RunOptions = {}): Promise<RunResult> {
    return this.run(["bash", "-c", script], options);
  }

  async run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const { result } = await this.runBytes(argv, options);
    return result;
  }

  /** As `run`, with stdout as bytes too. */
  async runBytes(
    argv: readonly string[],
    { stdin = "", env = {}, cwd = "/home/user", limitMs = 10_000, isRoot = false }: RunOptions = {},
  ): Promise<{ readonly result: RunResult; readonly output: Uint8Array }> {
    const { stdout, stderr, exitCode, stdoutBytes } = await runToEnd(this.vm, argv, {
      stdin,
      env,
      cwd,
      as: isRoot ? "root" : "user",
      timeoutMs: limitMs,
      maxOutputBytes: Number.MAX_SAFE_INTEGER,
    });
    return { result: { stdout, stderr, status: exitCode }, output: stdoutBytes };
  }
}

/** One for all machines of a test file: its thread starts with the first folder. */
const disk = new Disk();

/** Nothing has to be closed: a machine that nobody uses any more is garbage. */
export async function boot({ seed, ...options }: MachineOptions = {}): Promise<TestMachine> {
  const image = seed === undefined ? plainImage() : makeImage(seed);
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  let connected: ConnectedCell | undefined;
  const take = async (): Promise<CellClient> => {
    const started = startInProcess(image);
    connected = started.connected;
    await started.client.ready;
    return started.client;
  };
  const vm = new Vm({
    id: "test",
    options,
    pool: { take },
    disk,
    logDirectory: logDirectory(),
    logSpace: new LogSpace(Number.MAX_SAFE_INTEGER),
    log,
    forget: () => undefined,
  });
  await vm.start();
  const machine = connected?.cell.machine;
  if (machine === undefined) throw new Error("the cell has not booted");
  return new TestMachine(vm, machine, logged);
}

/** A cell without a process of its own: it ends with its wire. */
function startInProcess(image: ReturnType<typeof makeImage>): {
  readonly client: CellClient;
  readonly connected: ConnectedCell;
} {
  const [serverEnd, cellEnd] = makeWirePair();
  const connected = connectCell({
    stream: cellEnd,
    image,
    memory: new MemoryWatch(ampleMemory),
    onLost: () => cellEnd.destroy(),
  });
  const process = new CellProcess(
    {
      // No process has it, so nobody's memory is read or limited.
      pid: 0,
      wire: serverEnd,
      log: Readable.from([]),
      ended: connected.closed.then(() => ({ code: 0, signal: null })),
      kill: () => cellEnd.destroy(),
    },
    { memoryLimitBytes: Number.MAX_SAFE_INTEGER, layers: [] },
  );
  return { client: new CellClient(process, unwatched()), connected };
}

/** A watchdog that never looks: whatever keeps this thread from a cell keeps it from the test as well. */
function unwatched(): Watchdog {
  return new Watchdog({ clock: { now: () => 0, every: () => () => undefined } });
}

/** The heap is the test's, and no machine pays for it. */
const ampleMemory: EngineMemory = {
  measure: () => ({ limit: Number.MAX_SAFE_INTEGER, heap: 0, all: 0 }),
  collect: () => undefined,
  collectThoroughly: () => undefined,
};

let sharedImage: ReturnType<typeof makeImage> | undefined;

/** What machines without files of their own share: it is read-only. */
function plainImage(): ReturnType<typeof makeImage> {
  sharedImage ??= makeImage();
  return sharedImage;
}

let sharedLogs: string | undefined;

/** Where long outputs are kept until the test's process ends. */
function logDirectory(): string {
  if (sharedLogs !== undefined) return sharedLogs;
  const made = mkdtempSync(join(tmpdir(), "test-machine-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  sharedLogs = made;
  return made;
}
