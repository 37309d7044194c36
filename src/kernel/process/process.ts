import { KernelError } from "../abi/kernel-error.ts";
import type { WaitStatus } from "../abi/wait-status.ts";
import type { FdTable } from "../fd/fd-table.ts";
import { type Waiter, WaitQueue } from "../fd/wait-queue.ts";
import type { Kernel } from "../kernel.ts";
import type { Credentials } from "../permissions/credentials.ts";
import type { Terminal } from "../pty/terminal.ts";
import type { Traced } from "../trace/tracer.ts";
import type { Place } from "../vfs/place.ts";
import type { Execution, ProcessUse } from "./executor.ts";
import { ProcessEnded } from "./process-ended.ts";
import type { SignalState } from "./signal-state.ts";

/** A session: its leader's pid and the terminal it controls, if any. */
export interface Session {
  readonly sid: number;
  terminal: Terminal | undefined;
}

export interface ProcessParts {
  readonly kernel: Kernel;
  readonly pid: number;
  readonly parent: Process | undefined;
  readonly fds: FdTable;
  readonly credentials: Credentials;
  readonly cwd: Place;
  readonly umask: number;
  readonly signals: SignalState;
  readonly session: Session;
  readonly pgid: number;
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly isTrusted: boolean;
}

/**
 * A row of the process table, and how its calls wait.
 *
 * It owns its fd table and its execution; `end-process.ts` gives both back. A zombie has neither, and stays
 * in the table until its parent has waited for it.
 */
export class Process implements Waiter {
  readonly kernel: Kernel;
  readonly pid: number;
  readonly children = new Set<Process>();
  /** Woken when a child changes state. */
  readonly childChanged = new WaitQueue();
  readonly startedMs: number;
  readonly fds: FdTable;
  readonly signals: SignalState;
  parent: Process | undefined;
  session: Session;
  pgid: number;
  credentials: Credentials;
  cwd: Place;
  umask: number;
  argv: readonly string[];
  env: ReadonlyMap<string, string>;
  /** The file it runs; empty for pid 1 and for processes the host made. */
  exe = "";
  execution: Execution | undefined;
  /** The host's own process: the policy does not apply to it, ownership and modes do. */
  readonly isTrusted: boolean;
  state: "running" | "stopped" | "zombie" = "running";
  /** How it ended, once it is a zombie. */
  status: WaitStatus | undefined;
  /** A stop or continue its parent has not been told of. */
  news: WaitStatus | undefined;
  /** Its parent has ended before it. */
  isOrphan = false;
  hasExecuted = false;
  /** How often it has waited for a turn of the host: what computes has many. */
  turns = 0;
  /** What it says it holds of the VM's memory, see the call `hold`. */
  heldBytes = 0;
  /** CPU time it has used on the kernel's thread. */
  kernelCpuMs = 0;
  /** CPU time it had used when it ended, and that of the children it has waited for. */
  endedCpuMs = 0;
  childrenCpuMs = 0;
  /** A call of it failed for want of memory. */
  wasShort = false;
  /** Who watches its calls; undefined where nobody does. */
  traced: Traced | undefined;
  /** Counts exec calls: a `Sys` of an earlier image is dead. */
  generation = 0;
  /** Made when somebody asks for it: most processes end without. */
  #abort: AbortController | undefined;
  readonly #interrupted = new WaitQueue();
  readonly #resumed = new WaitQueue();

  constructor(parts: ProcessParts) {
    this.kernel = parts.kernel;
    this.pid = parts.pid;
    this.parent = parts.parent;
    this.fds = parts.fds;
    this.credentials = parts.credentials;
    this.cwd = parts.cwd;
    this.umask = parts.umask;
    this.signals = parts.signals;
    this.session = parts.session;
    this.pgid = parts.pgid;
    this.argv = parts.argv;
    this.env = parts.env;
    this.isTrusted = parts.isTrusted;
    this.startedMs = parts.kernel.host.now();
    parts.parent?.children.add(this);
  }

  /**
   * The name ps shows: the last part of argv[0], at most 15 characters, see proc(5).
   *
   * Deviation: Linux takes the name of the file, so that of a script is the script's and not its
   * interpreter's; here the arguments say how a program was called.
   */
  get comm(): string {
    const name = this.argv[0] ?? "";
    return name.slice(name.lastIndexOf("/") + 1).slice(0, 15);
  }

  get use(): ProcessUse {
    if (this.state === "zombie") return { memoryBytes: 0, cpuMs: this.endedCpuMs };
    const { memoryBytes, cpuMs } = this.execution?.use?.() ?? {
      memoryBytes: this.heldBytes,
      cpuMs: 0,
    };
    return { memoryBytes, cpuMs: cpuMs + this.kernelCpuMs };
  }

  /** Aborted when the process ends. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.state === "zombie") this.#abort.abort();
    return this.#abort.signal;
  }

  /** EAGAIN at the limit of timers, beside what a Waiter fails with. */
  async wait(queues: WaitQueue | readonly WaitQueue[], deadlineMs?: number): Promise<boolean> {
    const { generation } = this;
    this.#requireUninterrupted(generation);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wake = (): void => resolve(true);
    const undo: (() => void)[] = [];
    try {
      if (deadlineMs !== undefined) undo.push(this.#startTimer(deadlineMs, () => resolve(false)));
      const all = queues instanceof WaitQueue ? [queues] : queues;
      for (const queue of all) undo.push(queue.add(wake));
      undo.push(this.#interrupted.add(wake));
      const isWoken = await promise;
      // A stopped process takes nothing: what it waited for may be another's by the time it goes on.
      if (this.state === "stopped") await this.proceed(generation);
      this.#requireUninterrupted(generation);
      return isWoken;
    } finally {
      for (const cancel of undo) cancel();
    }
  }

  /** Resolves once the process is not stopped; fails with ProcessEnded when it has ended. */
  async proceed(generation: number): Promise<void> {
    while (this.state === "stopped") {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resumed.add(resolve);
      await promise;
    }
    if (this.state === "zombie" || generation !== this.generation) throw new ProcessEnded(this.pid);
  }

  /** Makes the call the process waits in look whether a signal is there for it. */
  interrupt(): void {
    this.#interrupted.wakeAll();
  }

  resume(): void {
    this.#resumed.wakeAll();
  }

  /** The end: every call it waits in fails with ProcessEnded. */
  abort(): void {
    this.#abort?.abort();
    this.interrupt();
    this.resume();
  }

  /** A wait of an image that exec has replaced goes no further. */
  #requireUninterrupted(generation: number): void {
    if (this.state === "zombie" || generation !== this.generation) throw new ProcessEnded(this.pid);
    if (this.signals.hasCaught) throw new KernelError("EINTR");
  }

  #startTimer(deadlineMs: number, callback: () => void): () => void {
    const { host, limits } = this.kernel;
    limits.charge("maxTimers");
    const cancel = host.setTimer(Math.max(0, deadlineMs - host.monotonic()), callback);
    return () => {
      cancel();
      limits.discharge("maxTimers");
    };
  }
}
