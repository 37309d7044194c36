import { setImmediate as turn } from "node:timers/promises";
import { findSignalNumber, isKernelError, KernelError, signals } from "../../../kernel/index.ts";
import {
  cutText,
  describeFailure,
  type HostCommand,
  type HostCommandCall,
  HostCommandError,
  type KilledBySignal,
  type TerminalSize,
} from "../../../toolkit-cli/index.ts";
import { type Deferred, defer } from "../../deferred.ts";
import type {
  CommandEnd,
  CommandEvents,
  CommandFed,
  CommandNews,
  CommandSettings,
} from "../../wire/command-requests.ts";
import { InputAsks } from "./input-asks.ts";
import { OutputQueue } from "./output-queue.ts";
import type { CommandStart } from "./read-start.ts";

export interface CommandRunParts {
  readonly command: HostCommand;
  readonly vm: string;
  readonly pid: number;
  readonly start: CommandStart;
  readonly terminal: TerminalSize | undefined;
  readonly log: (line: string) => void;
}

/** Messages on stderr are cut there. */
const MESSAGE_CHARACTERS = 8 * 1024;

/** One run of a host command: the host's function on one side, the requests of the VM on the other. */
export class CommandRun {
  /** Resolves when the host's function has ended, however late. Never fails. */
  readonly settled: Promise<void>;
  readonly #parts: CommandRunParts;
  readonly #abort = new AbortController();
  readonly #output = new OutputQueue(() => this.#changed());
  readonly #input = new InputAsks(() => this.#changed());
  readonly #signalListeners: ((name: string) => void)[] = [];
  readonly #sizeListeners: ((size: TerminalSize) => void)[] = [];
  #settings: CommandSettings = { listens: false };
  #toldSettings = this.#settings;
  #end: CommandEnd | undefined;
  #change: Deferred<void> | undefined;

  constructor(parts: CommandRunParts) {
    this.#parts = parts;
    this.settled = this.#run();
  }

  /** Whether the VM has been told to read. */
  get isOwedInput(): boolean {
    return this.#input.isOwed;
  }

  /** Waits for output, settings or the end; the first time for a wish for input, too. */
  async next(isStart: boolean): Promise<{ readonly value: CommandEvents; body: Uint8Array }> {
    if (!this.#hasNews(isStart)) {
      while (!this.#hasNews(isStart)) await this.#untilChange();
      // What follows at once goes with it.
      await turn();
    }
    const { parts, body } = this.#output.take();
    const end = this.#output.isEmpty ? this.#end : undefined;
    const wantsInput = isStart && this.#takeWish();
    const value = {
      ...this.#tellSettings(),
      parts,
      ...(wantsInput ? { wantsInput } : {}),
      ...(end === undefined ? {} : { end }),
    };
    return { value, body };
  }

  /** Takes input; waits until more is wanted, a setting has changed, or it is over. */
  async feed(bytes: Uint8Array, isEnd: boolean, errno?: KernelError["errno"]): Promise<CommandFed> {
    if (bytes.length > 0 || isEnd || errno !== undefined) this.#input.feed(bytes, isEnd, errno);
    const hasNews = (): boolean =>
      this.#input.isWanted || this.#hasNewSettings || this.#end !== undefined;
    while (!hasNews()) await this.#untilChange();
    const isOver = this.#end !== undefined;
    const wantsInput = !isOver && this.#takeWish();
    return { ...this.#tellSettings(), wantsInput, isOver };
  }

  tell(news: CommandNews): void {
    switch (news.type) {
      case "signal":
        this.#call(this.#signalListeners, news.signal);
        break;
      case "size":
        this.#call(this.#sizeListeners, news.size);
        break;
      case "failed":
        this.#output.fail(news.to, news.errno);
        break;
      case "gone":
        this.abandon("The process is gone.");
        break;
    }
  }

  /** The process is gone; so is whoever waits for it. What the host's function does meanwhile is its own. */
  abandon(why: string): void {
    this.#output.drop();
    if (this.#end !== undefined) return;
    this.#end = { signal: signals.SIGKILL };
    const reason = new DOMException(why, "AbortError");
    this.#input.abort(reason);
    this.#abort.abort(reason);
    this.#changed();
  }

  async #run(): Promise<void> {
    const end = await this.#perform();
    if (this.#end !== undefined) return;
    await this.#output.settle();
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#output.close();
    this.#input.end();
    this.#changed();
  }

  async #perform(): Promise<CommandEnd> {
    try {
      return readEnd(await this.#parts.command.run(this.#makeCall()));
    } catch (error) {
      if (isKernelError(error, "EPIPE")) return { signal: signals.SIGPIPE };
      if (this.#abort.signal.aborted) return { status: 1 };
      await this.#complain(error);
      return { status: statusOf(error) };
    }
  }

  async #complain(error: unknown): Promise<void> {
    const { start, log, command } = this.#parts;
    // Its message is for whoever sees the terminal afterwards.
    this.#output.setRaw(false);
    const isKernels = isKernelError(error);
    if (!isOwnFailure(error) && !isKernels) log(`${command.name} failed: ${String(error)}`);
    const name = start.argv[0]?.split("/").at(-1) ?? command.name;
    const message = isKernels
      ? error.words
      : cutText(describeFailure(error).message, MESSAGE_CHARACTERS);
    try {
      await this.#output.write("error", Buffer.from(`${name}: ${message}\n`));
    } catch (failure) {
      if (!(failure instanceof KernelError)) throw failure;
    }
  }

  #makeCall(): HostCommandCall {
    const { vm, pid, start, terminal } = this.#parts;
    return {
      vm,
      pid,
      ...start,
      terminal,
      stdin: this.#input,
      writeOut: (bytes) => this.#output.write("out", bytes),
      writeError: (bytes) => this.#output.write("error", bytes),
      onSignal: (listener) => {
        this.#signalListeners.push(listener);
        this.#settings = { listens: true };
        this.#changed();
      },
      onResize: (listener) => {
        this.#sizeListeners.push(listener);
      },
      setRaw: (isRaw) => this.#output.setRaw(isRaw),
      signal: this.#abort.signal,
    };
  }

  #call<T>(listeners: readonly ((value: T) => void)[], value: T): void {
    for (const listener of listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#parts.log(`a listener of ${this.#parts.command.name} failed: ${String(error)}`);
      }
    }
  }

  get #hasNewSettings(): boolean {
    return this.#settings !== this.#toldSettings;
  }

  #tellSettings(): CommandSettings {
    this.#toldSettings = this.#settings;
    return this.#settings;
  }

  #takeWish(): boolean {
    const { isWanted } = this.#input;
    if (isWanted) this.#input.ask();
    return isWanted;
  }

  #hasNews(isStart: boolean): boolean {
    if (this.#end !== undefined || !this.#output.isEmpty || this.#hasNewSettings) return true;
    return isStart && this.#input.isWanted;
  }

  async #untilChange(): Promise<void> {
    this.#change ??= defer();
    await this.#change.promise;
  }

  #changed(): void {
    this.#change?.resolve();
    this.#change = undefined;
  }
}

function readEnd(answer: number | KilledBySignal): CommandEnd {
  if (typeof answer === "number") return { status: checkedStatus(answer) };
  const signal = findSignalNumber(answer.signal);
  if (signal === undefined || signal === 0) {
    throw new HostCommandError(1, `there is no signal "${cutText(String(answer.signal), 40)}"`);
  }
  return { signal };
}

/** What a HostCommandError chose, be it of another copy of this package. */
function statusOf(error: unknown): number {
  if (!isOwnFailure(error)) return 1;
  const status = "status" in error ? Number(error.status) : 1;
  return isStatus(status) ? status : 1;
}

function isOwnFailure(error: unknown): error is Error {
  return error instanceof Error && error.name === "HostCommandError";
}

/** HostCommandError for a number that is no status. */
function checkedStatus(status: number): number {
  if (isStatus(status)) return status;
  throw new HostCommandError(1, `its exit status is ${String(status)}, not 0 to 255`);
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 0 && status <= 255;
}
