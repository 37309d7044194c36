/** Searches one input and prints what grep prints of it. */
import { decodeText, encodeText } from "../../kernel/index.ts";
import { LineBlocks } from "./line-blocks.ts";
import type { LineMatcher } from "./line-matcher.ts";
import type { Run } from "./program.ts";
import {
  countLines,
  isBinary,
  type Line,
  lineAt,
  lineBytes,
  type TextBlock,
} from "./text-block.ts";

export interface SearchOptions {
  readonly isInverted: boolean;
  readonly output: "lines" | "matches" | "count" | "matching-names" | "other-names" | "nothing";
  readonly isNumbered: boolean;
  readonly hasOffset: boolean;
  readonly isNamed: boolean;
  readonly before: number;
  readonly after: number;
  /** Selected lines after which an input is left. */
  readonly most: number;
  readonly binary: "note" | "text" | "skip";
  readonly nameEnd: string | undefined;
  readonly delimiter: number;
  readonly isFlushed: boolean;
}

export class GrepSearch {
  readonly #run: Run;
  readonly #matcher: LineMatcher;
  readonly #options: SearchOptions;
  readonly #delimiter: string;
  #name = "";
  #selected = 0;
  #lineNumber = 0;
  #byteOffset = 0;
  /** Lines kept for leading context. */
  #held: { readonly bytes: Uint8Array; readonly number: number; readonly offset: number }[] = [];
  #trailing = 0;
  #lastPrinted = 0;
  #hasPrinted = false;
  #isBinary = false;
  #ahead = { text: "", index: 0 };

  constructor(run: Run, matcher: LineMatcher, options: SearchOptions) {
    this.#run = run;
    this.#matcher = matcher;
    this.#options = options;
    this.#delimiter = String.fromCharCode(options.delimiter);
  }

  /** Whether one selected line is enough to know the outcome. */
  get isQuiet(): boolean {
    return this.#options.output === "nothing";
  }

  /** Answers whether the input counts as matching. */
  async searchFd(fd: number, name: string): Promise<boolean> {
    this.#start(name);
    const { out, sys } = this.#run;
    const blocks = new LineBlocks(sys, fd, this.#options.delimiter);
    for (let bytes = await blocks.next(); bytes !== undefined; bytes = await blocks.next()) {
      if (!this.#isBinary && this.#options.binary !== "text" && this.#options.delimiter === 10)
        this.#isBinary = isBinary(bytes);
      if (this.#isBinary && this.#options.binary === "skip") return this.#finish();
      const goesOn = this.#searchBlock(bytes);
      if (out.isFull || this.#options.isFlushed) await out.flush();
      if (!goesOn) break;
    }
    return this.#finish();
  }

  #start(name: string): void {
    this.#name = name;
    this.#selected = 0;
    this.#lineNumber = 0;
    this.#byteOffset = 0;
    this.#held = [];
    this.#trailing = 0;
    this.#lastPrinted = 0;
    this.#isBinary = false;
  }

  async #finish(): Promise<boolean> {
    const { out } = this.#run;
    const { output, isNamed, nameEnd } = this.#options;
    const hasMatch = this.#selected > 0;
    if (output === "count") {
      out.addText(`${isNamed ? `${this.#name}${nameEnd ?? ":"}` : ""}${this.#selected}\n`);
    } else if (
      (output === "matching-names" && hasMatch) ||
      (output === "other-names" && !hasMatch)
    ) {
      out.addText(`${this.#name}${nameEnd ?? "\n"}`);
    } else if (this.#isBinary && hasMatch && (output === "lines" || output === "matches")) {
      await out.flush();
      await this.#run.warn(`${this.#name}: binary file matches`);
    }
    return output === "other-names" ? !hasMatch : hasMatch;
  }

  /** Answers whether to go on with the input. */
  #searchBlock(bytes: Uint8Array): boolean {
    const text = decodeText(bytes);
    this.#ahead = { text: "", index: 0 };
    const block: TextBlock = { bytes, text, isAscii: text.length === bytes.length };
    if (this.#isPlain() && block.isAscii && text.endsWith("\n")) return this.#copyBlock(block);
    let at = 0;
    while (at < text.length) {
      const line = this.#nextSelected(block, at);
      if (line === undefined) {
        this.#passOver(block, at, text.length);
        break;
      }
      this.#passOver(block, at, line.start);
      if (!this.#select(block, line)) return false;
      at = line.end + 1;
    }
    this.#byteOffset += bytes.length;
    return true;
  }

  /** Whether lines go out as they are, all of them. */
  #isPlain(): boolean {
    const { output, isNamed, isNumbered, hasOffset, before, after, most, delimiter } =
      this.#options;
    const isBare = !isNamed && !isNumbered && !hasOffset && before === 0 && after === 0;
    return (
      output === "lines" &&
      isBare &&
      most === Number.POSITIVE_INFINITY &&
      delimiter === 10 &&
      !this.#isBinary
    );
  }

  /** Whole stretches of lines at a time: those that match, or those between them. */
  #copyBlock({ bytes, text }: TextBlock): boolean {
    const { out } = this.#run;
    const { isInverted } = this.#options;
    let copied = 0;
    for (let at = 0; at < text.length; ) {
      const match = this.#matcher.find(text, at);
      if (match === undefined || match.index >= text.length) break;
      const start = match.index === 0 ? 0 : text.lastIndexOf("\n", match.index - 1) + 1;
      const end = text.indexOf("\n", match.index) + 1;
      const [from, to] = isInverted ? [copied, start] : [start, end];
      if (to > from) {
        out.add(bytes.subarray(from, to));
        this.#selected += 1;
      }
      copied = end;
      at = end;
    }
    if (isInverted && copied < text.length) {
      out.add(bytes.subarray(copied));
      this.#selected += 1;
    }
    return true;
  }

  #nextSelected(block: TextBlock, from: number): Line | undefined {
    const { text } = block;
    for (let at = from; at < text.length; ) {
      if (this.#options.isInverted) {
        const line = lineAt(text, at, this.#delimiter);
        if (!this.#matches(text, line)) return line;
        at = line.end + 1;
        continue;
      }
      const match = this.#matcher.find(text, at);
      if (match === undefined) return undefined;
      if (match.index >= text.length) {
        return match.index === text.length && !text.endsWith(this.#delimiter)
          ? lineAt(text, match.index, this.#delimiter)
          : undefined;
      }
      return lineAt(text, match.index, this.#delimiter);
    }
    return undefined;
  }

  /** What was found beyond a line is remembered for the lines up to there. */
  #matches(text: string, line: Line): boolean {
    if (this.#ahead.text !== text || this.#ahead.index < line.start) {
      this.#ahead = {
        text,
        index: this.#matcher.find(text, line.start)?.index ?? Number.POSITIVE_INFINITY,
      };
    }
    return this.#ahead.index <= line.end;
  }

  /** Lines that are not selected: counted, kept for leading context, or printed as trailing. */
  #passOver(block: TextBlock, from: number, to: number): void {
    const { text } = block;
    const { before, isNumbered } = this.#options;
    const needsLines = before > 0 || this.#trailing > 0 || this.#hasContext();
    if (!needsLines) {
      if (isNumbered || this.#options.hasOffset)
        this.#lineNumber += countLines(text, from, to, this.#delimiter);
      return;
    }
    for (let at = from; at < to; ) {
      const line = lineAt(text, at, this.#delimiter);
      this.#lineNumber += 1;
      const bytes = lineBytes(block, line);
      if (this.#trailing > 0) {
        this.#trailing -= 1;
        this.#print(bytes, this.#lineNumber, this.#offsetOf(block, line.start), "-");
      } else if (before > 0) {
        this.#held.push({
          bytes: bytes.slice(),
          number: this.#lineNumber,
          offset: this.#offsetOf(block, line.start),
        });
        if (this.#held.length > before) this.#held.shift();
      }
      at = line.end + 1;
    }
  }

  #hasContext(): boolean {
    return this.#options.before > 0 || this.#options.after > 0;
  }

  #select(block: TextBlock, line: Line): boolean {
    const { output, most, after } = this.#options;
    if (this.#selected >= most) return this.#trailing > 0;
    this.#lineNumber += 1;
    this.#selected += 1;
    switch (output) {
      case "nothing":
      case "matching-names":
      case "other-names":
        return false;
      case "count":
        break;
      case "matches":
        if (this.#isBinary) return false;
        if (!this.#options.isInverted) this.#printMatches(block, line);
        break;
      case "lines":
        if (this.#isBinary) return false;
        this.#printSelected(block, line);
        this.#trailing = after;
    }
    return this.#selected < most || this.#trailing > 0;
  }

  #printSelected(block: TextBlock, line: Line): void {
    const firstShown = this.#held[0]?.number ?? this.#lineNumber;
    if (this.#hasContext() && this.#hasPrinted && firstShown > this.#lastPrinted + 1)
      this.#run.out.addText("--\n");
    for (const { bytes, number, offset } of this.#held) this.#print(bytes, number, offset, "-");
    this.#held = [];
    this.#print(lineBytes(block, line), this.#lineNumber, this.#offsetOf(block, line.start), ":");
  }

  #printMatches(block: TextBlock, line: Line): void {
    const { text } = block;
    for (let at = line.start; at <= line.end; ) {
      const match = this.#matcher.find(text, at);
      if (match === undefined || match.index > line.end || match.index >= text.length) return;
      if (match.length > 0) {
        const found = lineBytes(block, { start: match.index, end: match.index + match.length });
        this.#print(found, this.#lineNumber, this.#offsetOf(block, match.index), ":");
      }
      at = match.index + Math.max(1, match.length);
    }
  }

  #offsetOf(block: TextBlock, at: number): number {
    if (!this.#options.hasOffset) return 0;
    return this.#byteOffset + (block.isAscii ? at : encodeText(block.text.slice(0, at)).length);
  }

  #print(bytes: Uint8Array, number: number, offset: number, mark: ":" | "-"): void {
    const { out } = this.#run;
    const { isNamed, isNumbered, hasOffset, nameEnd, delimiter } = this.#options;
    if (isNamed) out.addText(`${this.#name}${nameEnd ?? mark}`);
    if (isNumbered) out.addText(`${number}${mark}`);
    if (hasOffset) out.addText(`${offset}${mark}`);
    out.add(bytes);
    out.addByte(delimiter);
    this.#lastPrinted = number;
    this.#hasPrinted = true;
  }
}
