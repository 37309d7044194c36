/** Leftmost longest matches and their groups, by the automaton over bytes. */
import { LineRegExp } from "../regexp/line-regexp.ts";
import { parsePosix } from "../regexp/parse.ts";
import type { Charset } from "./charset.ts";

export interface Found {
  readonly index: number;
  readonly length: number;
}

export interface FoundGroups extends Found {
  /** The whole match first; undefined for a group that took no part. */
  readonly groups: readonly ({ readonly text: string; readonly index: number } | undefined)[];
}

export class LongestMatch {
  readonly #source: string;
  readonly ignoreCase: boolean;
  readonly #charset: Charset;
  #regExp: LineRegExp | undefined;
  /** The text searched last. */
  #text: string | undefined;
  #bytes: Uint8Array = new Uint8Array(0);

  /** `source` is a POSIX extended regular expression. */
  constructor(source: string, ignoreCase: boolean, charset: Charset) {
    this.#source = source;
    this.ignoreCase = ignoreCase;
    this.#charset = charset;
  }

  find(text: string, from: number): Found | undefined {
    const regExp = this.#search(text, from);
    if (regExp === undefined) return undefined;
    const index = this.#placeOf(regExp.matchStart);
    return { index, length: this.#placeOf(regExp.matchEnd) - index };
  }

  findGroups(text: string, from: number): FoundGroups | undefined {
    const regExp = this.#search(text, from);
    if (regExp === undefined) return undefined;
    const index = this.#placeOf(regExp.matchStart);
    const end = this.#placeOf(regExp.matchEnd);
    const groups: (FoundGroups["groups"][number] | undefined)[] = [
      { text: text.slice(index, end), index },
    ];
    const bytes = this.#bytes;
    const places = regExp.groups({ bytes, start: 0, end: bytes.length });
    for (let group = 1; group <= regExp.groupCount; group++) {
      const start = places[group * 2] ?? -1;
      const stop = places[group * 2 + 1] ?? -1;
      if (start === -1 || stop === -1) {
        groups.push(undefined);
        continue;
      }
      const at = this.#placeOf(start);
      groups.push({ text: text.slice(at, this.#placeOf(stop)), index: at });
    }
    return { index, length: end - index, groups };
  }

  #search(text: string, from: number): LineRegExp | undefined {
    if (this.#text !== text) {
      this.#text = text;
      this.#bytes = this.#charset.encode(text);
    }
    const bytes = this.#bytes;
    const isUtf8 = !this.#charset.isBytes;
    const { ignoreCase } = this;
    this.#regExp ??= new LineRegExp(
      parsePosix(this.#charset.toKernel(this.#source), {
        syntax: "extended",
        flavour: "grep",
        isUtf8,
        ignoreCase,
      }),
      { isUtf8, isMultiline: false, delimiter: 10, ignoreCase },
    );
    const start = this.#isAscii ? from : this.#charset.encode(text.slice(0, from)).length;
    return this.#regExp.search({ bytes, start: 0, end: bytes.length }, start)
      ? this.#regExp
      : undefined;
  }

  get #isAscii(): boolean {
    return this.#charset.isBytes || this.#bytes.length === this.#text?.length;
  }

  /** A place in the bytes as one in the text. */
  #placeOf(byte: number): number {
    return this.#isAscii ? byte : this.#charset.decode(this.#bytes.subarray(0, byte)).length;
  }
}
