import { encodeText } from "../../../kernel/index.ts";
import type { Output } from "../output.ts";
import { findBreaks, findCut, makeWord, type Word } from "./paragraph.ts";

const TAB = 8;
/** What of a paragraph is held at most. */
const WORD_LIMIT = 998;
const BYTE_LIMIT = 5000;

export interface FmtSettings {
  readonly width: number;
  readonly goal: number;
  readonly isCrown: boolean;
  readonly isTagged: boolean;
  readonly isSplit: boolean;
  readonly isUniform: boolean;
  readonly prefix: string;
}

/** A line before its words: where they start. */
interface Start {
  /** Columns before the prefix. */
  readonly prefixIndent: number;
  readonly column: number;
  /** Of the first byte that is no blank. */
  readonly at: number;
  readonly line: Uint8Array;
  readonly hasEnd: boolean;
}

/** Gathers lines to paragraphs and writes them anew. */
export class Formatting {
  readonly #out: Output;
  readonly #settings: FmtSettings;
  readonly #prefix: Uint8Array;
  readonly #fullLength: number;
  readonly #leadSpace: number;
  #words: Word[] = [];
  #held = 0;
  #firstIndent = 0;
  #otherIndent = 0;
  #prefixIndent = 0;
  #lastLength = 0;
  #isOpen = false;
  /** The second line has said how the others are indented. */
  #isIndentKnown = false;
  #hasTabs = false;
  #column = 0;

  constructor(out: Output, settings: FmtSettings) {
    this.#out = out;
    this.#settings = settings;
    const bare = settings.prefix.replace(/^ +/, "");
    this.#leadSpace = settings.prefix.length - bare.length;
    this.#fullLength = encodeText(bare).length;
    this.#prefix = encodeText(bare.replace(/ +$/, ""));
  }

  add(line: Uint8Array, hasEnd: boolean): void {
    const start = this.#start(line, hasEnd);
    const isPlain = this.#isPlain(start);
    if (this.#isOpen && !this.#continues(start, isPlain)) this.endParagraph();
    if (isPlain) {
      this.#copy(start);
      return;
    }
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#isIndentKnown = false;
      this.#prefixIndent = start.prefixIndent;
      this.#firstIndent = start.column;
      this.#lastLength = 0;
    }
    this.#addWords(start);
    if (this.#settings.isSplit) this.endParagraph();
  }

  endFile(): void {
    if (this.#isOpen) this.endParagraph();
    this.#hasTabs = false;
    this.#otherIndent = 0;
  }

  endParagraph(): void {
    if (!this.#isIndentKnown) this.#setOtherIndent(undefined);
    const last = this.#words.at(-1);
    if (last !== undefined) {
      last.isPeriod = true;
      last.isFinal = true;
      const { next } = this.#breaks();
      this.#writeLines(next, this.#words.length);
    }
    this.#words = [];
    this.#held = 0;
    this.#isOpen = false;
  }

  /** Blank, or without the prefix. */
  #isPlain({ at, line, prefixIndent, column }: Start): boolean {
    return (
      at >= line.length ||
      prefixIndent < this.#prefixIndentWanted() ||
      column < prefixIndent + this.#fullLength
    );
  }

  #prefixIndentWanted(): number {
    return this.#prefix.length === 0 ? 0 : this.#leadSpace;
  }

  /** Whether a line belongs to the paragraph at hand. The second one settles the indent. */
  #continues(start: Start, isPlain: boolean): boolean {
    const isSame = !isPlain && start.prefixIndent === this.#prefixIndent;
    if (!this.#isIndentKnown) {
      this.#setOtherIndent(isSame ? start.column : undefined);
      if (!isSame || this.#settings.isSplit) return false;
      if (this.#settings.isCrown) return true;
      if (this.#settings.isTagged) return start.column !== this.#firstIndent;
    }
    return isSame && start.column === this.#otherIndent;
  }

  /** `column` is that of the second line, if it is of the same paragraph. */
  #setOtherIndent(column: number | undefined): void {
    this.#isIndentKnown = true;
    const { isSplit, isCrown, isTagged } = this.#settings;
    const first = this.#firstIndent;
    if (isSplit) this.#otherIndent = first;
    else if (isCrown) this.#otherIndent = column ?? first;
    else if (isTagged) {
      if (column !== undefined && column !== first) this.#otherIndent = column;
      else if (this.#otherIndent === first) this.#otherIndent = first === 0 ? 3 : 0;
    } else this.#otherIndent = first;
  }

  #start(line: Uint8Array, hasEnd: boolean): Start {
    let { at, column } = this.#skipBlanks(line, 0, 0);
    if (this.#prefix.length === 0)
      return { prefixIndent: Math.min(this.#leadSpace, column), column, at, line, hasEnd };
    const prefixIndent = column;
    for (const byte of this.#prefix) {
      if (line[at] !== byte) return { prefixIndent, column, at, line, hasEnd };
      at += 1;
      column += 1;
    }
    return { prefixIndent, ...this.#skipBlanks(line, at, column), line, hasEnd };
  }

  #skipBlanks(line: Uint8Array, from: number, start: number): { at: number; column: number } {
    let at = from;
    let column = start;
    for (; line[at] === 32 || line[at] === 9; at++) {
      if (line[at] === 9) {
        this.#hasTabs = true;
        column = (Math.floor(column / TAB) + 1) * TAB;
      } else column += 1;
    }
    return { at, column };
  }

  #addWords({ line, at: from, column: start }: Start): void {
    let at = from;
    let column = start;
    while (at < line.length) {
      let end = at;
      while (end < line.length && !isBlank(line[end] ?? 0)) end += 1;
      const word = makeWord(line.slice(at, end));
      column += end - at;
      const behind = this.#skipBlanks(line, end, column);
      word.space = behind.column - column;
      const isLast = behind.at >= line.length;
      word.isFinal = word.isPeriod && (isLast || word.space > 1);
      if (isLast || this.#settings.isUniform) word.space = word.isFinal ? 2 : 1;
      this.#words.push(word);
      this.#held += word.bytes.length;
      at = behind.at === end ? end + 1 : behind.at;
      column = behind.column;
      if (this.#words.length >= WORD_LIMIT || this.#held > BYTE_LIMIT) this.#relieve();
    }
  }

  /** Writes the first part of a paragraph that gets too long. */
  #relieve(): void {
    if (!this.#isIndentKnown) this.#setOtherIndent(this.#firstIndent);
    const breaks = this.#breaks();
    const cut = findCut(breaks, this.#words.length);
    this.#writeLines(breaks.next, cut);
    this.#words = this.#words.slice(cut);
    this.#held = this.#words.reduce((sum, word) => sum + word.bytes.length, 0);
    this.#firstIndent = this.#otherIndent;
  }

  #breaks(): ReturnType<typeof findBreaks> {
    return findBreaks(this.#words, {
      width: this.#settings.width,
      goal: this.#settings.goal,
      firstIndent: this.#firstIndent,
      otherIndent: this.#otherIndent,
      lastLength: this.#lastLength,
    });
  }

  #writeLines(next: Int32Array, end: number): void {
    let indent = this.#firstIndent;
    for (let at = 0; at < end; at = next[at] ?? end) {
      this.#writeLine(this.#words.slice(at, next[at]), indent);
      indent = this.#otherIndent;
    }
  }

  #writeLine(words: readonly Word[], indent: number): void {
    this.#column = 0;
    this.#space(this.#prefixIndent);
    this.#out.add(this.#prefix);
    this.#column += this.#prefix.length;
    this.#space(indent - this.#column);
    for (const [at, word] of words.entries()) {
      this.#out.add(word.bytes);
      this.#column += word.bytes.length;
      if (at < words.length - 1) this.#space(word.space);
    }
    this.#lastLength = this.#column;
    this.#out.addByte(10);
  }

  #space(columns: number): void {
    const target = this.#column + columns;
    const tabTarget = Math.floor(target / TAB) * TAB;
    if (this.#hasTabs && this.#column + 1 < tabTarget) {
      while (this.#column < tabTarget) {
        this.#out.addByte(9);
        this.#column = (Math.floor(this.#column / TAB) + 1) * TAB;
      }
    }
    for (; this.#column < target; this.#column++) this.#out.addByte(32);
  }

  /** A line that is in no paragraph. */
  #copy({ line, at, column, prefixIndent, hasEnd }: Start): void {
    this.#column = 0;
    const isBlankLine = at >= line.length;
    if (column > prefixIndent || !isBlankLine) {
      this.#space(prefixIndent);
      for (let place = 0; this.#column < column && place < this.#prefix.length; place++) {
        this.#out.addByte(this.#prefix[place] ?? 0);
        this.#column += 1;
      }
      if (!isBlankLine) this.#space(column - this.#column);
    }
    this.#out.add(line.subarray(at));
    if (hasEnd || (isBlankLine && column >= prefixIndent + this.#prefix.length && column > 0))
      this.#out.addByte(10);
  }
}

function isBlank(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}
