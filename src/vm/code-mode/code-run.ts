/** One run of code in a VM, from its start until its answer is taken. */
import type { Exec } from "../exec.ts";
import { Capture } from "../exec-options.ts";
import { HostError } from "../host-error.ts";
import { describeEnd } from "../run-code.ts";
import type { Vm } from "../vm.ts";
import { CallLog, type CallSummary } from "./call-log.ts";
import { evaluateCommand, Journal } from "./journal.ts";
import type { EvaluationError } from "./parse-journal.ts";
import type { TypeProblem } from "./type-check.ts";

export interface CodeOptions {
  /** Both are tried where it is not said. */
  readonly language?: "javascript" | "typescript" | undefined;
  readonly cwd?: string | undefined;
  /** Ends the run after that time, also while it waits for approvals. An hour at most. */
  readonly timeoutMs?: number | undefined;
  /** Called for each piece of what the code prints. */
  readonly onOutput?: (bytes: Uint8Array) => void;
}

/** What there is to tell of a run, at its end or before. */
export interface CodeResult {
  readonly status: "running" | "completed" | "error" | "timeout";
  /** The value as JSON has it. */
  readonly value?: unknown;
  readonly error?: EvaluationError;
  /** What was given to text(), also where the code failed later. */
  readonly texts: readonly string[];
  /** What it printed. */
  readonly logs: string;
  /** Whether logs were left out. */
  readonly truncated: boolean;
  /** What the author should know: what became of a value, what was not checked. */
  readonly notes: readonly string[];
  readonly calls: CallSummary;
}

/** A run that nobody waits for ends then; waiting for approvals counts. */
export const RUN_LIMIT_MS = 60 * 60_000;
const LOGS_LIMIT_BYTES = 1024 * 1024;

/**
 * A process that waits for its code: made while the code is checked, so that the two take their time together. It is
 * given the code by `begin`, or ended by `discard`.
 */
export class CodeRun {
  readonly id: string;
  readonly vm: Vm;
  readonly exec: Exec;
  readonly #journal: Journal;
  readonly #logs: Capture;
  readonly #calls = new CallLog();
  readonly #notes: string[] = [];
  #syntax: readonly TypeProblem[] = [];

  private constructor(vm: Vm, exec: Exec, journal: Journal, logs: Capture) {
    this.vm = vm;
    this.exec = exec;
    this.id = `${vm.id}/${exec.id}`;
    this.#journal = journal;
    this.#logs = logs;
  }

  static async create(vm: Vm, code: string, options: CodeOptions): Promise<CodeRun> {
    const logs = new Capture(LOGS_LIMIT_BYTES);
    const exec = await vm.spawn(evaluateCommand, {
      hasStdin: true,
      title: code,
      timeoutMs: Math.min(options.timeoutMs ?? RUN_LIMIT_MS, RUN_LIMIT_MS),
      onOutput: (_stream, bytes) => {
        logs.append(bytes.slice());
        options.onOutput?.(bytes);
      },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    return new CodeRun(vm, exec, new Journal(vm, "user"), logs);
  }

  get isRunning(): boolean {
    return this.exec.isRunning;
  }

  /** Gives the process its code. `notes` are told with the result, `syntax` where it does not compile. */
  async begin(
    code: string,
    language: CodeOptions["language"],
    told: { readonly notes: readonly string[]; readonly syntax: readonly TypeProblem[] },
  ): Promise<void> {
    this.#notes.push(...told.notes);
    this.#syntax = told.syntax;
    const stop = this.vm.on("toolCallEnded", (call) => {
      if (call.pid === this.exec.pid) this.#calls.add(call);
    });
    this.exec
      .wait()
      .finally(stop)
      .catch(() => undefined);
    await this.#feed(this.#journal.request({ code, language, isCodeMode: true }));
  }

  /** Ends a process that has got no code. */
  async discard(): Promise<void> {
    await this.#feed("");
  }

  /** A process that has ended takes nothing: its result says how it ended. */
  async #feed(request: string): Promise<void> {
    try {
      await this.exec.write(new TextEncoder().encode(request));
      await this.exec.closeStdin();
    } catch (error) {
      if (this.exec.isRunning || !(error instanceof HostError)) throw error;
    }
  }

  /** Ends it after that time. */
  limitTime(timeoutMs: number): void {
    // It cannot be ended where the VM is gone, which its result says.
    this.exec.limitTime(timeoutMs, () => undefined);
  }

  /** Ends it, because nobody wants its result any more. */
  async stop(): Promise<void> {
    await this.exec.stop();
  }

  /** Fails with VM_LOST or VM_DESTROYED where the VM has ended under it. */
  async result(): Promise<CodeResult> {
    this.exec.requireKept();
    const status = this.exec.status();
    const isOver = status.state !== "running";
    const { texts, outcome } = isOver ? await this.#journal.take() : await this.#journal.read();
    const common = {
      texts,
      logs: new TextDecoder().decode(this.#logs.bytes()),
      truncated: this.#logs.isCut,
      notes: [...this.#notes, ...(outcome?.notes ?? [])],
      calls: this.#calls.summary(),
    };
    if (!isOver) return { status: "running", ...common };
    if (status.state === "timed_out") return { status: "timeout", ...common };
    if (outcome === undefined) {
      const { exitCode = 0, signal } = status;
      const error = describeEnd({ exitCode, ...(signal === undefined ? {} : { signal }) });
      return { status: "error", error, ...common };
    }
    const { status: end, value, error } = outcome;
    if (error !== undefined) return { status: end, error: this.#placed(error), ...common };
    return { status: end, ...(value === undefined ? {} : { value }), ...common };
  }

  /** V8 does not say where code does not parse; TypeScript does. */
  #placed(error: EvaluationError): EvaluationError {
    const [problem] = this.#syntax;
    if (error.name !== "SyntaxError" || problem === undefined) return error;
    const { line, column, message, source } = problem;
    const { stack: _, ...rest } = error;
    return {
      ...rest,
      message: `${error.message} (line ${line}, column ${column}: ${message})\n  ${line} | ${source}`,
    };
  }
}
