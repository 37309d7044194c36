import { setImmediate as turn } from "node:timers/promises";
import {
  DeviceFileSystem,
  type Executor,
  type FileSystem,
  Kernel,
  type KernelHost,
  type KernelLog,
  type LimitValues,
  MemoryFileSystem,
  makeCredentials,
  OverlayFileSystem,
  type Process,
  ProcFileSystem,
  PtsFileSystem,
  type SeedEntry,
  type Sys,
  shellStatus,
} from "../../src/kernel/index.ts";
import { ProgramExecutor } from "../../src/vm/executors/program/program-executor.ts";
import { defaultEnvironment, imageEntries } from "../../src/vm/image/image.ts";

/** A real clock and a quiet log: what a cell gives its kernel, without the cell. */
class TestHost implements KernelHost {
  readonly logged: KernelLog[] = [];

  now(): number {
    return performance.timeOrigin + performance.now();
  }

  monotonic(): number {
    return performance.now();
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  }

  async yieldTurn(): Promise<void> {
    await turn();
  }

  takeMemoryShortage(): boolean {
    return false;
  }

  random(into: Uint8Array): void {
    for (let at = 0; at < into.length; at += 65_536) {
      crypto.getRandomValues(into.subarray(at, at + 65_536) as Uint8Array<ArrayBuffer>);
    }
  }

  log(line: KernelLog): void {
    this.logged.push(line);
  }

  warnLimit(): void {}

  async ask(): Promise<"deny"> {
    return "deny";
  }
}

export interface RunOptions {
  readonly argv?: readonly string[];
  readonly path?: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Kills it after this; the status is then 137. */
  readonly limitMs?: number;
  readonly isRoot?: boolean;
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

export interface MachineOptions {
  /** Files beside the image's. */
  readonly seed?: Iterable<SeedEntry>;
  readonly limits?: Partial<LimitValues>;
  /** What runs executables that only a test has. */
  readonly executors?: readonly Executor[];
}

/** A VM without its cell: a kernel with the image a VM boots with. */
export class TestMachine {
  readonly host = new TestHost();
  readonly kernel: Kernel;
  /** pid 1. */
  readonly sys: Sys;

  constructor({ seed = [], limits = {}, executors = [] }: MachineOptions = {}) {
    const now = (): number => this.host.now();
    const image = new MemoryFileSystem({ now, isReadOnly: true });
    image.seed([...imageEntries(), ...seed]);
    this.kernel = new Kernel({
      host: this.host,
      root: (counted) =>
        new OverlayFileSystem({
          upper: new MemoryFileSystem({ now, limits: counted }),
          lower: [image],
          yieldTurn: () => this.host.yieldTurn(),
        }),
      executors: [new ProgramExecutor({ log: (line) => this.host.log(line) }), ...executors],
      env: new Map(defaultEnvironment),
      limits,
    });
    this.sys = this.kernel.sysOf(this.kernel.init);
  }

  async mount(): Promise<this> {
    const { vfs, init, limits, ptys } = this.kernel;
    const at = async (path: string, fileSystem: FileSystem): Promise<void> => {
      const { existing } = await vfs.walkFrom(init, path, true);
      if (existing === undefined) throw new Error(`no ${path} in the image`);
      vfs.mounts.add(existing, { fileSystem });
    };
    await at("/dev", new DeviceFileSystem({ host: this.host, limits }));
    await at("/dev/pts", new PtsFileSystem(ptys, () => this.host.now()));
    await at("/proc", new ProcFileSystem(this.kernel));
    return this;
  }

  /** Runs `sh -c script` as the user. */
  async sh(script: string, options: RunOptions = {}): Promise<RunResult> {
    return this.run({ path: "/bin/bash", argv: ["bash", "-c", script], ...options });
  }

  async run(options: RunOptions): Promise<RunResult> {
    const { result } = await this.runBytes(options);
    return result;
  }

  async runBytes(
    options: RunOptions,
  ): Promise<{ readonly result: RunResult; readonly output: Uint8Array }> {
    const { path = "/bin/bash", argv = ["bash"], env = {}, limitMs = 10_000 } = options;
    const actor = this.kernel.enterAs(
      makeCredentials(options.isRoot === true ? 0 : 1000, options.isRoot === true ? 0 : 1000),
    );
    const sys = this.kernel.sysOf(actor);
    try {
      return await this.#runAs(actor, sys, { ...options, path, argv, env, limitMs });
    } finally {
      await sys.exit(0).catch((error: unknown) => {
        if (!(error instanceof Error) || error.constructor.name !== "ProcessEnded") throw error;
      });
    }
  }

  async #runAs(
    _actor: Process,
    sys: Sys,
    options: RunOptions & Required<Pick<RunOptions, "path" | "argv" | "env" | "limitMs">>,
  ) {
    const [inRead, inWrite] = await sys.pipe();
    const [outRead, outWrite] = await sys.pipe();
    const [errRead, errWrite] = await sys.pipe();
    const environment = new Map([...defaultEnvironment, ...Object.entries(options.env)]);
    const pid = await sys.spawn({
      path: options.path,
      argv: options.argv,
      env: environment,
      cwd: options.cwd ?? "/home/user",
      fds: [
        { fd: 0, from: inRead },
        { fd: 1, from: outWrite },
        { fd: 2, from: errWrite },
        ...[inRead, inWrite, outRead, outWrite, errRead, errWrite]
          .filter((fd) => fd > 2)
          .map((fd) => ({ fd, close: true }) as const),
      ],
      pgid: 0,
    });
    for (const fd of [inRead, outWrite, errWrite]) await sys.close(fd);
    const timer = setTimeout(() => {
      sys.kill(-pid, 9).catch(() => sys.kill(pid, 9));
    }, options.limitMs);
    try {
      const input =
        typeof options.stdin === "string"
          ? new TextEncoder().encode(options.stdin)
          : (options.stdin ?? new Uint8Array());
      const [, output, errors, waited] = await Promise.all([
        feed(sys, inWrite, input),
        drain(sys, outRead),
        drain(sys, errRead),
        sys.wait({ pid }),
      ]);
      const status = waited === undefined ? -1 : shellStatus(waited.status);
      return { result: { stdout: decode(output), stderr: decode(errors), status }, output };
    } finally {
      clearTimeout(timer);
    }
  }
}

export async function boot(options: MachineOptions = {}): Promise<TestMachine> {
  return new TestMachine(options).mount();
}

async function feed(sys: Sys, fd: number, input: Uint8Array): Promise<void> {
  try {
    let done = 0;
    while (done < input.length) done += await sys.write(fd, input.subarray(done, done + 65_536));
  } catch (error) {
    if (!(error instanceof Error && "errno" in error && error.errno === "EPIPE")) throw error;
  } finally {
    await sys.close(fd);
  }
}

async function drain(sys: Sys, fd: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const buffer = new Uint8Array(65_536);
  for (;;) {
    const count = await sys.read(fd, buffer);
    if (count === 0) break;
    chunks.push(buffer.slice(0, count));
    size += count;
  }
  await sys.close(fd);
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
