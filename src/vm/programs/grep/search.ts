/** Searches one input and prints what grep prints of it. */
import { LineBlocks } from "../line-blocks.ts";
import type { Run } from "../program.ts";
import { isValidUtf8 } from "../regexp/characters.ts";
import type { Text } from "../regexp/surroundings.ts";
import { Context } from "./context.ts";
import { countLines } from "./count-lines.ts";
import type { Matcher } from "./matcher.ts";
import { LinePrinter, type Place, type PrintOptions } from "./printer.ts";

export interface SearchOptions extends PrintOptions {
  readonly output: "lines" | "matches" | "count" | "matching-names" | "other-names" | "nothing";
  readonly before: number;
  readonly after: number;
  /** Selected lines after which an input is left. */
  readonly most: number;
  readonly binary: "note" | "text" | "skip";
  readonly isFlushed: boolean;
  readonly isUtf8: boolean;
}

export interface Input {
  readonly fd: number;
  readonly name: string;
  readonly isNamed: boolean;
  /** Digits of its length. */
  readonly width: number;
  /** Its length, where that is known and it is read from its start. */
  readonly sizeBytes: number | undefined;
}

export class GrepSearch {
  readonly #run: Run;
  readonly #matcher: Matcher;
  readonly #options: SearchOptions;
  readonly #printer: LinePrinter;
  readonly #context: Context;
  readonly #isPlain: boolean;
  #input: Input = { fd: 0, name: "", isNamed: false, width: 0, sizeBytes: undefined };
  #selected = 0;
  #lineNumber = 0;
  /** Bytes before the block. */
  #blockOffset = 0;
  #block: Uint8Array = new Uint8Array(0);
  #isBinary = false;
  /** A line that is no UTF-8 was left out. */
  #isGarbled = false;
  /** Whether the block is UTF-8 throughout. */
  #isBlockText = false;
  /** Where in the block lines that go out as they are start and end. */
  #copyFrom = 0;
  #copyTo = 0;
  /** Bytes up to the end of the line after which an input was left. */
  #leftAt: number | undefined;
  #blocks: LineBlocks | undefined;

  constructor(run: Run, matcher: Matcher, options: SearchOptions) {
    this.#run = run;
    this.#matcher = matcher;
    this.#options = options;
    this.#printer = new LinePrinter(run.out, options);
    this.#context = new Context(options.before, options.after);
    this.#isPlain =
      options.output === "lines" &&
      !options.isNumbered &&
      !options.hasOffset &&
      options.colors === undefined &&
      options.most === Number.POSITIVE_INFINITY &&
      !this.#context.isUsed;
  }

  /** Whether one selected line is enough to know the outcome. */
  get isQuiet(): boolean {
    return this.#options.output === "nothing";
  }

  /** Answers whether the input counts as matching. */
  async search(input: Input): Promise<boolean> {
    this.#begin(input);
    const { out, sys } = this.#run;
    const start = await this.#startOffset(input);
    const { delimiter, most } = this.#options;
    this.#blocks ??= new LineBlocks(sys, input.fd, delimiter);
    const blocks = this.#blocks;
    blocks.begin(input.fd, input.sizeBytes);
    let block = most === 0 ? undefined : await blocks.next();
    for (; block !== undefined; block = await blocks.next()) {
      this.#block = block;
      this.#isBlockText = this.#options.isUtf8 && isValidUtf8(block, 0, block.length);
      if (!this.#checkBinary(block)) break;
      const goesOn = this.#searchBlock(block);
      this.#copyOut();
      this.#blockOffset += block.length;
      if (out.isFull || this.#options.isFlushed) await out.flush();
      if (!goesOn) break;
    }
    if (start !== undefined && this.#leftAt !== undefined)
      await sys.seek(input.fd, start + this.#leftAt, 0);
    return this.#finish();
  }

  /** Of standard input that is a file: what comes behind the last line is left to the next reader. */
  async #startOffset({ fd }: Input): Promise<number | undefined> {
    const { sys } = this.#run;
    if (fd !== 0 || this.#options.most === Number.POSITIVE_INFINITY) return undefined;
    return (await sys.fstat(0)).kind === "file" ? sys.seek(0, 0, 1) : undefined;
  }

  #begin(input: Input): void {
    this.#input = input;
    this.#selected = 0;
    this.#lineNumber = 0;
    this.#blockOffset = 0;
    this.#isBinary = false;
    this.#isGarbled = false;
    this.#leftAt = undefined;
    this.#context.begin();
  }

  /** NULs make a file binary, and end lines in it. False where it is skipped. */
  #checkBinary(block: Uint8Array): boolean {
    const { binary, delimiter } = this.#options;
    if (binary === "text" || delimiter === 0 || block.indexOf(0) === -1) return true;
    this.#isBinary = true;
    for (let at = block.indexOf(0); at !== -1; at = block.indexOf(0, at)) block[at] = delimiter;
    return binary !== "skip";
  }

  async #finish(): Promise<boolean> {
    const { out } = this.#run;
    const { output, nameEnd } = this.#options;
    const { name, isNamed } = this.#input;
    const hasMatch = this.#selected > 0;
    if (output === "count") {
      if (isNamed) this.#printer.name(name, nameEnd ?? ":");
      out.addText(`${this.#selected}\n`);
    } else if (
      (output === "matching-names" && hasMatch) ||
      (output === "other-names" && !hasMatch)
    ) {
      this.#printer.name(name, nameEnd ?? "\n");
    } else if ((this.#isBinary || this.#isGarbled) && hasMatch && this.#printsLines()) {
      if (this.#options.binary === "skip") return false;
      await out.flush();
      await this.#run.warn(`${name}: binary file matches`);
    }
    return hasMatch;
  }

  #printsLines(): boolean {
    return this.#options.output === "lines" || this.#options.output === "matches";
  }

  /** Answers whether to go on with the input. */
  #searchBlock(block: Uint8Array): boolean {
    const { delimiter, isInverted } = this.#options;
    for (let at = 0; at < block.length; ) {
      const found = this.#matcher.findLine(block, at);
      const isNone = found === -1;
      const start = isNone ? block.length : this.#lineStart(block, found);
      const stop = isNone ? block.length : block.indexOf(delimiter, found);
      const end = isNone || stop === -1 ? block.length : stop + 1;
      const isWanted = isInverted
        ? this.#select(at, start) && this.#pass(start, end)
        : this.#pass(at, start) && this.#select(start, end);
      if (!isWanted) return false;
      at = end;
    }
    return true;
  }

  #lineStart(block: Uint8Array, at: number): number {
    const { delimiter } = this.#options;
    let start = at;
    while (start > 0 && block[start - 1] !== delimiter) start -= 1;
    return start;
  }

  /** Lines that are selected. Answers whether to go on. */
  #select(from: number, to: number): boolean {
    if (from === to) return true;
    const { output, most } = this.#options;
    if (output === "count" && most === Number.POSITIVE_INFINITY) {
      this.#selected += countLines(this.#block, { from, to, delimiter: this.#options.delimiter });
      return true;
    }
    if (this.#isPlain && !this.#input.isNamed && !this.#isBinary && this.#isText(from, to)) {
      this.#selected += 1;
      this.#copy(from, to);
      return true;
    }
    return this.#eachLine(from, to, (line) => this.#selectLine(line));
  }

  #isText(from: number, to: number): boolean {
    const { isUtf8, binary } = this.#options;
    if (!isUtf8 || binary === "text" || this.#isBlockText) return true;
    return isValidUtf8(this.#block, from, to);
  }

  #copy(from: number, to: number): void {
    if (this.#copyTo === from && this.#copyTo > this.#copyFrom) {
      this.#copyTo = to;
      return;
    }
    this.#copyOut();
    this.#copyFrom = from;
    this.#copyTo = to;
  }

  #copyOut(): void {
    if (this.#copyTo > this.#copyFrom) {
      const bytes = this.#block.subarray(this.#copyFrom, this.#copyTo);
      this.#run.out.add(bytes);
      if (bytes.at(-1) !== this.#options.delimiter) this.#run.out.addByte(this.#options.delimiter);
    }
    this.#copyFrom = 0;
    this.#copyTo = 0;
  }

  #eachLine(from: number, to: number, step: (line: Text) => boolean): boolean {
    const bytes = this.#block;
    for (let start = from; start < to; ) {
      const stop = bytes.indexOf(this.#options.delimiter, start);
      const end = stop === -1 ? bytes.length : stop;
      if (!step({ bytes, start, end })) return false;
      start = end + 1;
    }
    return true;
  }

  #selectLine(line: Text): boolean {
    const { output, most } = this.#options;
    if (this.#selected++ >= most) return this.#passLine(line) && this.#context.isTrailing;
    this.#lineNumber += 1;
    this.#leftAt = this.#selected >= most ? this.#blockOffset + line.end + 1 : undefined;
    if (output === "count") return this.#selected < most;
    if (!this.#printsLines() || this.#isBinary) return false;
    this.#copyOut();
    if (output === "lines") this.#printSelected(line);
    else if (!this.#options.isInverted) this.#printMatches(line);
    return this.#selected < most || this.#context.isTrailing;
  }

  #place(offset: number): Place {
    const { name, isNamed, width } = this.#input;
    return { name, isNamed, number: this.#lineNumber, offset: this.#blockOffset + offset, width };
  }

  #printSelected(line: Text): void {
    if (!this.#isText(line.start, line.end)) {
      this.#isGarbled = true;
      return;
    }
    if (this.#context.needsSeparator(this.#lineNumber)) this.#printer.separator();
    for (const { text, place } of this.#context.takeHeld())
      this.#printer.line(text, place, "-", this.#matcher);
    this.#printer.line(line, this.#place(line.start), ":", this.#matcher);
    this.#context.printed(this.#lineNumber, true);
  }

  #printMatches(line: Text): void {
    if (this.#context.needsSeparator(this.#lineNumber)) this.#printer.separator();
    this.#context.takeHeld();
    this.#context.printed(this.#lineNumber, true);
    for (let from = line.start; from <= line.end && this.#matcher.search(line, from); ) {
      const { matchStart, matchEnd } = this.#matcher;
      if (matchEnd > matchStart && !this.#isText(matchStart, matchEnd)) this.#isGarbled = true;
      else if (matchEnd > matchStart)
        this.#printer.match(line.bytes.subarray(matchStart, matchEnd), this.#place(matchStart));
      from = Math.max(matchEnd, matchStart + 1);
    }
  }

  /** Lines that are not selected: counted, kept for leading context, or printed as trailing. */
  #pass(from: number, to: number): boolean {
    if (from === to) return true;
    const { isNumbered, most } = this.#options;
    if (!this.#context.isUsed || !this.#printsLines()) {
      if (isNumbered)
        this.#lineNumber += countLines(this.#block, {
          from,
          to,
          delimiter: this.#options.delimiter,
        });
      return this.#selected < most;
    }
    return this.#eachLine(from, to, (line) => this.#passLine(line));
  }

  #passLine(line: Text): boolean {
    this.#lineNumber += 1;
    const context = this.#context;
    if (context.isTrailing && !this.#isBinary) {
      if (this.#options.output === "lines")
        this.#printer.line(line, this.#place(line.start), "-", this.#matcher);
      context.printed(this.#lineNumber, false);
    } else if (this.#selected >= this.#options.most) {
      return false;
    } else {
      context.hold(line, this.#place(line.start));
    }
    return true;
  }
}
