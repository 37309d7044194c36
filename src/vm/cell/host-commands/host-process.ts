import {
  encodeText,
  errnoWords,
  type Image,
  isKernelError,
  type Kernel,
  type KernelError,
  ProcessEnded,
  type Sys,
  signals,
} from "../../../kernel/index.ts";
import type {
  CommandEvents,
  CommandFed,
  CommandMethod,
  CommandMethods,
  CommandNews,
  CommandSettings,
} from "../../wire/command-requests.ts";
import type { BrokerReply } from "../../wire/requests.ts";
import type { ServerRequests } from "../server-requests.ts";
import { type CommandStarts, encodeStart } from "./command-starts.ts";
import { ProcessInput } from "./process-input.ts";
import { ProcessOutput } from "./process-output.ts";
import { ProcessSignals } from "./process-signals.ts";
import { RawTerminal } from "./raw-terminal.ts";
import { findTerminal, sizeOf } from "./terminal-size.ts";

export interface HostProcessParts {
  readonly name: string;
  readonly image: Image;
  readonly sys: Sys;
  readonly kernel: Kernel;
  readonly requests: ServerRequests;
  readonly starts: CommandStarts;
}

/** As a shell has it: what cannot be run, and what there is none of. */
const CANNOT_RUN = 126;
const NOT_FOUND = 127;

type Events = { readonly value: CommandEvents; readonly body: Uint8Array };

/** A process whose body is at the host: carries its streams, signals and end between kernel and server. */
export class HostProcess {
  readonly #parts: HostProcessParts;
  readonly #sys: Sys;
  readonly #run: number;
  readonly #input: ProcessInput;
  readonly #output: ProcessOutput;
  readonly #signals: ProcessSignals;
  readonly #news: CommandNews[] = [];
  #terminal: RawTerminal | undefined;
  #isTelling = false;
  #isCharged = false;
  #isStarted = false;
  #isOver = false;
  #isKilled = false;
  #underWay = 0;

  constructor(parts: HostProcessParts) {
    const { sys, starts } = parts;
    this.#parts = parts;
    this.#sys = sys;
    this.#run = starts.nextRun();
    this.#input = new ProcessInput(sys);
    this.#output = new ProcessOutput(sys, {
      setRaw: async (isRaw) => this.#terminal?.set(isRaw),
      failed: (to, errno) => this.#tell({ type: "failed", to, errno }),
    });
    this.#signals = new ProcessSignals(sys, (name) => this.#handOn(name));
  }

  /** To its exit status. EAGAIN at the limit of host commands, said by the process. */
  async run(): Promise<number> {
    const { limits } = this.#parts.kernel;
    try {
      limits.charge("maxHostCommands");
      this.#isCharged = true;
    } catch (error) {
      return this.#refuse(error);
    }
    try {
      return await this.#perform();
    } finally {
      this.#terminal?.restore();
      this.#isOver = true;
      this.#giveBack();
    }
  }

  /** The process has ended: the host is told, and the terminal is as it was. */
  kill(): void {
    this.#isKilled = true;
    this.#terminal?.restore();
    if (!this.#isStarted || this.#isOver) return;
    this.#supervise(this.#ask("tellCommand", { run: this.#run, news: { type: "gone" } }));
  }

  async #perform(): Promise<number> {
    const mutedBefore = await this.#signals.mutePipe();
    let cwd: string;
    try {
      cwd = await this.#sys.getcwd();
    } catch (error) {
      if (!isKernelError(error)) throw error;
      return this.#complain(`the current directory: ${error.words}`, CANNOT_RUN);
    }
    let started: Events | undefined;
    try {
      started = await this.#start(cwd);
    } catch (error) {
      return this.#refuse(error);
    }
    if (started === undefined) throw new ProcessEnded(0);
    const { end, failed } = await this.#follow(started);
    // From here on nothing is left to tell the host.
    this.#isOver = true;
    this.#terminal?.restore();
    const isBroken = "signal" in end ? end.signal === signals.SIGPIPE : failed === "EPIPE";
    if (isBroken && mutedBefore === "default") return this.#signals.die(signals.SIGPIPE);
    if (isBroken || failed !== undefined) {
      return this.#complain(`write error: ${errnoWords(failed ?? "EPIPE")}`, 1);
    }
    return "signal" in end ? this.#signals.die(end.signal) : end.status;
  }

  async #start(cwd: string): Promise<Events | undefined> {
    const { image, name, kernel, starts } = this.#parts;
    const { argv, env } = image;
    const pid = await this.#sys.getpid();
    const process = kernel.processes.find(pid);
    const terminal = await findTerminal(this.#sys);
    if (terminal !== undefined && process !== undefined) {
      this.#terminal = new RawTerminal(this.#sys, process);
      await this.#signals.catchSize();
    }
    const body = encodeStart(cwd, argv, env);
    const params = { run: this.#run, name, pid, words: argv.length, terminal };
    this.#isStarted = true;
    return this.#count(starts.send(params, body, () => !this.#isKilled));
  }

  /** Carries events until the last. `failed` is a write whose failure the host could not have seen. */
  async #follow(started: Events) {
    let { value, body } = started;
    if (value.end === undefined) this.#supervise(this.#feed(value.wantsInput ?? false));
    for (;;) {
      await this.#apply(value);
      const { parts, end } = value;
      const before = this.#output.failureOf("out");
      if (end !== undefined) {
        await this.#output.write(parts, body);
        const after = this.#output.failureOf("out");
        const isOwn = "status" in end && end.status === 0 && before === undefined;
        return { end, failed: isOwn ? after : undefined };
      }
      // The server knows nothing any more of a process that it was told is gone.
      if (this.#isKilled) throw new ProcessEnded(0);
      // The next are on their way while these are written.
      const next = this.#ask("nextCommandEvents", { run: this.#run });
      this.#supervise(next);
      await this.#output.write(parts, body);
      ({ value, body } = await next);
    }
  }

  /** Reads input when the host wants some. */
  async #feed(isWanted: boolean): Promise<void> {
    let wantsInput = isWanted;
    let isOver = false;
    while (!isOver && !this.#isOver && !this.#isKilled) {
      const { bytes, isEnd, errno } = wantsInput ? await this.#input.read() : nothing;
      if (this.#isOver) return;
      const params = { run: this.#run, isEnd, errno };
      const { value } = await this.#ask("feedCommand", params, bytes);
      const fed: CommandFed = value;
      ({ wantsInput, isOver } = fed);
      if (!isOver) await this.#apply(fed);
    }
  }

  async #apply({ listens }: CommandSettings): Promise<void> {
    if (listens) await this.#signals.catchAll();
  }

  #handOn(signal: string): void {
    this.#tell({ type: "signal", signal });
    if (signal === "SIGWINCH" && this.#terminal !== undefined) this.#supervise(this.#tellSize());
  }

  async #tellSize(): Promise<void> {
    const size = await sizeOf(this.#sys);
    if (size !== undefined) this.#tell({ type: "size", size });
  }

  /** One after the other; a signal that waits already, or a size, is told once. */
  #tell(news: CommandNews): void {
    const isSame = (other: CommandNews): boolean =>
      other.type === news.type && (other.type !== "signal" || keyOf(other) === keyOf(news));
    const at = news.type === "failed" ? -1 : this.#news.findIndex(isSame);
    if (at >= 0) this.#news[at] = news;
    else this.#news.push(news);
    if (!this.#isTelling) this.#supervise(this.#tellAll());
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    try {
      for (let news = this.#news.shift(); news !== undefined; news = this.#news.shift()) {
        if (this.#isOver || this.#isKilled) return;
        await this.#ask("tellCommand", { run: this.#run, news });
      }
    } finally {
      this.#isTelling = false;
    }
  }

  #ask<M extends CommandMethod>(
    method: M,
    params: CommandMethods[M]["params"],
    body?: Uint8Array,
  ): Promise<BrokerReply<M>> {
    return this.#count(this.#parts.requests.request(method, params, body));
  }

  /** The place among host commands is given back when nothing is under way any more. */
  async #count<T>(request: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await request;
    } finally {
      this.#underWay -= 1;
      this.#giveBack();
    }
  }

  #giveBack(): void {
    if (!this.#isCharged || !this.#isOver || this.#underWay > 0) return;
    this.#isCharged = false;
    this.#parts.kernel.limits.discharge("maxHostCommands");
  }

  async #refuse(error: unknown): Promise<number> {
    if (!isKernelError(error)) throw error;
    return this.#complain(wordsOf(error), error.errno === "ENOENT" ? NOT_FOUND : CANNOT_RUN);
  }

  async #complain(message: string, status: number): Promise<number> {
    const name = this.#parts.image.argv[0]?.split("/").at(-1) ?? this.#parts.name;
    const line = encodeText(`${name}: ${message}\n`);
    await this.#output.write([{ to: "error", bytes: line.length }], line);
    return status;
  }

  /** What goes on beside the process ends with it. */
  #supervise(work: Promise<unknown>): void {
    work.catch((cause: unknown) => {
      if (cause instanceof ProcessEnded || isKernelError(cause)) return;
      this.#parts.kernel.host.log({ level: "bug", message: "a host command stopped", cause });
    });
  }
}

const nothing: { bytes: Uint8Array; isEnd?: undefined; errno?: undefined } = {
  bytes: new Uint8Array(0),
};

function keyOf(news: CommandNews): string {
  return news.type === "signal" ? news.signal : news.type;
}

function wordsOf(error: KernelError): string {
  return error.errno === "ENOENT" ? "the host has no such command for this VM" : error.words;
}
