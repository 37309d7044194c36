import { Automaton, DEAD, UNKNOWN } from "./automaton.ts";
import { Backtracker } from "./backtrack.ts";
import { utf8Length } from "./characters.ts";
import { RegExpTooComplexError } from "./errors.ts";
import { isAt, LatinText, type RequiredLiteral, requiredLiteral } from "./literal.ts";
import { makeProgram } from "./program.ts";
import {
  EDGE,
  isSameText,
  kindAfter,
  kindBefore,
  NO_TEXT,
  type Text,
  type TextStyle,
} from "./surroundings.ts";
import type { Node, Tree } from "./tree.ts";

export interface LineRegExpOptions extends TextStyle {
  /** Ends lines in a block. */
  readonly delimiter: number;
  readonly ignoreCase: boolean;
}

/** A text that may be a part of a block of lines, which does not change. */
interface BlockText extends Text {
  readonly isBlock?: boolean;
}

const ANY_KIND = 15;
const MISSES_LIMIT = 200;
/** Bytes looked at in search of the ends of matches of one text: some seconds. */
const SCAN_LIMIT = 300_000_000;

/** Of a search backwards, bytes that are looked at from every place. */
const SHORT_SCAN = 16;

/**
 * A POSIX regular expression over bytes: the leftmost match, of those the longest, in time in
 * proportion to the text. Back references meet a limit: a RegExpTooComplexError.
 */
export class LineRegExp {
  readonly groupCount: number;
  readonly #options: LineRegExpOptions;
  readonly #finder: Automaton;
  readonly #root: Node;
  #backwards: Automaton | undefined;
  readonly #forwards: Automaton;
  readonly #backtracker: Backtracker;
  readonly #literal: RequiredLiteral | undefined;
  readonly #hasBackReferences: boolean;
  readonly #hasAssertions: boolean;
  /** Of the last text searched: where a match can start, as marks. */
  #marks: Uint8Array = NO_TEXT.bytes;
  #text = NO_TEXT;
  #scanned = 0;
  /** Lines with the literal and no match; after many the literal is no help. */
  #misses = 0;
  #isLiteralCommon = false;
  #literalBlock: Uint8Array | undefined;
  #literalAt = 0;
  #aheadBlock: Uint8Array | undefined;
  #ahead = 0;
  readonly #latin = new LatinText();
  /** The last match found. */
  matchStart = 0;
  matchEnd = 0;

  constructor(tree: Tree, options: LineRegExpOptions) {
    const { root, groupCount, hasBackReferences } = tree;
    const style = options;
    this.groupCount = groupCount;
    this.#options = options;
    this.#hasBackReferences = hasBackReferences;
    const program = makeProgram(root, groupCount);
    this.#hasAssertions = program.hasAssertions;
    const { delimiter } = options;
    this.#finder = new Automaton(program, {
      style,
      direction: "forwards",
      isFloating: true,
      delimiter,
    });
    this.#root = root;
    this.#forwards = new Automaton(program, { style, direction: "forwards", isFloating: false });
    const { ignoreCase } = options;
    this.#backtracker = new Backtracker(program, { style, hasBackReferences, ignoreCase });
    this.#literal = requiredLiteral(root);
  }

  /**
   * The first line with a match in a block of lines from a place on, which starts a line: a place in
   * it or at its end. -1 where there is none.
   */
  findLine(block: Uint8Array, from: number): number {
    if (this.#literal === undefined || this.#isLiteralCommon) {
      const found = this.#findByStates(block, from, block.length);
      return found === block.length && block.at(-1) === this.#options.delimiter ? -1 : found;
    }
    const { bytes, text, isWhole } = this.#literal;
    if (bytes.includes(this.#options.delimiter)) return -1;
    const blockText = this.#latin.of(block);
    for (let at = from; at < block.length; ) {
      const found = blockText.indexOf(text, at);
      if (found === -1 || isWhole) return found;
      const start = found === 0 ? 0 : block.lastIndexOf(this.#options.delimiter, found - 1) + 1;
      const stop = block.indexOf(this.#options.delimiter, found);
      const end = stop === -1 ? block.length : stop;
      if (this.#findByStates(block, start, end) !== -1) return found;
      at = end + 1;
      this.#misses += 1;
      if (this.#misses < MISSES_LIMIT) continue;
      this.#isLiteralCommon = !isWhole;
      return this.findLine(block, Math.min(at, block.length));
    }
    return -1;
  }

  /**
   * Whether there is a match in a text. In a block the next line with a match is remembered, so that
   * lines up to there cost nothing.
   */
  test(text: BlockText): boolean {
    if (text.isBlock !== true) return this.search(text, text.start);
    const { bytes, start, end } = text;
    if (this.#aheadBlock !== bytes || this.#ahead < start) {
      this.#aheadBlock = bytes;
      const found = this.findLine(bytes, start);
      this.#ahead = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#ahead <= end;
  }

  /** False where there is no match for certain: the cheap question before a search. */
  mayMatch(text: BlockText): boolean {
    const literal = this.#literal;
    if (text.isBlock !== true) return true;
    if (literal === undefined || literal.isWhole) return this.test(text);
    const { bytes, start, end } = text;
    if (this.#literalBlock !== bytes || this.#literalAt < start) {
      this.#literalBlock = bytes;
      const found = this.#latin.of(bytes).indexOf(literal.text, start);
      this.#literalAt = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#literalAt < end;
  }

  #findByStates(block: Uint8Array, from: number, to: number): number {
    if (this.#hasBackReferences) return this.#findByLines(block, from, to);
    return this.#finder.find(block, from, to);
  }

  #findByLines(block: Uint8Array, from: number, to: number): number {
    for (let start = from; start < to; ) {
      const stop = block.indexOf(this.#options.delimiter, start);
      const end = stop === -1 || stop > to ? to : stop;
      if (this.search({ bytes: block, start, end }, start)) return end;
      start = end + 1;
    }
    return -1;
  }

  /**
   * Finds the leftmost longest match that starts at `from` or later; `matchStart` and `matchEnd` say
   * where. Searching on in the same text costs only the rest.
   */
  search(text: BlockText, from: number): boolean {
    if (this.#literal?.isWhole === true)
      return this.#searchLiteral(text, from, this.#literal.bytes);
    if (this.#hasBackReferences) return this.#searchBack(text, from);
    if (!isSameText(this.#text, text) || from === text.start) this.#mark(text);
    for (let at = from; at <= text.end; at++) {
      if (this.#marks[at - text.start] !== 1) continue;
      const end = this.#longest(text, at);
      if (end === -1) continue;
      this.matchStart = at;
      this.matchEnd = end;
      return true;
    }
    return false;
  }

  /** Finds the match that starts last before the text's end, and there the longest. */
  searchLast(text: Text): boolean {
    this.#text = NO_TEXT;
    this.#backtracker.beginText();
    for (let at = text.end - 1; at >= text.start; at--) {
      const scanned = this.#scanned;
      const end = this.#hasBackReferences
        ? this.#backtracker.longest(text, at)
        : this.#longest(text, at);
      this.#scanned = Math.max(scanned, this.#scanned - SHORT_SCAN);
      if (end === -1) continue;
      this.matchStart = at;
      this.matchEnd = end;
      return true;
    }
    return false;
  }

  /** The places of the groups of the last match, a start and an end each; -1 where one took no part. */
  groups(text: Text): Int32Array {
    return this.#backtracker.groups(text, this.matchStart, this.matchEnd);
  }

  #searchLiteral(text: BlockText, from: number, literal: Uint8Array): boolean {
    const { bytes, end } = text;
    const first = literal[0] ?? 0;
    const last = end - literal.length;
    const isAhead = text.isBlock === true && bytes === this.#aheadBlock && this.#ahead >= from;
    for (let at = isAhead ? this.#ahead : from; at <= last; at++) {
      if (bytes[at] !== first || !isAt(bytes, at, literal)) continue;
      this.matchStart = at;
      this.matchEnd = at + literal.length;
      return true;
    }
    return false;
  }

  #searchBack(text: Text, from: number): boolean {
    this.#backtracker.beginText();
    const { isUtf8 } = this.#options;
    for (let at = from; at <= text.end; ) {
      const end = this.#backtracker.longest(text, at);
      if (end !== -1) {
        this.matchStart = at;
        this.matchEnd = end;
        return true;
      }
      at += isUtf8 ? Math.max(1, utf8Length(text.bytes, at, text.end)) : 1;
    }
    return false;
  }

  /** Marks every place a match can start at, from the text's end to its start. */
  #mark(text: Text): void {
    const { bytes, start, end } = text;
    const length = end - start + 1;
    if (length > this.#marks.length) this.#marks = new Uint8Array(length * 2);
    else this.#marks.fill(0, 0, length);
    this.#text = text;
    this.#scanned = 0;
    this.#backwards ??= new Automaton(makeProgram(this.#root, this.groupCount, "backwards"), {
      style: this.#options,
      direction: "backwards",
      isFloating: true,
    });
    const automaton = this.#backwards;
    const marks = this.#marks;
    automaton.beginText();
    let state = automaton.start(EDGE);
    for (let at = end; ; at--) {
      const accepts = automaton.accepts[state >> 8] ?? 0;
      if (accepts === ANY_KIND || (accepts !== 0 && this.#canFollow(accepts, text, at)))
        marks[at - start] = 1;
      if (at === start) break;
      const byte = bytes[at - 1] ?? 0;
      const next = automaton.table[state + byte] ?? UNKNOWN;
      state = next === UNKNOWN ? automaton.follow(state, byte) : next;
    }
    if (automaton.acceptsAtEnd(state)) this.#marks[0] = 1;
  }

  /** Whether what stands before a place is what a state at it accepts. */
  #canFollow(accepts: number, text: Text, at: number): boolean {
    return (accepts & (1 << kindBefore(text, at, this.#options))) !== 0;
  }

  /** Whether what stands behind a place is what a state at it accepts. */
  #canPrecede(accepts: number, text: Text, at: number): boolean {
    return (accepts & (1 << kindAfter(text, at, this.#options))) !== 0;
  }

  #longest(text: Text, from: number): number {
    const { bytes, end } = text;
    const automaton = this.#forwards;
    automaton.beginText();
    const before = this.#hasAssertions ? kindBefore(text, from, this.#options) : EDGE;
    let state = automaton.start(before);
    let best = -1;
    let at = from;
    for (; ; at++) {
      const accepts = automaton.accepts[state >> 8] ?? 0;
      if (accepts === ANY_KIND || (accepts !== 0 && this.#canPrecede(accepts, text, at))) best = at;
      if (at === end) break;
      const byte = bytes[at] ?? 0;
      let next = automaton.table[state + byte] ?? UNKNOWN;
      if (next === UNKNOWN) next = automaton.follow(state, byte);
      if (next === DEAD) break;
      state = next;
    }
    this.#scanned += at - from;
    if (this.#scanned > SCAN_LIMIT) throw new RegExpTooComplexError();
    return at === end && automaton.acceptsAtEnd(state) ? end : best;
  }
}
