import { O_CLOEXEC, O_RDONLY, type Sys } from "../../../kernel/index.ts";
import { giveBack } from "../give-back.ts";
import { LineBlocks } from "../line-blocks.ts";
import type { PatternSpace } from "./pattern-space.ts";

export interface InputOptions {
  readonly delimiter: number;
  /** Each file on its own: its lines are counted from 1 and its last line is `$`. */
  readonly isSeparate: boolean;
  /** Takes from a file no more than the line that is needed. */
  readonly isUnbuffered: boolean;
  /** `-` is a file like others. */
  readonly isInPlace: boolean;
  /** Says what is wrong with a file. */
  readonly onFailure: (error: unknown, name: string) => Promise<void>;
  /** A file starts; false leaves it out. */
  readonly onStart: (name: string, fd: number) => Promise<boolean>;
  /** A file that started is at its end. */
  readonly onEnd: (name: string) => Promise<void>;
}

/** The lines of all files, in blocks. Whoever asks for the next line first makes sure it `isKnown`. */
export class SedInput {
  readonly #sys: Sys;
  readonly #options: InputOptions;
  readonly #files: string[];
  #blocks: LineBlocks | undefined;
  #fd = -1;
  #openName = "-";
  #block: Uint8Array = new Uint8Array(0);
  #at = 0;
  #isOver = false;
  /** Of the line read last. */
  lineNumber = 0;
  fileName = "-";
  hasDelimiter = true;

  constructor(sys: Sys, files: readonly string[], options: InputOptions) {
    this.#sys = sys;
    this.#files = [...files];
    this.#options = options;
  }

  /** Whether it is known if there is a next line. */
  get isKnown(): boolean {
    return this.#at < this.#block.length || this.#isOver;
  }

  /** Whether the line read last is the last one, once that is known. */
  get isLast(): boolean {
    return this.#at >= this.#block.length;
  }

  /** Shows the next line, which there is. */
  next(space: PatternSpace): void {
    const { start, end } = this.#take();
    space.show(this.#block, start, end);
  }

  /** Appends the next line, which there is. */
  appendNext(space: PatternSpace): void {
    const { start, end } = this.#take();
    space.append(this.#block.subarray(start, end));
  }

  #take(): { readonly start: number; readonly end: number } {
    const start = this.#at;
    const found = this.#block.indexOf(this.#options.delimiter, start);
    const end = found === -1 ? this.#block.length : found;
    this.hasDelimiter = found !== -1;
    this.#at = end + 1;
    this.lineNumber += 1;
    this.fileName = this.#openName;
    return { start, end };
  }

  /** Reads on until it is known whether there is a next line. The block shown before is gone. */
  async look(): Promise<void> {
    while (!this.isKnown) {
      if (this.#blocks === undefined && !(await this.#open())) {
        this.#isOver = true;
        return;
      }
      const block = await this.#blocks?.next();
      this.#block = block ?? new Uint8Array(0);
      this.#at = 0;
      if (block !== undefined) continue;
      if (this.#options.isSeparate) this.#isOver = true;
      else await this.#close();
    }
  }

  /** Goes on with the next file where each is on its own. */
  async nextFile(): Promise<boolean> {
    await this.stop();
    if (!this.#options.isSeparate || this.#files.length === 0) return false;
    this.#isOver = false;
    this.lineNumber = 0;
    await this.look();
    return true;
  }

  async #open(): Promise<boolean> {
    for (let name = this.#files.shift(); name !== undefined; name = this.#files.shift()) {
      try {
        const isStandard = name === "-" && !this.#options.isInPlace;
        this.#fd = isStandard ? 0 : await this.#sys.open(name, O_RDONLY | O_CLOEXEC);
        this.#openName = name;
        if (await this.#options.onStart(name, this.#fd)) {
          const { delimiter, isUnbuffered } = this.#options;
          this.#blocks = new LineBlocks(this.#sys, this.#fd, delimiter, !isUnbuffered);
          return true;
        }
      } catch (error) {
        await this.#options.onFailure(error, name);
      }
    }
    return false;
  }

  async #close(): Promise<void> {
    const unread = Math.max(0, this.#block.length - this.#at) + (this.#blocks?.unread ?? 0);
    this.#blocks = undefined;
    if (this.#fd > 0) await this.#sys.close(this.#fd);
    else await giveBack(this.#sys, this.#fd, unread);
    this.#fd = -1;
    await this.#options.onEnd(this.#openName);
  }

  /** Closes the file that is read. */
  async stop(): Promise<void> {
    if (this.#blocks !== undefined) await this.#close();
  }
}
