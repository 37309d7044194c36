import { findSignalNumber, isKernelError, KernelError, signals } from "../../../kernel/index.ts";
import { LOST, type Stream } from "../../../streams/index.ts";
import {
  cutText,
  describeFailure,
  type HostCommand,
  type HostCommandCall,
  HostCommandError,
  type KilledBySignal,
  type TerminalSize,
} from "../../../toolkit-cli/index.ts";
import type { CommandNews } from "../../wire/broker-methods.ts";
import type { CommandEnd } from "../../wire/messages.ts";
import type { CommandStart } from "./read-start.ts";
import { RunInput } from "./run-input.ts";
import { RunOutput } from "./run-output.ts";

export interface CommandRunParts {
  readonly command: HostCommand;
  readonly vm: string;
  readonly pid: number;
  readonly start: CommandStart;
  readonly terminal: TerminalSize | undefined;
  readonly stream: Stream;
  /** Called once, when nothing more is said to the process. */
  readonly over: () => void;
  readonly log: (line: string) => void;
}

/** Messages on stderr are cut there. */
const MESSAGE_CHARACTERS = 8 * 1024;

/** One run of a host command: the host's function on one side, the process's stream on the other. */
export class CommandRun {
  /** Resolves when the host's function has ended, however late. Never fails. */
  readonly settled: Promise<void>;
  readonly #parts: CommandRunParts;
  readonly #abort = new AbortController();
  readonly #output: RunOutput;
  readonly #input: RunInput;
  readonly #signalListeners: ((name: string) => void)[] = [];
  readonly #sizeListeners: ((size: TerminalSize) => void)[] = [];
  #isOver = false;

  constructor(parts: CommandRunParts) {
    const { outgoing, incoming } = parts.stream;
    this.#parts = parts;
    this.#output = new RunOutput(outgoing);
    this.#input = new RunInput(incoming);
    outgoing.onRoom = () => this.#checkReader();
    this.settled = this.#run();
    this.#checkReader();
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
    }
  }

  /** The process is gone; so is whoever waits for it. What the host's function still does is its own. */
  abandon(why: string): void {
    if (this.#isOver) return;
    const reason = new DOMException(why, "AbortError");
    this.#input.abort(reason);
    this.#finish();
    this.#abort.abort(reason);
  }

  #checkReader(): void {
    const { outgoing, incoming } = this.#parts.stream;
    if (!outgoing.isStopped) return;
    this.abandon(incoming.endValue === LOST ? "The VM is gone." : "The process is gone.");
  }

  async #run(): Promise<void> {
    const end = await this.#perform();
    if (this.#isOver) return;
    this.#input.end();
    await this.#output.end(end);
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.stream.close();
    this.#parts.over();
  }

  async #perform(): Promise<CommandEnd> {
    try {
      const end = readEnd(await this.#parts.command.run(this.#makeCall()));
      return "signal" in end ? end : { ...end, sawFailure: this.#output.hasFailed("out") };
    } catch (error) {
      if (isKernelError(error, "EPIPE")) return { signal: signals.SIGPIPE };
      if (!this.#abort.signal.aborted) await this.#complain(error);
      return { status: statusOf(error), sawFailure: true };
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
        this.#output.listen();
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
}

function readEnd(
  answer: number | KilledBySignal,
): { readonly status: number } | { readonly signal: number } {
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
