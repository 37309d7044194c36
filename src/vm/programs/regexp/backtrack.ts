/**
 * Finds the groups of a match, and matches with back references. Without those a way that failed at
 * a place is not tried there again, so the work is at most text times instructions; with them the
 * steps are counted. Too many are a RegExpTooComplexError.
 */

import { codeAt, RAW, utf8Length } from "./characters.ts";
import { RegExpTooComplexError } from "./errors.ts";
import type { Instruction, RegExpProgram } from "./program.ts";
import {
  holds,
  kindAfter,
  kindBefore,
  NO_TEXT,
  type Text,
  type TextStyle,
} from "./surroundings.ts";

/** Steps of one search with back references: about a second. */
const STEPS_LIMIT = 10_000_000;
/** Bits to remember which way was tried where. */
const MEMORY_BITS_LIMIT = 2 ** 28;

const NONE_TRIED = new Uint32Array(0);

export interface BacktrackOptions {
  readonly style: TextStyle;
  readonly hasBackReferences: boolean;
  readonly ignoreCase: boolean;
}

export class Backtracker {
  readonly #list: readonly Instruction[];
  readonly #options: BacktrackOptions;
  #tried = NONE_TRIED;
  #slots: Int32Array;
  /** Pairs of what to do when the way fails: instruction and place, or minus a slot less one. */
  readonly #later: number[] = [];
  #text = NO_TEXT;
  #at = 0;
  #next = 0;
  #left = 0;

  constructor(program: RegExpProgram, options: BacktrackOptions) {
    this.#list = program.list;
    this.#options = options;
    this.#slots = new Int32Array(program.slotCount);
  }

  /** Starts counting steps anew. */
  beginText(): void {
    this.#left = STEPS_LIMIT;
  }

  /** The slots of the match from `start` to `end`; a view the next call overwrites. */
  groups(text: Text, start: number, end: number): Int32Array {
    if (this.#options.hasBackReferences) this.beginText();
    else this.#forget(end - start);
    this.#run(text, start, end);
    this.#slots[0] = start;
    this.#slots[1] = end;
    return this.#slots;
  }

  /** The end of the longest match from `start` on; -1 where there is none. */
  longest(text: Text, start: number): number {
    return this.#run(text, start, undefined);
  }

  #forget(length: number): void {
    const bits = this.#list.length * (length + 1);
    if (bits > MEMORY_BITS_LIMIT) throw new RegExpTooComplexError();
    const words = (bits >>> 5) + 1;
    if (words > this.#tried.length) this.#tried = new Uint32Array(words * 2);
    else this.#tried.fill(0, 0, words);
  }

  #run(text: Text, start: number, wanted: number | undefined): number {
    this.#text = text;
    this.#slots.fill(-1);
    this.#later.length = 0;
    this.#at = start;
    this.#next = 0;
    let best = -1;
    const length = wanted === undefined ? text.end - start : wanted - start;
    const limit = start + length;
    for (;;) {
      const instruction = this.#list[this.#next];
      let isGood = false;
      if (instruction === undefined || instruction.op === "match") {
        best = Math.max(best, this.#at);
        if (wanted === this.#at || best === text.end) return best;
      } else {
        isGood = this.#take(instruction, start, limit);
      }
      if (!isGood && !this.#goBack()) return best;
    }
  }

  #take(instruction: Exclude<Instruction, { op: "match" }>, start: number, limit: number): boolean {
    this.#spend();
    const here = this.#next;
    this.#next += 1;
    switch (instruction.op) {
      case "set":
        return this.#takeCharacter(instruction, limit);
      case "split":
        if (this.#wasTried(here, start, limit)) return false;
        this.#later.push(instruction.second, this.#at);
        this.#next = instruction.first;
        return true;
      case "jump":
        this.#next = instruction.to;
        return true;
      case "save":
        this.#later.push(-instruction.slot - 1, this.#slots[instruction.slot] ?? -1);
        this.#slots[instruction.slot] = this.#at;
        return true;
      case "advanced":
        return this.#slots[instruction.slot] !== this.#at;
      case "assert": {
        const { style } = this.#options;
        const before = kindBefore(this.#text, this.#at, style);
        return holds(instruction.sign, before, kindAfter(this.#text, this.#at, style));
      }
      case "back":
        return this.#takeAgain(instruction.index, limit);
    }
  }

  #spend(): void {
    if (!this.#options.hasBackReferences) return;
    this.#left -= 1;
    if (this.#left < 0) throw new RegExpTooComplexError();
  }

  #takeCharacter({ set }: Extract<Instruction, { op: "set" }>, limit: number): boolean {
    if (this.#at >= limit) return false;
    const { bytes, end } = this.#text;
    const first = bytes[this.#at] ?? 0;
    if (first < 128 || !this.#options.style.isUtf8) {
      if (!set.has(first)) return false;
      this.#at += 1;
      return true;
    }
    const length = utf8Length(bytes, this.#at, end);
    const code = length === 0 ? RAW + first : codeAt(bytes, this.#at, length);
    if (!set.has(code)) return false;
    this.#at += Math.max(1, length);
    return true;
  }

  #wasTried(here: number, start: number, limit: number): boolean {
    if (this.#options.hasBackReferences) return false;
    const bit = here * (limit - start + 1) + this.#at - start;
    const word = this.#tried[bit >>> 5] ?? 0;
    if ((word & (1 << (bit & 31))) !== 0) return true;
    this.#tried[bit >>> 5] = word | (1 << (bit & 31));
    return false;
  }

  #takeAgain(group: number, limit: number): boolean {
    const from = this.#slots[group * 2] ?? -1;
    const to = this.#slots[group * 2 + 1] ?? -1;
    if (from === -1 || to === -1 || this.#at + to - from > limit) return false;
    const { bytes } = this.#text;
    for (let place = from; place < to; place++) {
      if (!this.#isSame(bytes[place] ?? 0, bytes[this.#at + place - from] ?? 0)) return false;
    }
    this.#at += to - from;
    return true;
  }

  #isSame(one: number, other: number): boolean {
    if (one === other) return true;
    const isLetter = (one | 32) >= 97 && (one | 32) <= 122;
    return this.#options.ignoreCase && isLetter && (one ^ other) === 32;
  }

  /** To the last way that was put off; false where there is none. */
  #goBack(): boolean {
    for (;;) {
      const value = this.#later.pop();
      const target = this.#later.pop();
      if (value === undefined || target === undefined) return false;
      if (target >= 0) {
        this.#next = target;
        this.#at = value;
        return true;
      }
      this.#slots[-target - 1] = value;
    }
  }
}
