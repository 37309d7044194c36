/** awk's arrays. Subscripts that are integers are numbers here, all others texts. */

import { MemoryLimitError } from "../memory-limit.ts";
import { orderKeys } from "./array-order.ts";
import { AwkFatalError } from "./awk-error.ts";
import type { Value } from "./value.ts";

export type Key = string | number;

export interface Cell {
  value: Value;
}

/** What all arrays of a program hold together, in bytes. */
export interface Holding {
  bytes: number;
}

/** An entry of a Map with its cell. */
const ENTRY_BYTES = 104;
/** A third of what a cell may hold in all. */
const HOLDING_LIMIT = 128 * 1024 * 1024;
/** V8 copies shorter parts of a text; a longer one keeps the whole it was cut from. */
const COPIED_LENGTH = 13;

export class AwkArray {
  readonly name: string;
  readonly #holding: Holding;
  readonly #cells = new Map<Key, Cell>();
  /** Nothing in the program used it as an array so far. */
  isUntouched = true;

  constructor(name: string, holding: Holding) {
    this.name = name;
    this.#holding = holding;
  }

  get size(): number {
    return this.#cells.size;
  }

  has(key: Key): boolean {
    return this.#cells.has(key);
  }

  /** Undefined where there is no such element. */
  find(key: Key): Cell | undefined {
    return this.#cells.get(key);
  }

  /** The element, made where it is missing. */
  cell(key: Key): Cell {
    const found = this.#cells.get(key);
    if (found !== undefined) return found;
    const made: Cell = { value: undefined };
    this.isUntouched = false;
    this.#cells.set(typeof key === "string" ? ownText(key) : key, made);
    this.#hold(ENTRY_BYTES + (typeof key === "string" ? key.length : 0));
    return made;
  }

  set(key: Key, value: Value): void {
    const cell = this.cell(key);
    if (typeof value === "string" && value.length > ENTRY_BYTES) {
      const before = typeof cell.value === "string" ? cell.value.length : 0;
      this.#hold(Math.max(0, value.length - before));
    }
    cell.value = value;
  }

  /** The array an element holds, made where it is missing. */
  inner(key: Key): AwkArray {
    const cell = this.cell(key);
    cell.value ??= new AwkArray(`${this.name}["${key}"]`, this.#holding);
    if (cell.value instanceof AwkArray) return cell.value;
    throw new AwkFatalError(`attempt to use scalar \`${this.name}["${key}"]' as an array`);
  }

  delete(key: Key): void {
    this.isUntouched = false;
    const cell = this.#cells.get(key);
    if (cell === undefined) return;
    this.#cells.delete(key);
    const text = typeof cell.value === "string" ? cell.value.length : 0;
    this.#holding.bytes -= ENTRY_BYTES + (text > ENTRY_BYTES ? text : 0);
  }

  clear(): void {
    this.isUntouched = false;
    this.#holding.bytes = Math.max(0, this.#holding.bytes - ENTRY_BYTES * this.#cells.size);
    this.#cells.clear();
  }

  /** The subscripts in gawk's order. */
  keys(): Key[] {
    return orderKeys([...this.#cells.keys()]);
  }

  entries(): IterableIterator<[Key, Cell]> {
    return this.#cells.entries();
  }

  #hold(bytes: number): void {
    this.#holding.bytes += bytes;
    if (this.#holding.bytes > HOLDING_LIMIT) throw new MemoryLimitError();
  }
}

/** A text as a subscript: one that is an integer's is that integer. */
export function textKey(text: string): Key {
  const { length } = text;
  if (length === 0 || length > 15) return text;
  const first = text.charCodeAt(0);
  const start = first === 45 ? 1 : 0;
  const lead = start === 0 ? first : text.charCodeAt(1);
  if (lead < 48 || lead > 57) return text;
  if (lead === 48) return length === 1 ? 0 : text;
  let value = 0;
  for (let at = start; at < length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return text;
    value = value * 10 + digit;
  }
  return start === 1 ? -value : value;
}

/** The text apart from what it was cut out of. */
export function ownText(text: string): string {
  return text.length < COPIED_LENGTH ? text : ` ${text}`.slice(1);
}
