/**
 * The running half of a call: its clock, its abort signal, and the events a handler sends while somebody
 * waits for it. Used by call-tool.ts alone.
 */
import type { ToolCall } from "./call-tool.ts";
import { cutText, describeFailure } from "./describe-failure.ts";
import { ToolError, type ToolEvent, type ToolFailure } from "./tool-event.ts";
import type { ToolContext } from "./toolkit.ts";

/** Events that nobody has read yet; more push the oldest out. */
const WAITING_EVENTS_LIMIT = 64;
const PROGRESS_LIMIT_CHARACTERS = 1024;
const HINTS_LIMIT = 8;
const LOG_LIMIT_CHARACTERS = 8 * 1024;
/** The longest delay of a timer of Node's. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why the signal of a call that came to its end is aborted. One for all: its stack says nothing, and takes long to make. */
const OVER = new ToolError("cancelled", "The call is over.");

export class ToolCallRun {
  readonly context: ToolContext;
  readonly #call: ToolCall;
  readonly #controller = new AbortController();
  #waiting: ToolEvent[] = [];
  #wake: (() => void) | undefined;
  /** Why the call must stop: set once. */
  #stop: ToolError | undefined;
  readonly #timeoutMs: number;
  #remainingMs: number;
  #hints = 0;
  #ended = false;
  #cleanUp: (() => unknown) | undefined;

  constructor(timeoutMs: number, call: ToolCall) {
    this.#call = call;
    this.#timeoutMs = timeoutMs;
    this.#remainingMs = timeoutMs;
    this.context = {
      vm: call.vm,
      pid: call.pid,
      command: call.command,
      signal: this.#controller.signal,
      progress: (message, done, total) => this.#progress(message, done, total),
      hint: (message) => this.#hint(message),
      log: (line) => this.#log(String(line)),
    };
  }

  /** Listens to the caller's signal from now on. */
  begin(): void {
    const { signal } = this.#call;
    signal?.addEventListener("abort", this.cancel, { once: true });
    if (signal?.aborted === true) this.cancel();
  }

  /** Aborts whatever still runs and gives everything back. Ending again does nothing. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#call.signal?.removeEventListener("abort", this.cancel);
    this.#waiting = [];
    this.#controller.abort(this.#stop ?? OVER);
    const cleanUp = this.#cleanUp;
    if (cleanUp === undefined) return;
    Promise.resolve()
      .then(cleanUp)
      .catch((error: unknown) => this.#log(`cleaning up failed: ${describe(error)}`));
  }

  /** What to do at the end of a call that did not come to its own. */
  onEnd(cleanUp: () => unknown): void {
    this.#cleanUp = cleanUp;
  }

  forgetEnd(): void {
    this.#cleanUp = undefined;
  }

  readonly cancel = (): void => {
    if (this.#ended) return;
    this.#halt(new ToolError("cancelled", "The call was cancelled."));
  };

  readonly pending = (approval: string, message: string): void => {
    this.#add({ type: "pending", approval, message: cutText(message, PROGRESS_LIMIT_CHARACTERS) });
  };

  /**
   * Gives the events that come while `work` is under way, then its outcome. Throws as soon as the call
   * must stop, leaving the work behind. Time counts only while the work is waited for, not while the
   * caller is busy with an event.
   */
  async *during<T>(
    work: () => Promise<T>,
    { counts }: { counts: boolean } = { counts: true },
  ): AsyncGenerator<ToolEvent, T> {
    this.#throwIfStopped();
    let outcome: { value: T } | { error: unknown } | undefined;
    const settle = (settled: { value: T } | { error: unknown }): void => {
      outcome = settled;
      if ("error" in settled && this.#ended && settled.error !== this.#stop) {
        this.#log(`failed late: ${describe(settled.error)}`);
      }
      this.#wake?.();
    };
    work().then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    );
    for (;;) {
      yield* this.#take();
      if (outcome !== undefined) break;
      this.#throwIfStopped();
      await this.#news(counts);
    }
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  failure(error: unknown): ToolFailure {
    const failure = describeFailure(this.#stop ?? error);
    if (failure.code === "failed") this.#log(`failed: ${describe(error)}`);
    return failure;
  }

  #throwIfStopped(): void {
    if (this.#stop !== undefined) throw this.#stop;
  }

  *#take(): Generator<ToolEvent> {
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      yield event;
    }
  }

  /** Resolves at the next event, outcome or stop. */
  async #news(counts: boolean): Promise<void> {
    const startedMs = performance.now();
    const timed = counts && this.#remainingMs <= LONGEST_TIMER_MS;
    const timer = timed ? setTimeout(() => this.#expire(), this.#remainingMs) : undefined;
    try {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    } finally {
      this.#wake = undefined;
      clearTimeout(timer);
      if (counts) this.#remainingMs -= performance.now() - startedMs;
    }
  }

  #expire(): void {
    const limit = describeTime(this.#timeoutMs);
    this.#halt(new ToolError("timeout", `The tool took longer than ${limit} and was stopped.`));
  }

  #halt(why: ToolError): void {
    if (this.#stop !== undefined || this.#ended) return;
    this.#stop = why;
    this.#controller.abort(why);
    this.#wake?.();
  }

  #progress(message: string, done?: number, total?: number): void {
    this.#add({
      type: "progress",
      message: cutText(String(message), PROGRESS_LIMIT_CHARACTERS),
      ...(Number.isFinite(done) ? { done: Number(done) } : {}),
      ...(Number.isFinite(total) ? { total: Number(total) } : {}),
    });
  }

  #hint(message: string): void {
    this.#hints += 1;
    if (this.#hints > HINTS_LIMIT) return;
    this.#add({ type: "hint", message: cutText(String(message), PROGRESS_LIMIT_CHARACTERS) });
  }

  #add(event: ToolEvent): void {
    if (this.#ended || this.#stop !== undefined) return;
    if (this.#waiting.length >= WAITING_EVENTS_LIMIT) this.#waiting.shift();
    this.#waiting.push(event);
    this.#wake?.();
  }

  #log(line: string): void {
    this.#call.log?.(cutText(line, LOG_LIMIT_CHARACTERS));
  }
}

function describeTime(timeMs: number): string {
  return timeMs < 1000 ? `${timeMs} ms` : `${Math.round(timeMs / 100) / 10} s`;
}

function describe(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return "something that cannot be shown";
  }
}
