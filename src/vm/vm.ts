/** The handle of one VM: commands, files, processes, and its life in a cell. */
import { EventEmitter } from "node:events";
import { findSignalNumber, type LimitWarning, resolveLimits } from "../kernel/index.ts";
import { askByApproval } from "./approvals/ask-by-approval.ts";
import { bootCell, findSoftware, serveCell, withOwnMounts } from "./boot-cell.ts";
import { type CellAnswer, type CellClient, CellLost } from "./broker/cell-client.ts";
import type { CellPool } from "./broker/cell-pool.ts";
import type { Disk } from "./broker/folders/disk.ts";
import { closeSoftware, type OpenSoftware } from "./broker/software/open-software.ts";
import { GrantedToolkits, policyOf, toolkitsInVm } from "./broker/toolkits/granted-toolkits.ts";
import type { EndedCall, VmAuditRecord } from "./broker/toolkits/tool-audit.ts";
import { describeLoss } from "./describe-loss.ts";
import type { Exec } from "./exec.ts";
import { type ExecOptions, type ExecResult, runToEnd, type SpawnOptions } from "./exec-options.ts";
import { findContradiction } from "./find-contradiction.ts";
import { HostError } from "./host-error.ts";
import { listDecisions, listProcesses } from "./list-by-pages.ts";
import type { DiskSpace } from "./log-space.ts";
import { memoryBytesOf } from "./memory-options.ts";
import {
  type EvaluateOptions,
  type Evaluation,
  evaluateCode,
  type RunOptions,
  runCode,
} from "./run-code.ts";
import { VmAsks } from "./vm-asks.ts";
import { VmAudit } from "./vm-audit.ts";
import { VmExecs } from "./vm-execs.ts";
import { VmFiles } from "./vm-files.ts";
import type { AnswerPermission, VmOptions } from "./vm-options.ts";
import { readTrace, requireCalls, type TracedEvent, type TraceOptions } from "./vm-trace.ts";
import { VmWatches } from "./vm-watches.ts";
import type { CellMethod, CellParams, ProcessInfo } from "./wire/cell-methods.ts";
import type { WatchEvent } from "./wire/from-cell.ts";

export interface VmEvents {
  limitWarning: [LimitWarning];
  /** A limit has ended a process: which, and how to raise it. */
  processEnded: [string];
  /** The VM has stopped, with the reason; its next use starts it anew. */
  lost: [string];
  restarted: [];
  execEnded: [Exec];
  toolCallEnded: [EndedCall];
  destroyed: [];
}

export interface VmParts {
  readonly id: string;
  readonly options: VmOptions;
  /** Where its cell comes from, and another when that is lost. */
  readonly pool: Pick<CellPool, "take">;
  readonly disk: Disk;
  readonly logDirectory: string;
  readonly logSpace: DiskSpace;
  /** Puts the VM's name before each line. */
  readonly log: (line: string) => void;
  readonly forget: () => void;
}

export interface VmInfo {
  readonly id: string;
  readonly state: "running" | "lost" | "destroyed";
  readonly createdAt: number;
  readonly cwd: string;
  readonly restarts: number;
  /** The host process the VM lives in; undefined while it has none. */
  readonly cellPid: number | undefined;
  /** What its cell has now, and what its processes and files may have. */
  readonly memoryBytes: number | undefined;
  readonly memoryLimitBytes: number;
  readonly execs: readonly Exec[];
}

/** Made by `Vms`; lives until it is destroyed or `Vms` is closed. */
export class Vm {
  readonly id: string;
  readonly createdAt = Date.now();
  readonly files: VmFiles;
  /** What its processes know of the host's tools. */
  readonly toolkits: GrantedToolkits;
  readonly #parts: VmParts;
  readonly #events = new EventEmitter<VmEvents>().setMaxListeners(0);
  readonly #execs: VmExecs;
  readonly #watches: VmWatches;
  readonly #asks: VmAsks;
  readonly #audit: VmAudit;
  #cell: Promise<CellClient> | undefined;
  #running: CellClient | undefined;
  #isDestroyed = false;
  /** The last process of a command that had ended itself that a limit ended. */
  #endedInBackground: string | undefined;
  #restarts = 0;
  /** What the VM has lost so far, the newest last; only that is told. */
  #losses = 0;
  #lastLoss: string | undefined;
  #toldLosses = 0;

  constructor(parts: VmParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.files = new VmFiles((method, params, body) => this.#call(method, params, body));
    this.#execs = new VmExecs({
      vm: parts.id,
      logPath: (exec, stream) =>
        `${parts.logDirectory}/${parts.id}-${this.createdAt}-${exec}.${stream}`,
      logSpace: parts.logSpace,
      log: parts.log,
      ended: (exec) => this.#events.emit("execEnded", exec),
    });
    this.toolkits = new GrantedToolkits(toolkitsInVm(parts.options), policyOf(parts.options));
    this.#watches = new VmWatches((method, params) => this.#call(method, params));
    const { maxAuditRecords, maxPendingAsks } = resolveLimits(parts.options.limits ?? {});
    this.#asks = new VmAsks({ answer: answerOf(parts), maxPendingAsks, log: parts.log });
    this.#audit = new VmAudit(maxAuditRecords, (after, limit) =>
      listDecisions((params) => this.#call("audit", params), { after, limit }),
    );
    this.#audit.tools.onEnded((call) => this.#events.emit("toolCallEnded", call));
  }

  /** Boots the VM. Called once by Vms; later starts happen by use. VM_START_FAILED. */
  async start(): Promise<void> {
    await this.#alive();
  }

  info(): VmInfo {
    const state = this.#isDestroyed
      ? "destroyed"
      : this.#running === undefined
        ? "lost"
        : "running";
    return {
      id: this.id,
      state,
      createdAt: this.createdAt,
      cwd: "/home/user",
      restarts: this.#restarts,
      cellPid: this.#running?.pid,
      memoryBytes: this.#running?.residentBytes(),
      memoryLimitBytes: memoryBytesOf(this.#parts.options),
      execs: this.#execs.list(),
    };
  }

  /** Runs a command in the VM's shell and waits for its end. */
  async exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    return runToEnd(this, command, options);
  }

  /** Runs code as a script of its language and waits for its end. */
  async run(code: string, options: RunOptions = {}): Promise<ExecResult> {
    return runCode(this, code, options);
  }

  /** Evaluates JavaScript or TypeScript in the VM and answers its value. VALUE_TOO_LARGE. */
  async evaluate(code: string, options: EvaluateOptions = {}): Promise<Evaluation> {
    return evaluateCode(this, code, options);
  }

  /** Starts a command: text for the shell, or an argv without one. COMMAND_TOO_LONG, EXEC_LIMIT. */
  async spawn(command: string | readonly string[], options: SpawnOptions = {}): Promise<Exec> {
    const cell = await this.#alive();
    return this.#translate(this.#execs.start(cell, command, options), cell);
  }

  findExec(id: string): Exec | undefined {
    return this.#execs.find(id);
  }

  /** EXEC_NOT_FOUND. */
  getExec(id: string): Exec {
    const exec = this.#execs.find(id);
    if (exec === undefined) throw new HostError("EXEC_NOT_FOUND", { vm: this.id, exec: id });
    return exec;
  }

  async processes(): Promise<readonly ProcessInfo[]> {
    return listProcesses((params) => this.#call("processes", params));
  }

  /** Whether a process runs: a command, or what one has left in the background. */
  async isBusy(): Promise<boolean> {
    if (this.#running === undefined) return false;
    if (this.#execs.list().some((exec) => exec.isRunning)) return true;
    return (await this.processes()).some(({ state }) => state !== "zombie");
  }

  /** SIGNAL_UNKNOWN; a KernelError as kill(2). */
  async kill(pid: number, signal = "SIGTERM"): Promise<void> {
    const number = findSignalNumber(signal);
    if (number === undefined) throw new HostError("SIGNAL_UNKNOWN", { signal });
    await this.#call("kill", { pid, signal: number });
  }

  /**
   * What its processes do, call by call, from now until the VM ends, the signal is aborted or the reader stops. A
   * reader that is slow makes them wait. TRACE_CALL_UNKNOWN; a KernelError with ESRCH for a pid that is not there.
   */
  async trace(options: TraceOptions, signal: AbortSignal): Promise<AsyncIterable<TracedEvent>> {
    requireCalls(options.calls);
    const cell = await this.#alive();
    const stream = cell.streams.open();
    try {
      await this.#translate(cell.call("trace", { stream: stream.id, ...options }), cell);
    } catch (error) {
      stream.close();
      throw error;
    }
    return readTrace(stream, signal);
  }

  /** Changes at and in a path, from now until the reader stops. */
  watch(path: string): AsyncIterable<WatchEvent> {
    return this.#watches.watch(path);
  }

  /** The policy's decisions after `after`, oldest first; calls of tools with what became of them. */
  async audit(after = 0, limit = 500): Promise<readonly VmAuditRecord[]> {
    return this.#audit.after(after, limit);
  }

  /** Calls back at each event; the answer takes it back. */
  on<E extends keyof VmEvents>(event: E, listener: (...args: VmEvents[E]) => void): () => void {
    const events: EventEmitter = this.#events;
    events.on(event, listener);
    return () => events.off(event, listener);
  }

  /** How often the VM has lost its files and processes. */
  get losses(): number {
    return this.#losses;
  }

  /** The newest loss, see `#takeLoss`, and what a limit has ended of commands that had ended themselves. */
  takeNotice(seen: number = this.#toldLosses): string | undefined {
    const ended = this.#endedInBackground;
    this.#endedInBackground = undefined;
    const loss = this.#takeLoss(seen);
    const notices = [loss, ended].filter((notice) => notice !== undefined);
    return notices.length === 0 ? undefined : notices.join(" ");
  }

  /** The newest loss since there were `seen` of them; without `seen`, since anybody was last told. */
  #takeLoss(seen: number): string | undefined {
    this.#toldLosses = this.#losses;
    return this.#losses > seen ? this.#lastLoss : undefined;
  }

  /** The VM has lost its files and processes, as this sentence says. */
  noteLoss(sentence: string): void {
    this.#losses += 1;
    this.#lastLoss = sentence;
  }

  /** In which of the settings the VM is not as asked, if in any. */
  findContradiction(asked: VmOptions): string | undefined {
    return findContradiction(asked, this.#parts.options);
  }

  /** Resolves when the cell's process is gone and its memory returned. Again: nothing happens. */
  async destroy(): Promise<void> {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#parts.forget();
    const cell = await this.#cell?.catch(() => undefined);
    await cell?.stop();
    this.#execs.loseAll(new HostError("VM_DESTROYED", { vm: this.id }));
    await this.#execs.discardAll();
    this.#asks.endAll();
    this.#parts.options.approvals?.forgetVm(this.id);
    this.#events.emit("destroyed");
  }

  async #alive(): Promise<CellClient> {
    if (this.#isDestroyed) throw new HostError("VM_DESTROYED", { vm: this.id });
    this.#cell ??= this.#boot();
    try {
      return await this.#cell;
    } catch (cause) {
      this.#cell = undefined;
      if (cause instanceof HostError) throw cause;
      const problem = cause instanceof CellLost ? describeLoss(cause.exit) : String(cause);
      throw new HostError("VM_START_FAILED", { vm: this.id, cause: problem }, { cause });
    }
  }

  async #boot(): Promise<CellClient> {
    const { disk, log } = this.#parts;
    const options = await withOwnMounts(this.#parts.options, this);
    const boot = { hostname: this.id, options, disk, toolAudit: this.#audit.tools, log };
    const software = await findSoftware(boot);
    const cell = await this.#takeCell(software);
    cell.limitMemory(memoryBytesOf(options));
    cell.limitFrames(resolveLimits(options.limits ?? {}));
    const served = serveCell(cell, boot, software);
    cell.exited.then(() => served.close()).catch((error: unknown) => log(String(error)));
    cell.listen({
      request: (request, body) => served.requests.receive(request, body),
      limit: (warning) => this.#events.emit("limitWarning", warning),
      notice: (sid, text) => this.#notify(sid, text),
      ask: (ask, request) =>
        this.#asks.ask(ask, request, {
          reply: (to, answer) => cell.tell({ type: "answer", ask: to, answer }),
          distrust: (what) => void cell.distrust(what),
        }),
      askEnded: (ask) => this.#asks.end(ask),
      watchEvents: (watch, events) => {
        if (!this.#watches.receive(watch, events)) cell.distrust("events of no watch");
      },
      log: (level, message) => log(`${level}: ${message}`),
    });
    await bootCell(cell, boot, software);
    if (this.#isDestroyed) {
      await cell.stop();
      throw new HostError("VM_DESTROYED", { vm: this.id });
    }
    this.#running = cell;
    cell.exited
      .then((exit) => this.#lose(cell, describeLoss(exit)))
      .catch((error: unknown) => this.#parts.log(String(error)));
    return cell;
  }

  async #takeCell(software: readonly OpenSoftware[]): Promise<CellClient> {
    try {
      return await this.#parts.pool.take(`VM ${this.id}`);
    } catch (error) {
      await closeSoftware(software);
      throw error;
    }
  }

  /** A limit has ended a process: its command says so; where that has ended, the next one does. */
  #notify(sid: number, text: string): void {
    const exec = this.#execs.findSession(sid);
    if (exec !== undefined) exec.notify(text);
    else this.#endedInBackground = text;
    this.#events.emit("processEnded", text);
  }

  #lose(cell: CellClient, cause: string): void {
    if (this.#running !== cell) return;
    this.#running = undefined;
    this.#cell = undefined;
    this.#audit.restart();
    this.#execs.loseAll(this.#lossError(cause));
    this.#asks.endAll();
    this.#watches.endAll();
    if (this.#isDestroyed) return;
    this.#restarts += 1;
    this.noteLoss(
      `The VM "${this.id}" had stopped: ${cause}. It has started anew; its processes and files are gone.`,
    );
    this.#parts.log(`lost: ${cause}`);
    this.#events.emit("lost", cause);
  }

  async #call<M extends CellMethod>(
    method: M,
    params: CellParams<M>,
    body?: Uint8Array,
  ): Promise<CellAnswer<M>> {
    const cell = await this.#alive();
    return this.#translate(cell.call(method, params, body), cell);
  }

  /** A cell that is lost under a call becomes an error that says so. */
  async #translate<T>(call: Promise<T>, cell: CellClient): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof CellLost)) throw error;
      throw this.#lossError(describeLoss(await cell.exited), { cause: error });
    }
  }

  #lossError(cause: string, options?: ErrorOptions): HostError {
    if (this.#isDestroyed) return new HostError("VM_DESTROYED", { vm: this.id }, options);
    return new HostError("VM_LOST", { vm: this.id, cause }, options);
  }
}

function answerOf({ id, options }: VmParts): AnswerPermission | undefined {
  const { onPermissionRequest, approvals } = options;
  return (
    onPermissionRequest ?? (approvals === undefined ? undefined : askByApproval(id, approvals))
  );
}
