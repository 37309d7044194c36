import { findSignalName, findSignalNumber, isKernelError } from "../kernel/index.ts";
import { type Stream, StreamStopped } from "../streams/index.ts";
import { type CellClient, CellLost } from "./broker/cell-client.ts";
import { defer } from "./deferred.ts";
import { HostError } from "./host-error.ts";
import { InputDemand } from "./input-demand.ts";
import type { OutputLog } from "./output-log.ts";
import { checkTerminalSize } from "./terminal-size.ts";
import type { CellMethod, CellParams } from "./wire/cell-methods.ts";
import { parseScreen, parseStatus } from "./wire/from-cell.ts";
import {
  type CommandStatus,
  type ExecRequest,
  execTags,
  type PtyRequest,
  type ScreenView,
  type StreamName,
} from "./wire/messages.ts";

export type ExecState = "running" | "exited" | "killed" | "timed_out" | "lost";

export interface ExecStatus {
  readonly state: ExecState;
  readonly exitCode?: number;
  /** SIGTERM and the like, when a signal ended it. */
  readonly signal?: string;
  /** Once it has ended: the directory it ended in, if that is not the one it was started in. */
  readonly cwd?: string;
}

/** A fork bomb may have a limit end hundreds of processes. */
const NOTICES_KEPT = 4;
/** How long a command may take to end after SIGTERM before it is killed. */
const TERM_GRACE_MS = 2_000;

export interface TerminalSize {
  readonly cols: number | undefined;
  readonly rows: number | undefined;
}

interface ExecParts {
  readonly id: string;
  readonly command: string;
  readonly cell: CellClient;
  readonly stdout: OutputLog;
  readonly stderr: OutputLog;
  readonly hasStdin: boolean;
  readonly pty: PtyRequest | undefined;
  readonly log: (line: string) => void;
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
  readonly #notices: string[] = [];
  #noticesLeftOut = 0;
  readonly #stream: Stream;
  readonly #cell: CellClient;
  readonly #log: (line: string) => void;
  readonly #listeners = new Set<OutputListener>();
  readonly #ended = defer<void>();
  #status: ExecStatus = { state: "running" };
  #isTimedOut = false;
  #loss: HostError | undefined;
  #isDiscarded = false;
  #isStdinOpen: boolean;
  #pty: PtyRequest | undefined;
  #lastScreen: ScreenView | undefined;
  readonly #demand = new InputDemand(() => this.#call("awaitDemand", { stream: this.#stream.id }));
  #timers: NodeJS.Timeout[] = [];

  constructor(parts: ExecParts) {
    this.id = parts.id;
    this.command = parts.command;
    this.stdout = parts.stdout;
    this.stderr = parts.stderr;
    this.#cell = parts.cell;
    this.#log = parts.log;
    this.#isStdinOpen = parts.hasStdin;
    this.#pty = parts.pty;
    this.#stream = parts.cell.streams.open({ hasNoOutput: !parts.hasStdin });
    this.#stream.incoming.consume({
      take: (bytes, tag) => this.#take(bytes, tag),
      ended: () => undefined,
      failed: (error) => parts.log(`output lost: ${String(error)}`),
    });
  }

  /** Called once. Fails as the cell's `exec` does. */
  async start(
    request: Omit<ExecRequest, "stream">,
    text: Uint8Array | undefined,
    onAsked: ((exec: Exec) => void) | undefined,
  ): Promise<void> {
    try {
      const { id: stream } = this.#stream;
      const hasNoStdin = this.#isStdinOpen ? {} : { hasNoStdin: true };
      const asked = this.#cell.call("exec", { stream, ...hasNoStdin, ...request }, text);
      onAsked?.(this);
      this.pid = (await asked).pid;
    } catch (error) {
      this.#stream.close();
      throw error;
    }
  }

  /** Which limits have ended processes of it; of many, the first. */
  get notices(): readonly string[] {
    if (this.#noticesLeftOut === 0) return this.#notices;
    return [...this.#notices, `Limits ended ${this.#noticesLeftOut} more of its processes.`];
  }

  /** A limit has ended one of its processes. */
  notify(text: string): void {
    if (this.#notices.length < NOTICES_KEPT) this.#notices.push(text);
    else this.#noticesLeftOut += 1;
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
   * each whole. What nobody can read is dropped. EXEC_ENDED.
   */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.isStdinOpen) throw new HostError("EXEC_ENDED", { exec: this.id });
    this.#demand.noteSent(bytes.length);
    try {
      await this.#stream.outgoing.write(bytes);
    } catch (error) {
      if (!(error instanceof StreamStopped)) throw error;
      if (!this.isStdinOpen) throw new HostError("EXEC_ENDED", { exec: this.id });
    }
  }

  /** The command reads end of file after what it was given, writes under way included. */
  async closeStdin(): Promise<void> {
    if (!this.isStdinOpen) return;
    this.#isStdinOpen = false;
    await this.#stream.outgoing.finish();
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
    await this.#call("signalExec", { stream: this.#stream.id, signal });
  }

  get isOnTerminal(): boolean {
    return this.#pty !== undefined;
  }

  /** What its terminal shows; after its end, what it showed last. Undefined where no screen is kept. */
  async screen(): Promise<ScreenView | undefined> {
    if (this.#pty?.hasScreen !== true) return undefined;
    if (this.isRunning) {
      const { isKept, body } = await this.#cell.call("screen", { stream: this.#stream.id });
      if (isKept) return parseScreen(body);
      // It is ending: the last of its screen comes before its end.
      await this.wait();
    }
    return this.#lastScreen;
  }

  /** What is not given stays as it is. EXEC_NO_TERMINAL, TERMINAL_SIZE. */
  async resize(size: Partial<TerminalSize>): Promise<void> {
    if (this.#pty === undefined) throw new HostError("EXEC_NO_TERMINAL", { exec: this.id });
    const { cols = this.#pty.cols, rows = this.#pty.rows } = size;
    const pty = { ...this.#pty, cols, rows };
    checkTerminalSize(pty);
    this.#pty = pty;
    if (this.isRunning) await this.#cell.call("resize", { stream: this.#stream.id, cols, rows });
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

  /**
   * Asks the command and all it has started to end, and kills what has not ended in time. Also after its end: then
   * what it has left in the background. What has made a session of its own (setsid) goes on.
   */
  async stop(reason: "killed" | "timed_out" = "killed"): Promise<void> {
    if (this.#loss !== undefined || this.pid === 0) return;
    this.#isTimedOut ||= reason === "timed_out" && this.isRunning;
    await this.#call("endSession", { sid: this.pid, graceMs: TERM_GRACE_MS });
    await this.wait();
  }

  /**
   * Closes the command's terminal, as when its window is closed: what does not ignore SIGHUP ends, what
   * `nohup` or `setsid` has started goes on. Does nothing to a command without a terminal.
   */
  async hangUp(): Promise<void> {
    if (this.isRunning) await this.#call("hangUp", { stream: this.#stream.id });
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

  #finish(status: CommandStatus): void {
    if (!this.isRunning) return;
    const place = status.cwd === undefined ? {} : { cwd: status.cwd };
    if (status.kind === "exited") {
      const state = this.#isTimedOut ? "timed_out" : "exited";
      this.#end({ state, exitCode: status.code, ...place });
    }
    if (status.kind !== "signaled") return;
    this.#end({
      state: this.#isTimedOut ? "timed_out" : "killed",
      exitCode: 128 + status.signal,
      signal: findSignalName(status.signal) ?? String(status.signal),
      ...place,
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

  /** Output has come: it is kept and told. A promise only where the disk or a listener is behind. */
  #take(bytes: Uint8Array, tag: number): void | Promise<void> {
    switch (tag) {
      case execTags.stdout:
        return this.#keep("stdout", bytes);
      case execTags.stderr:
        return this.#keep("stderr", bytes);
      case execTags.screen:
        this.#lastScreen = parseScreen(bytes);
        return;
      case execTags.status: {
        const status = parseStatus(bytes);
        if (status !== undefined) return this.#finish(status);
      }
    }
    throw this.#cell.distrust("output of no kind that there is");
  }

  #keep(stream: StreamName, bytes: Uint8Array): void | Promise<void> {
    const kept = (stream === "stdout" ? this.stdout : this.stderr).append(bytes);
    if (this.#listeners.size === 0) return kept;
    const own = bytes.slice();
    const told = [...this.#listeners].map((listener) => this.#tell(listener, stream, own));
    const pending = [kept, ...told].filter((one) => one !== undefined);
    return pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined);
  }

  /** A listener that fails is the caller's problem, not the command's. */
  #tell(listener: OutputListener, stream: StreamName, bytes: Uint8Array): void | Promise<void> {
    const complain = (error: unknown): void =>
      this.#log(`a listener of output failed: ${String(error)}`);
    try {
      return listener(stream, bytes)?.catch(complain);
    } catch (error) {
      return complain(error);
    }
  }

  /** A command, or a whole VM, that has ended meanwhile needs nothing more. */
  async #call<M extends CellMethod>(method: M, params: CellParams<M>): Promise<void> {
    try {
      await this.#cell.call(method, params);
    } catch (error) {
      if (!isKernelError(error, "ESRCH") && !(error instanceof CellLost)) throw error;
    }
  }

  #end(status: ExecStatus): void {
    this.#status = status;
    this.#isStdinOpen = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#ended.resolve();
  }
}
