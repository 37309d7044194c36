/** Lines that compare equal get one number, so that comparing two of them costs nothing. */
import type { TextLines } from "./text-lines.ts";

export interface LineRules {
  readonly ignoresCase: boolean;
  /** What of white space makes no difference: none, tabs' widths (-E), trailing (-Z), both, its amount (-b), all of it (-w). */
  readonly whiteSpace: "kept" | "tabs" | "trailing" | "tabs-and-trailing" | "amount" | "all";
  readonly tabSize: number;
}

/** Lines [start, end) of a file. */
export interface LineRange {
  readonly lines: TextLines;
  readonly start: number;
  readonly end: number;
}

/** Bytes [start, end) of a source. */
interface Key {
  readonly source: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const FIRST_SIZE = 1024;

/** Numbers lines from 1 up; equal ones share theirs, across everything that is added. */
export class LineClasses {
  readonly #rules: LineRules;
  readonly #isPlain: boolean;
  #buckets = new Int32Array(FIRST_SIZE);
  /** By class: hash, next class of its bucket, and where the line is that it was first seen as. */
  readonly #hashes: number[] = [0];
  readonly #next: number[] = [0];
  readonly #sources: Uint8Array[] = [new Uint8Array(0)];
  readonly #starts: number[] = [0];
  readonly #ends: number[] = [0];
  #scratch = new Uint8Array(256);
  /** Of last lines without a newline, where these equal no other line. */
  readonly #cut: number[] = [];

  constructor(rules: LineRules) {
    this.#rules = rules;
    this.#isPlain = !rules.ignoresCase && rules.whiteSpace === "kept";
  }

  get count(): number {
    return this.#sources.length;
  }

  /** The classes of the lines; `separatesCut` keeps a line without newline apart. */
  add({ lines, start, end }: LineRange, separatesCut: boolean): Int32Array {
    const classes = new Int32Array(end - start);
    for (let line = start; line < end; line++) {
      const isCut = separatesCut && !lines.hasNewline(line);
      const key = this.#isPlain
        ? { source: lines.bytes, start: lines.start(line), end: lines.end(line) }
        : this.#foldedKey(lines, line);
      classes[line - start] = isCut ? this.#cutClass(key) : this.#classOf(key);
    }
    return classes;
  }

  #cutClass(key: Key): number {
    const known = this.#cut.find((id) => this.#isSame(id, key));
    if (known !== undefined) return known;
    const id = this.#make(0, key);
    this.#cut.push(id);
    return id;
  }

  #classOf(key: Key): number {
    const { source, start, end } = key;
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (source[at] ?? 0), 0x01000193);
    hash ^= hash >>> 15;
    const bucket = (hash >>> 0) & (this.#buckets.length - 1);
    for (let id = this.#buckets[bucket] ?? 0; id !== 0; id = this.#next[id] ?? 0)
      if (this.#hashes[id] === hash && this.#isSame(id, key)) return id;
    const id = this.#make(hash, key);
    this.#next[id] = this.#buckets[bucket] ?? 0;
    this.#buckets[bucket] = id;
    if (this.count > this.#buckets.length) this.#grow();
    return id;
  }

  #isSame(id: number, { source, start, end }: Key): boolean {
    const other = this.#sources[id] ?? source;
    const first = this.#starts[id] ?? 0;
    if ((this.#ends[id] ?? 0) - first !== end - start) return false;
    for (let at = start, place = first; at < end; at++, place++)
      if (source[at] !== other[place]) return false;
    return true;
  }

  #make(hash: number, { source, start, end }: Key): number {
    this.#hashes.push(hash);
    this.#next.push(0);
    this.#sources.push(this.#isPlain ? source : source.slice(start, end));
    this.#starts.push(this.#isPlain ? start : 0);
    this.#ends.push(this.#isPlain ? end : end - start);
    return this.#sources.length - 1;
  }

  #grow(): void {
    const cut = new Set(this.#cut);
    this.#buckets = new Int32Array(this.#buckets.length * 4);
    for (let id = 1; id < this.count; id++) {
      if (cut.has(id)) continue;
      const bucket = ((this.#hashes[id] ?? 0) >>> 0) & (this.#buckets.length - 1);
      this.#next[id] = this.#buckets[bucket] ?? 0;
      this.#buckets[bucket] = id;
    }
  }

  /** What of a line is compared. A view that the next call may overwrite. */
  #foldedKey(lines: TextLines, line: number): Key {
    const folded = this.#foldSpace(lines.text(line));
    if (this.#rules.ignoresCase)
      for (let at = 0; at < folded.length; at++) {
        const byte = folded[at] ?? 0;
        if (byte >= 65 && byte <= 90) folded[at] = byte + 32;
      }
    return { source: folded, start: 0, end: folded.length };
  }

  #foldSpace(text: Uint8Array): Uint8Array {
    const { whiteSpace, tabSize } = this.#rules;
    const most = whiteSpace.startsWith("tabs") ? text.length * tabSize : text.length;
    if (this.#scratch.length < most) this.#scratch = new Uint8Array(most * 2);
    const into = this.#scratch;
    const end = whiteSpace === "kept" || whiteSpace === "tabs" ? text.length : trimmedLength(text);
    let length = 0;
    for (let at = 0; at < end; at++) {
      const byte = text[at] ?? 0;
      if (!isSpace(byte)) into[length++] = byte;
      else if (whiteSpace === "all") continue;
      else if (whiteSpace === "amount") {
        while (at + 1 < end && isSpace(text[at + 1] ?? 0)) at += 1;
        into[length++] = 32;
      } else if (byte === 9 && whiteSpace.startsWith("tabs")) {
        do into[length++] = 32;
        while (length % tabSize !== 0);
      } else into[length++] = byte;
    }
    return into.subarray(0, length);
  }
}

/** isspace(3) in the C locale. */
export function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

function trimmedLength(text: Uint8Array): number {
  let end = text.length;
  while (end > 0 && isSpace(text[end - 1] ?? 0)) end -= 1;
  return end;
}
