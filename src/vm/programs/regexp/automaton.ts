/**
 * A deterministic automaton over bytes, made from a program as the text asks for it. A state is the
 * set of instructions a match may be at, and what stands before; bytes of a character that is not
 * complete make states of their own.
 */

import { announcedLength, canFollow, codeAt, RAW } from "./characters.ts";
import { RegExpTooComplexError } from "./errors.ts";
import type { RegExpProgram } from "./program.ts";
import { EDGE, holds, KIND_COUNT, kindOf, OTHER, type TextStyle } from "./surroundings.ts";

/** Offsets of states into the table; the first three are no states. */
export const UNKNOWN = 0;
const MATCHED = 256;
export const DEAD = 512;
const FIRST_STATE = 768;

/** States there is room for at first: most patterns of scripts meet one short text. */
const FIRST_COUNT = 8;
const ALL_KINDS = (1 << KIND_COUNT) - 1;
/** States kept: 8 MiB of table. */
const STATE_LIMIT = 8192;
/** Instructions looked at while states are made for one text: some seconds. */
const WORK_LIMIT = 200_000_000;

export interface AutomatonOptions {
  readonly style: TextStyle;
  readonly direction: "forwards" | "backwards";
  /** A match may start anywhere. */
  readonly isFloating: boolean;
  /** Ends lines within the text: a match is MATCHED at once, and after this byte a new one starts. */
  readonly delimiter?: number | undefined;
}

const NO_TABLE = new Int32Array(0);
const NONE_ACCEPTED = new Uint8Array(0);

interface State {
  readonly at: readonly number[];
  readonly before: number;
  /** Bit of each kind of character that may follow a match that ends here. */
  readonly accepts: number;
  readonly closures: (readonly number[] | undefined)[];
  /** Bytes of a character that is not complete, and the state before them. */
  readonly pending: readonly number[];
  readonly base: State | undefined;
}

export class Automaton {
  readonly #program: RegExpProgram;
  readonly #options: AutomatonOptions;
  table = NO_TABLE;
  accepts = NONE_ACCEPTED;
  #states: (State | undefined)[] = [undefined, undefined, undefined];
  readonly #offsets = new Map<string, number>();
  readonly #starts: (number | undefined)[] = [];
  #work = 0;

  constructor(program: RegExpProgram, options: AutomatonOptions) {
    this.#program = program;
    this.#options = options;
  }

  /** The state before a text, by the kind of what stands before it. */
  start(before: number): number {
    const kind = this.#program.hasAssertions ? before : OTHER;
    const known = this.#starts[kind];
    if (known !== undefined) return known;
    const offset = this.#keep(this.#makeState([0], kind));
    this.#starts[kind] = offset;
    return offset;
  }

  /** Work is counted for each text on its own. */
  beginText(): void {
    this.#work = 0;
  }

  /** Makes the entry of the table for a state and a byte. */
  follow(from: number, byte: number): number {
    const state = this.#states[from >> 8];
    if (state === undefined) throw new RegExpTooComplexError();
    const next = this.#onByte(state, byte);
    const isFull = this.#states.length >= STATE_LIMIT;
    if (isFull) this.#forget();
    const offset = typeof next === "number" ? next : this.#keep(next);
    if (!isFull) this.table[from + byte] = offset;
    return offset;
  }

  /** The place at which the first match in a block is known, its end included; -1 without one. */
  find(block: Uint8Array, from: number, to: number): number {
    this.beginText();
    let state = this.start(EDGE);
    let { table } = this;
    for (let at = from; at < to; at++) {
      let next = table[state + (block[at] ?? 0)] ?? UNKNOWN;
      if (next === state) {
        while (at < to && table[state + (block[at] ?? 0)] === state) at += 1;
        if (at >= to) break;
        next = table[state + (block[at] ?? 0)] ?? UNKNOWN;
      }
      if (next < FIRST_STATE) {
        if (next === UNKNOWN) {
          next = this.follow(state, block[at] ?? 0);
          table = this.table;
        }
        if (next === MATCHED) return at;
      }
      state = next;
    }
    return this.acceptsAtEnd(state) ? to : -1;
  }

  /** What a state accepts at the end of the text: bytes that are no character count as they are. */
  acceptsAtEnd(from: number): boolean {
    let state = this.#states[from >> 8];
    if (state === undefined) return from === MATCHED;
    for (const byte of state.pending) {
      const next = this.#step(state.base ?? state, RAW + byte);
      if (typeof next === "number") return next === MATCHED;
      state = next;
    }
    return (state.accepts & (1 << EDGE)) !== 0;
  }

  #forget(): void {
    this.#states = [undefined, undefined, undefined];
    this.#offsets.clear();
    this.#starts.length = 0;
    this.table.fill(0);
  }

  #onByte(state: State, byte: number): State | number {
    const base = state.base ?? state;
    const { delimiter, style } = this.#options;
    if (byte === delimiter) return this.#onDelimiter(state);
    if (style.isUtf8 && (byte >= 128 || state.pending.length > 0)) {
      return this.#options.direction === "forwards"
        ? this.#onUtf8(base, [...state.pending, byte])
        : this.#onUtf8Backwards(base, [...state.pending, byte]);
    }
    return this.#step(base, byte);
  }

  #onDelimiter(state: State): State | number {
    let last = state.base ?? state;
    for (const byte of state.pending) {
      const next = this.#step(last, RAW + byte);
      if (typeof next === "number") return next;
      last = next;
    }
    if ((last.accepts & (1 << EDGE)) !== 0) return MATCHED;
    return this.start(EDGE);
  }

  #onUtf8(base: State, bytes: readonly number[]): State | number {
    const [first = 0, second] = bytes;
    const length = announcedLength(first);
    const isWrong =
      length === 0 ||
      (second !== undefined && length > 1 && !canFollow(first, second)) ||
      bytes.slice(2).some((byte) => (byte & 0xc0) !== 0x80);
    if (!isWrong && bytes.length < length) return makePending(base, bytes);
    if (!isWrong) return this.#step(base, codeAt(bytes, 0, length));
    return this.#feed(this.#step(base, RAW + first), bytes.slice(1));
  }

  #feed(state: State | number, bytes: readonly number[]): State | number {
    let last = state;
    for (const byte of bytes) {
      if (typeof last === "number") return last;
      last = this.#onByte(last, byte);
    }
    return last;
  }

  /** Bytes come from the last to the first. */
  #onUtf8Backwards(base: State, bytes: readonly number[]): State | number {
    const byte = bytes.at(-1) ?? 0;
    const forwards = bytes.toReversed();
    if ((byte & 0xc0) === 0x80 && bytes.length < 4) return makePending(base, bytes);
    const length = announcedLength(byte);
    const isWhole =
      length === bytes.length &&
      (length === 1 || canFollow(byte, forwards[1] ?? 0)) &&
      (byte & 0xc0) !== 0x80;
    if (isWhole) return this.#step(base, codeAt(forwards, 0, length));
    if (length > 1 && length < bytes.length) {
      const stray = bytes.slice(0, bytes.length - length);
      return this.#feed(this.#raw(base, stray), bytes.slice(bytes.length - length));
    }
    if (byte < 0x80) return this.#feed(this.#raw(base, bytes.slice(0, -1)), [byte]);
    return this.#raw(base, bytes);
  }

  #raw(base: State, bytes: readonly number[]): State | number {
    let last: State | number = base;
    for (const byte of bytes) {
      if (typeof last === "number") return last;
      last = this.#step(last, RAW + byte);
    }
    return last;
  }

  #step(state: State, code: number): State | number {
    const { style, delimiter, isFloating } = this.#options;
    const kind = this.#program.hasAssertions ? kindOf(code, style) : OTHER;
    if (delimiter !== undefined && (state.accepts & (1 << kind)) !== 0) return MATCHED;
    const targets: number[] = [];
    for (const at of this.#closure(state, kind)) {
      const instruction = this.#program.list[at];
      if (instruction?.op === "set" && instruction.set.has(code)) targets.push(at + 1);
    }
    if (isFloating && !targets.includes(0)) targets.push(0);
    if (targets.length === 0) return DEAD;
    const next = this.#makeState(targets, kind);
    return delimiter !== undefined && next.accepts === ALL_KINDS ? MATCHED : next;
  }

  #makeState(targets: readonly number[], before: number): State {
    const at = [...new Set(targets)].toSorted((a, b) => a - b);
    const closures: (readonly number[] | undefined)[] = [];
    let accepts = 0;
    const state = { at, before, accepts: 0, closures, pending: [], base: undefined };
    if (!this.#program.hasAssertions) {
      accepts = this.#isMatch(this.#closure(state, OTHER)) ? ALL_KINDS : 0;
    } else {
      for (let kind = 0; kind < KIND_COUNT; kind++)
        if (this.#isMatch(this.#closure(state, kind))) accepts |= 1 << kind;
    }
    return { ...state, accepts };
  }

  #isMatch(closure: readonly number[]): boolean {
    return closure.some((at) => this.#program.list[at]?.op === "match");
  }

  /** Where instructions that take nothing lead to, when a character of that kind follows. */
  #closure(state: State, kind: number): readonly number[] {
    const known = state.closures[kind];
    if (known !== undefined) return known;
    const { list } = this.#program;
    const seen = new Set<number>();
    const stack = state.at.toReversed();
    const found: number[] = [];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const instruction = list[at];
      if (instruction === undefined) continue;
      if (instruction.op === "set" || instruction.op === "match") found.push(at);
      else if (instruction.op === "split") stack.push(instruction.second, instruction.first);
      else if (instruction.op === "jump") stack.push(instruction.to);
      else if (instruction.op !== "assert" || holds(instruction.sign, state.before, kind))
        stack.push(at + 1);
    }
    this.#spend(seen.size + 4);
    state.closures[kind] = found;
    return found;
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work > WORK_LIMIT) throw new RegExpTooComplexError();
  }

  #keep(state: State): number {
    const key = stateKey(state);
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    const index = this.#states.push(state) - 1;
    const offset = index * 256;
    if (offset + 256 > this.table.length) this.#grow();
    this.accepts[index] = state.accepts;
    this.#offsets.set(key, offset);
    return offset;
  }

  #grow(): void {
    const count = this.table.length === 0 ? FIRST_COUNT : (this.table.length >> 8) * 2;
    const table = new Int32Array(count * 256);
    table.set(this.table);
    this.table = table;
    const accepts = new Uint8Array(count);
    accepts.set(this.accepts);
    this.accepts = accepts;
  }
}

function makePending(base: State, pending: readonly number[]): State {
  return { at: [], before: OTHER, accepts: 0, closures: [], pending, base };
}

function stateKey({ at, before, pending, base }: State): string {
  if (base !== undefined) return `${stateKey(base)}+${pending.join(",")}`;
  return String.fromCharCode(before, ...at.slice(0, 30_000)) + at.slice(30_000).join(",");
}
