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
import { LOST, type Stream, StreamStopped } from "../../../streams/index.ts";
import type { BrokerParams, CommandNews } from "../../wire/broker-methods.ts";
import { type CommandEnd, commandTags } from "../../wire/messages.ts";
import type { ServerRequests } from "../server-requests.ts";
import { encodeStart } from "./encode-start.ts";
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
}

/** As a shell has it: what cannot be run, and what there is none of. */
const CANNOT_RUN = 126;
const NOT_FOUND = 127;

/** A process whose body is at the host: carries its streams, signals and end between kernel and server. */
export class HostProcess {
  readonly #parts: HostProcessParts;
  readonly #sys: Sys;
  readonly #stream: Stream;
  readonly #input: ProcessInput;
  readonly #output: ProcessOutput;
  readonly #signals: ProcessSignals;
  readonly #news: CommandNews[] = [];
  readonly #ended = Promise.withResolvers<CommandEnd>();
  #terminal: RawTerminal | undefined;
  #isTelling = false;
  #isCharged = false;
  #isOver = false;
  /** The host knows of the stream. */
  #isAsked = false;
  #isKilled = false;
  #underWay = 0;

  constructor(parts: HostProcessParts) {
    const { sys, requests } = parts;
    this.#parts = parts;
    this.#sys = sys;
    this.#stream = requests.openStream();
    this.#input = new ProcessInput(sys);
    this.#output = new ProcessOutput(sys, (to, errno) => this.#tell({ type: "failed", to, errno }));
    this.#signals = new ProcessSignals(sys, (name) => this.#handOn(name));
    // A process that is killed before it waits for its end has no use for it.
    this.#ended.promise.catch(() => undefined);
  }

  /** To its exit status. EAGAIN at the limit of host commands, said by the process. */
  async run(): Promise<number> {
    const { limits } = this.#parts.kernel;
    try {
      limits.charge("maxHostCommands");
      this.#isCharged = true;
    } catch (error) {
      this.#closeStream();
      return this.#refuse(error);
    }
    try {
      return await this.#perform();
    } finally {
      this.#terminal?.restore();
      this.#isOver = true;
      this.#closeStream();
      this.#giveBack();
    }
  }

  /** The process has ended: the host is told, and the terminal is as it was. */
  kill(): void {
    this.#isKilled = true;
    this.#terminal?.restore();
    this.#closeStream();
    this.#ended.reject(new ProcessEnded(0));
  }

  #closeStream(): void {
    if (this.#isAsked) this.#stream.close();
    else this.#stream.drop();
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
    this.#followOutput();
    try {
      await this.#start(cwd);
    } catch (error) {
      return this.#refuse(error);
    }
    this.#supervise(this.#feed());
    const end = await this.#ended.promise;
    // From here on nothing is left to tell the host.
    this.#isOver = true;
    this.#terminal?.restore();
    return this.#exit(end, mutedBefore);
  }

  /** The exit status, or the process's death by a signal. */
  async #exit(end: CommandEnd, mutedBefore: string): Promise<number> {
    // A write whose failure the host could not have seen.
    const isUnseen = "status" in end && end.status === 0 && !end.sawFailure;
    const failed = isUnseen ? this.#output.failureOf("out") : undefined;
    const isBroken = "signal" in end ? end.signal === signals.SIGPIPE : failed === "EPIPE";
    if (isBroken && mutedBefore === "default") return this.#signals.die(signals.SIGPIPE);
    if (isBroken || failed !== undefined) {
      return this.#complain(`write error: ${errnoWords(failed ?? "EPIPE")}`, 1);
    }
    return "signal" in end ? this.#signals.die(end.signal) : end.status;
  }

  async #start(cwd: string): Promise<void> {
    const { image, name, kernel, requests } = this.#parts;
    const { argv, env } = image;
    const pid = await this.#sys.getpid();
    const process = kernel.processes.find(pid);
    const terminal = await findTerminal(this.#sys);
    if (terminal !== undefined && process !== undefined) {
      this.#terminal = new RawTerminal(this.#sys, process);
      await this.#signals.catchSize();
    }
    const body = encodeStart(cwd, argv, env);
    const words = argv.length;
    const stream = this.#stream;
    const params = { stream: stream.id, bytes: body.length, name, pid, words, terminal };
    // Nobody tells the server of the end of a process that has ended before.
    if (this.#isKilled) throw new ProcessEnded(pid);
    this.#isAsked = true;
    await this.#count(requests.requestByStream("command.start", params, { body, stream }));
  }

  /** Carries output until the run has ended. */
  #followOutput(): void {
    const { resolve, reject } = this.#ended;
    this.#stream.incoming.consume({
      take: (bytes, tag) => this.#take(bytes.slice(), tag),
      ended: (value) => {
        if (value === LOST) reject(new ProcessEnded(0));
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server ends a run with a CommandEnd
        else resolve(value as CommandEnd);
      },
      failed: reject,
    });
  }

  async #take(bytes: Uint8Array, tag: number): Promise<void> {
    switch (tag) {
      case commandTags.out:
        return this.#output.write("out", bytes);
      case commandTags.error:
        return this.#output.write("error", bytes);
      case commandTags.raw:
        return this.#terminal?.set(bytes.at(-1) === 1);
      case commandTags.listens:
        return this.#signals.catchAll();
    }
  }

  /** Reads input whenever the host asks for some. */
  async #feed(): Promise<void> {
    const { outgoing } = this.#stream;
    for (;;) {
      await outgoing.untilRoom();
      const { bytes, isEnd, errno } = await this.#input.read(outgoing.room);
      if (this.#isOver) return;
      if (bytes.length > 0) outgoing.send(bytes);
      if (errno !== undefined) return outgoing.end({ errno });
      if (isEnd === true) return outgoing.end();
    }
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
        const params: BrokerParams<"command.tell"> = { stream: this.#stream.id, news };
        await this.#count(this.#parts.requests.request("command.tell", params));
      }
    } finally {
      this.#isTelling = false;
    }
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
    await this.#output.write("error", line);
    return status;
  }

  /** What goes on beside the process ends with it. */
  #supervise(work: Promise<unknown>): void {
    work.catch((cause: unknown) => {
      const isOver = cause instanceof ProcessEnded || cause instanceof StreamStopped;
      if (isOver || isKernelError(cause)) return;
      this.#parts.kernel.host.log({ level: "bug", message: "a host command stopped", cause });
    });
  }
}

function keyOf(news: CommandNews): string {
  return news.type === "signal" ? news.signal : news.type;
}

function wordsOf(error: KernelError): string {
  return error.errno === "ENOENT" ? "the host has no such command for this VM" : error.words;
}
