import { isKernelError, O_CLOEXEC, O_RDONLY, type Sys } from "../../../kernel/index.ts";
import { grownSize } from "../memory-limit.ts";
import { errorWords } from "../program.ts";
import { streamOf } from "./containers.ts";
import { JsonParser } from "./json-parser.ts";
import type { Value } from "./value.ts";

const CHUNK_BYTES = 65_536;

export interface InputStyle {
  readonly isRaw: boolean;
  readonly isSlurped: boolean;
  readonly isStream: boolean;
}

/**
 * The values of a program's input, file after file. `take` never waits; where it has nothing, `fill`
 * reads more.
 */
export class Inputs {
  readonly #sys: Sys;
  readonly #files: string[];
  readonly #style: InputStyle;
  readonly #warn: (message: string) => Promise<void>;
  readonly #buffer = new Uint8Array(CHUNK_BYTES);
  readonly #slurped: Value[] = [];
  #decoder = new TextDecoder();
  readonly #parser: JsonParser;
  #fd: number | undefined;
  #name: string | undefined;
  #queue: Value[] = [];
  /** What is taken of the queue. */
  #taken = 0;
  #lines = "";
  #text: string[] = [];
  #textLength = 0;
  #isAtEnd = false;
  /** A file could not be read. */
  hasFailed = false;

  constructor(
    sys: Sys,
    files: readonly string[],
    style: InputStyle,
    warn: (message: string) => Promise<void>,
  ) {
    this.#sys = sys;
    this.#files = files.length === 0 ? ["-"] : [...files];
    this.#style = style;
    this.#warn = warn;
    this.#parser = new JsonParser(style.isSlurped);
  }

  /** What is read, as messages say it: `file:line`. */
  get position(): string {
    if (this.#name === undefined) return "<unknown>";
    return `${this.#name === "-" ? "<stdin>" : this.#name}:${this.line}`;
  }

  get fileName(): Value {
    return this.#name === undefined || this.#name === "-" ? null : this.#name;
  }

  get line(): number {
    return this.#parser.linesRead();
  }

  /** The next value, if it has been read. Fails with a JsonSyntaxError. */
  take(): Value | undefined {
    for (;;) {
      const queued = this.#shift();
      if (queued !== undefined || this.#style.isRaw) return queued;
      const value = this.#parser.next();
      if (value === undefined) return undefined;
      const accepted = this.#accept(value);
      if (accepted !== undefined) return accepted;
    }
  }

  /** Keeps what is slurped; answers what is not. */
  #accept(value: Value): Value | undefined {
    const { isSlurped, isStream } = this.#style;
    if (!isStream && !isSlurped) return value;
    const target = isSlurped ? this.#slurped : this.#queue;
    for (const event of isStream ? streamOf(value) : [value]) target.push(event);
    return this.#shift();
  }

  #shift(): Value | undefined {
    const value = this.#queue[this.#taken++];
    if (this.#taken < this.#queue.length) return value;
    this.#queue = [];
    this.#taken = 0;
    return value;
  }

  /** Reads on; false at the end of all. Fails with a JsonSyntaxError. */
  async fill(): Promise<boolean> {
    if (this.#isAtEnd) return false;
    if (this.#fd === undefined && !(await this.#open())) {
      this.#isAtEnd = true;
      this.#finish();
      return true;
    }
    const fd = this.#fd ?? 0;
    let count: number;
    try {
      count = await this.#sys.read(fd, this.#buffer);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      this.hasFailed = true;
      count = 0;
    }
    if (count > 0) {
      this.#add(this.#decoder.decode(this.#buffer.subarray(0, count), { stream: true }));
      return true;
    }
    this.#add(this.#decoder.decode());
    if (this.#name !== "-") await this.#sys.close(fd);
    this.#fd = undefined;
    return true;
  }

  #add(text: string): void {
    if (!this.#style.isRaw) this.#parser.push(text);
    else if (this.#style.isSlurped) {
      this.#textLength += text.length;
      grownSize(this.#textLength, 0);
      this.#text.push(text);
    } else {
      const lines = (this.#lines + text).split("\n");
      this.#lines = lines.pop() ?? "";
      grownSize(this.#lines.length, 0);
      for (const line of lines) this.#queue.push(line);
    }
  }

  #finish(): void {
    if (this.#style.isRaw) {
      if (this.#style.isSlurped) this.#queue.push(this.#text.join(""));
      else if (this.#lines !== "") this.#queue.push(this.#lines);
      return;
    }
    const last = this.#parser.end();
    const value = last === undefined ? undefined : this.#accept(last);
    if (value !== undefined) this.#queue.splice(this.#taken, 0, value);
    if (this.#style.isSlurped) this.#queue.push(this.#slurped);
  }

  /** Opens the next file that can be; false when there is none. */
  async #open(): Promise<boolean> {
    for (;;) {
      const name = this.#files.shift();
      if (name === undefined) return false;
      if (name === "-" && this.#name === undefined) {
        this.#name = name;
        this.#fd = 0;
        return true;
      }
      try {
        this.#fd = await this.#sys.open(name, O_RDONLY | O_CLOEXEC);
        this.#name = name;
        this.#decoder = new TextDecoder();
        return true;
      } catch (error) {
        if (!isKernelError(error)) throw error;
        this.hasFailed = true;
        await this.#warn(`error: Could not open file ${name}: ${errorWords(error)}`);
      }
    }
  }
}
