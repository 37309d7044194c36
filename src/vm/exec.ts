import {
  findSignalName,
  findSignalNumber,
  isKernelError,
  type WaitStatus,
} from "../kernel/index.ts";
import { type CellClient, CellLost } from "./broker/cell-client.ts";
import { defer } from "./deferred.ts";
import { HostError } from "./host-error.ts";
import { InputDemand } from "./input-demand.ts";
import type { OutputLog } from "./output-log.ts";
import {
  type CellMethod,
  type CellMethods,
  CHUNK_BYTES,
  STREAM_WINDOW_BYTES,
  type StreamName,
} from "./wire/messages.ts";

export type ExecState = "running" | "exited" | "killed" | "timed_out" | "lost";

export interface ExecStatus {
  readonly state: ExecState;
  readonly exitCode?: number;
  /** SIGTERM and the like, when a signal ended it. */
  readonly signal?: string;
}

/** How long a command may take to end after SIGTERM before it is killed. */
const TERM_GRACE_MS = 2_000;

interface ExecParts {
  readonly id: string;
  readonly command: string;
  /** What the wire calls it. */
  readonly number: number;
  readonly cell: CellClient;
  readonly stdout: OutputLog;
  readonly stderr: OutputLog;
  readonly hasStdin: boolean;
}

/** While a promise it returns is pending, its piece counts as not taken: the command may have to wait. */
export type OutputListener = (stream: StreamName, bytes: Uint8Array) => void | Promise<void>;

/**
 * One command that the host started in a VM, from its start on; kept for a while after its end, so
 * that its output can be read. Ends with its first process; what that has left running in the
 * background may still add output.
 */
export class Exec {
  readonly id: string;
  readonly command: string;
  /** 0 until it has started. */
  pid = 0;
  readonly startedAt = Date.now();
  readonly stdout: OutputLog;
  readonly stderr: OutputLog;
  readonly #exec: number;
  readonly #cell: CellClient;
  readonly #listeners = new Set<OutputListener>();
  readonly #ended = defer<void>();
  #status: ExecStatus = { state: "running" };
  #isTimedOut = false;
  #loss: HostError | undefined;
  #isDiscarded = false;
  /** Output that has come and is not acknowledged yet; the cell may not send more than a window. */
  readonly #untaken = { stdout: 0, stderr: 0 };
  #window = STREAM_WINDOW_BYTES;
  #windowChanged = defer<void>();
  #isStdinOpen: boolean;
  /** The last write or closing of stdin: each waits for the one before. */
  #feeding: Promise<void> = Promise.resolve();
  readonly #demand = new InputDemand(() => this.#call("awaitDemand", { exec: this.#exec }));
  #timers: NodeJS.Timeout[] = [];

  constructor(parts: ExecParts) {
    this.id = parts.id;
    this.command = parts.command;
    this.stdout = parts.stdout;
    this.stderr = parts.stderr;
    this.#exec = parts.number;
    this.#cell = parts.cell;
    this.#isStdinOpen = parts.hasStdin;
  }

  status(): ExecStatus {
    return this.#status;
  }

  get isRunning(): boolean {
    return this.#status.state === "running";
  }

  get isStdinOpen(): boolean {
    return this.#isStdinOpen && this.isRunning;
  }

  /**
   * Gives input; waits while the command does not read. Concurrent writes are given one after the other,
   * each whole. EXEC_ENDED.
   */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#inTurn(() => this.#send(bytes));
  }

  async #send(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      const part = bytes.subarray(at, at + CHUNK_BYTES);
      while (this.#window < part.length && this.isStdinOpen) {
        await Promise.race([this.#windowChanged.promise, this.#ended.promise]);
      }
      if (!this.isStdinOpen) throw new HostError("EXEC_ENDED", { exec: this.id });
      this.#window -= part.length;
      this.#demand.noteSent(part.length);
      await this.#cell.sendInput(this.#exec, part);
    }
  }

  /** The command reads end of file after what it was given, writes under way included. */
  async closeStdin(): Promise<void> {
    await this.#inTurn(async () => {
      if (!this.isStdinOpen) return;
      this.#isStdinOpen = false;
      await this.#cell.call("closeStdin", { exec: this.#exec });
    });
  }

  /**
   * Resolves once the command has read all it was given and looks for more; also when it can get no more,
   * and with the signal's abort. Output that it wrote before comes before. A command that computes, or
   * never reads its input, keeps its caller waiting.
   */
  async waitForDemand(signal: AbortSignal): Promise<void> {
    const { promise: aborted, resolve } = defer<void>();
    const giveUp = (): void => resolve();
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      const over = Promise.race([this.#ended.promise, aborted]);
      while (this.isStdinOpen && !signal.aborted && !(await this.#demand.wait(over)));
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** To the command's process group. EXEC_ENDED, SIGNAL_UNKNOWN. */
  async signal(name: string): Promise<void> {
    const signal = findSignalNumber(name);
    if (signal === undefined || signal === 0)
      throw new HostError("SIGNAL_UNKNOWN", { signal: name });
    if (!this.isRunning) throw new HostError("EXEC_ENDED", { exec: this.id });
    await this.#call("signalExec", { exec: this.#exec, signal });
  }

  async resize(cols: number, rows: number): Promise<void> {
    if (this.isRunning) await this.#cell.call("resize", { exec: this.#exec, cols, rows });
  }

  /** Resolves to true when the command has ended, to false after `timeoutMs` or the signal's abort. */
  async wait(timeoutMs?: number, signal?: AbortSignal): Promise<boolean> {
    if (!this.isRunning) return true;
    if (timeoutMs === undefined && signal === undefined) {
      await this.#ended.promise;
      return true;
    }
    const { promise, resolve } = defer<void>();
    const giveUp = (): void => resolve();
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    signal?.addEventListener("abort", giveUp, { once: true });
    if (signal?.aborted === true) giveUp();
    try {
      await Promise.race([promise, this.#ended.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
    return !this.isRunning;
  }

  /** Asks the command and all it has started to end, and kills what has not ended in time. */
  async stop(reason: "killed" | "timed_out" = "killed"): Promise<void> {
    if (!this.isRunning) return;
    this.#isTimedOut ||= reason === "timed_out";
    await this.#call("endSession", { sid: this.pid, graceMs: TERM_GRACE_MS });
    await this.wait();
  }

  /** Ends the command after that time. */
  limitTime(timeoutMs: number, complain: (error: unknown) => void): void {
    const timer = setTimeout(() => {
      this.stop("timed_out").catch(complain);
    }, timeoutMs);
    timer.unref();
    this.#timers.push(timer);
  }

  /** Called for each piece of output from now on; the answer takes it back. */
  onOutput(listener: OutputListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  offOutput(listener: OutputListener): void {
    this.#listeners.delete(listener);
  }

  /** Output of the command has come: it is kept, told, and then acknowledged to the cell. */
  async receive(stream: StreamName, bytes: Uint8Array): Promise<void> {
    const untaken = this.#untaken[stream] + bytes.length;
    if (untaken > STREAM_WINDOW_BYTES) throw this.#cell.distrust("more output than its window");
    this.#untaken[stream] = untaken;
    const kept = (stream === "stdout" ? this.stdout : this.stderr).append(bytes);
    await Promise.all([kept, ...[...this.#listeners].map((listener) => listener(stream, bytes))]);
    this.#untaken[stream] -= bytes.length;
    this.#cell.tell({ type: "credit", exec: this.#exec, stream, bytes: bytes.length });
  }

  addInputCredit(bytes: number): void {
    this.#window = Math.min(STREAM_WINDOW_BYTES, this.#window + bytes);
    this.#windowChanged.resolve();
    this.#windowChanged = defer<void>();
  }

  finish(status: WaitStatus): void {
    if (!this.isRunning) return;
    if (status.kind === "exited")
      this.#end({ state: this.#isTimedOut ? "timed_out" : "exited", exitCode: status.code });
    if (status.kind !== "signaled") return;
    const signal = findSignalName(status.signal) ?? String(status.signal);
    this.#end({
      state: this.#isTimedOut ? "timed_out" : "killed",
      exitCode: 128 + status.signal,
      signal,
    });
  }

  /** The VM is gone under the command; `loss` says why. */
  lose(loss: HostError): void {
    if (!this.isRunning) return;
    this.#loss = loss;
    this.#end({ state: "lost" });
  }

  /** Fails with VM_LOST or VM_DESTROYED when the VM has ended under the command. */
  requireKept(): void {
    if (this.#loss !== undefined) throw this.#loss;
  }

  /** Gives up the logs; head and tail of the output stay. */
  async discard(): Promise<void> {
    this.#isDiscarded = true;
    await this.stdout.close();
    await this.stderr.close();
  }

  get isDiscarded(): boolean {
    return this.#isDiscarded;
  }

  /** A command, or a whole VM, that has ended meanwhile needs nothing more. */
  async #call<M extends CellMethod>(method: M, params: CellMethods[M]["params"]): Promise<void> {
    try {
      await this.#cell.call(method, params);
    } catch (error) {
      if (!isKernelError(error, "ESRCH") && !(error instanceof CellLost)) throw error;
    }
  }

  async #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#feeding.then(step);
    this.#feeding = done.catch(() => undefined);
    await done;
  }

  #end(status: ExecStatus): void {
    this.#status = status;
    this.#isStdinOpen = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#ended.resolve();
  }
}
