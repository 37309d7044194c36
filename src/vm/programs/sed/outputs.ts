import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
  type Sys,
} from "../../../kernel/index.ts";
import { Output } from "../output.ts";
import { errorWords } from "../program.ts";
import { SedError } from "./command.ts";

/** Where lines go. A line that had no newline gets one when another follows. */
export class LineOutput {
  readonly #out: Output;
  readonly #delimiter: number;
  #isOpenLine = false;
  /** A stretch of a block that is still to be copied. */
  #bytes: Uint8Array | undefined;
  #from = 0;
  #to = 0;

  constructor(out: Output, delimiter: number) {
    this.#out = out;
    this.#delimiter = delimiter;
  }

  get isFull(): boolean {
    return this.#out.isFull;
  }

  /** A part of a block with its newline; neighbours are copied as one. */
  addFromBlock(bytes: Uint8Array, start: number, end: number): void {
    if (this.#bytes === bytes && this.#to === start) {
      this.#to = end;
      return;
    }
    this.settle();
    this.#closeLine();
    this.#bytes = bytes;
    this.#from = start;
    this.#to = end;
  }

  addLine(bytes: Uint8Array, hasDelimiter: boolean): void {
    this.settle();
    this.#closeLine();
    this.#out.add(bytes);
    if (hasDelimiter) this.#out.addByte(this.#delimiter);
    else this.#isOpenLine = true;
  }

  /** Bytes as they are. */
  addBytes(bytes: Uint8Array): void {
    this.settle();
    this.#closeLine();
    this.#out.add(bytes);
  }

  /** Copies what is still in a block, which is about to be overwritten. */
  settle(): void {
    if (this.#bytes === undefined) return;
    this.#out.add(this.#bytes.subarray(this.#from, this.#to));
    this.#bytes = undefined;
  }

  async flush(): Promise<void> {
    this.settle();
    await this.#out.flush();
  }

  #closeLine(): void {
    if (this.#isOpenLine) this.#out.addByte(this.#delimiter);
    this.#isOpenLine = false;
  }
}

/** The files of `w`, `W` and `s///w`: each opened once, before the first line is read. */
export class OutputFiles {
  readonly #sys: Sys;
  readonly #delimiter: number;
  readonly #files = new Map<string, LineOutput>();
  readonly #fds: number[] = [];

  constructor(sys: Sys, standard: LineOutput, delimiter: number) {
    this.#sys = sys;
    this.#delimiter = delimiter;
    this.#files.set("/dev/stdout", standard);
    this.#files.set("/dev/stderr", new LineOutput(new Output(sys, 2), delimiter));
  }

  async open(name: string): Promise<void> {
    if (this.#files.has(name)) return;
    try {
      const fd = await this.#sys.open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
      this.#fds.push(fd);
      this.#files.set(name, new LineOutput(new Output(this.#sys, fd), this.#delimiter));
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new SedError(`couldn't open file ${name}: ${errorWords(error)}`, 4);
    }
  }

  get(name: string): LineOutput | undefined {
    return this.#files.get(name);
  }

  /** Copies what is still in blocks. */
  settle(): void {
    for (const file of this.#files.values()) file.settle();
  }

  get isFull(): boolean {
    for (const file of this.#files.values()) if (file.isFull) return true;
    return false;
  }

  async flush(): Promise<void> {
    for (const file of this.#files.values()) await file.flush();
  }

  async close(): Promise<void> {
    await this.flush();
    for (const fd of this.#fds) await this.#sys.close(fd);
  }
}
