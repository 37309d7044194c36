/** How lines compare, by their numbers: what a key is worth is kept in columns beside the lines. */
import { decodeText, encodeText, type Sys } from "../../../kernel/index.ts";
import { compareVersions } from "../compare-versions.ts";
import { keyEnd, keyStart, type SortKey, skipBlanks } from "./keys.ts";
import type { SortLines } from "./lines.ts";
import {
  type KeyValue,
  kindsOf,
  type SortOrder,
  type ValueKind,
  valueOf,
  wholeLineSign,
} from "./order.ts";

/** Lines looked at between two yields. */
const YIELD_LINES = 16_384;
/** Bytes of a text that fit a double exactly. */
const PREFIX_BYTES = 6;
/** Digits that fit a double exactly. */
const EXACT_DIGITS = 15;

type Compare = (a: number, b: number) => number;

export async function makeCompare(sys: Sys, lines: SortLines, order: SortOrder): Promise<Compare> {
  const sign = wholeLineSign(order);
  if (sign !== undefined) {
    const compareLines = (await wholeLines(sys, lines)).compare;
    return sign === 1 ? compareLines : (a, b) => compareLines(b, a);
  }
  const compareKeys = await keys(sys, lines, order);
  if (order.isStable) return compareKeys;
  const { bytes } = lines;
  const compareLines: Compare = (a, b) =>
    compareBytes(bytes, lines.start(a), lines.end(a), { start: lines.start(b), end: lines.end(b) });
  return order.letters.includes("r")
    ? (a, b) => compareKeys(a, b) || compareLines(b, a)
    : (a, b) => compareKeys(a, b) || compareLines(a, b);
}

async function wholeLines(sys: Sys, lines: SortLines): Promise<Column> {
  const column = new SliceColumn(lines);
  for (let line = 0; line < lines.count; line++) {
    if (line % YIELD_LINES === 0) await sys.schedYield();
    column.add(line, lines.start(line), lines.end(line));
  }
  return column;
}

function compareBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  other: { readonly start: number; readonly end: number },
): number {
  const length = Math.min(end - start, other.end - other.start);
  for (let at = 0; at < length; at++) {
    const difference = (bytes[start + at] ?? 0) - (bytes[other.start + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return end - start - (other.end - other.start);
}

/** What one key of every line is worth, from the bytes between two offsets. */
interface Column {
  add(line: number, start: number, end: number): void;
  readonly compare: Compare;
}

async function keys(sys: Sys, lines: SortLines, order: SortOrder): Promise<Compare> {
  const whole: SortKey = {
    start: { field: 1, character: 1, skipsBlanks: order.letters.includes("b") },
    end: undefined,
    letters: order.letters,
  };
  const parts = (order.keys.length === 0 ? [whole] : order.keys).map((key) => ({
    key,
    column: makeColumn(lines, key.letters),
    sign: key.letters.includes("r") ? -1 : 1,
  }));
  const separator = order.separator === undefined ? undefined : encodeText(order.separator)[0];
  const slice = { bytes: lines.bytes, start: 0, end: 0 };
  for (let line = 0; line < lines.count; line++) {
    if (line % YIELD_LINES === 0) await sys.schedYield();
    slice.start = lines.start(line);
    slice.end = lines.end(line);
    for (const { key, column } of parts) {
      const from = keyStart(slice, key, separator);
      column.add(line, from, Math.max(from, keyEnd(slice, key, separator)));
    }
  }
  const [first] = parts;
  if (parts.length === 1 && first !== undefined)
    return first.sign === 1 ? first.column.compare : (a, b) => first.column.compare(b, a);
  return (a, b) => {
    for (const { column, sign } of parts) {
      const difference = column.compare(a, b);
      if (difference !== 0) return sign * difference;
    }
    return 0;
  };
}

function makeColumn(lines: SortLines, letters: string): Column {
  if (!/[nhgMVRfdi]/.test(letters)) return new SliceColumn(lines);
  return letters.includes("n") ? new NumericColumn(lines) : new ValuesColumn(lines, letters);
}

function numbers(lines: SortLines): Float64Array {
  lines.charge(lines.count * Float64Array.BYTES_PER_ELEMENT);
  return new Float64Array(lines.count);
}

function offsets(lines: SortLines): Uint32Array {
  lines.charge(lines.count * Uint32Array.BYTES_PER_ELEMENT);
  return new Uint32Array(lines.count);
}

/** Parts of the lines themselves: most differ in the first bytes, which are kept as a number. */
class SliceColumn implements Column {
  readonly #bytes: Uint8Array;
  readonly #prefixes: Float64Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(lines: SortLines) {
    this.#bytes = lines.bytes;
    this.#prefixes = numbers(lines);
    this.#starts = offsets(lines);
    this.#ends = offsets(lines);
  }

  add(line: number, start: number, end: number): void {
    let prefix = 0;
    for (let at = start; at < start + PREFIX_BYTES; at++)
      prefix = prefix * 256 + (at < end ? (this.#bytes[at] ?? 0) : 0);
    this.#prefixes[line] = prefix;
    this.#starts[line] = start;
    this.#ends[line] = end;
  }

  readonly compare = (a: number, b: number): number => {
    const difference = (this.#prefixes[a] ?? 0) - (this.#prefixes[b] ?? 0);
    if (difference !== 0) return difference;
    return compareBytes(this.#bytes, this.#starts[a] ?? 0, this.#ends[a] ?? 0, {
      start: this.#starts[b] ?? 0,
      end: this.#ends[b] ?? 0,
    });
  };
}

/** `-n`: as doubles; what a double cannot hold is read again when it is compared. */
class NumericColumn implements Column {
  readonly #bytes: Uint8Array;
  readonly #values: Float64Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(lines: SortLines) {
    this.#bytes = lines.bytes;
    this.#values = numbers(lines);
    this.#starts = offsets(lines);
    this.#ends = offsets(lines);
  }

  add(line: number, start: number, end: number): void {
    this.#starts[line] = start;
    this.#ends[line] = end;
    const bytes = this.#bytes;
    let at = skipBlanks(bytes, start, end);
    const isNegative = bytes[at] === MINUS && at < end;
    if (isNegative) at += 1;
    const first = at;
    let value = 0;
    for (; at < end && isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] ?? 0) - ZERO;
    const isPlain = at - first <= EXACT_DIGITS && (bytes[at] !== POINT || at >= end);
    this.#values[line] = isPlain ? (isNegative ? -value : value) : Number(this.#exact(line));
  }

  readonly compare = (a: number, b: number): number => {
    const one = this.#values[a] ?? 0;
    const two = this.#values[b] ?? 0;
    if (one !== two) return one < two ? -1 : 1;
    if (Math.abs(one) <= Number.MAX_SAFE_INTEGER) return 0;
    const [exactOne, exactTwo] = [this.#exact(a), this.#exact(b)];
    return exactOne < exactTwo ? -1 : exactOne > exactTwo ? 1 : 0;
  };

  #exact(line: number): KeyValue {
    const text = decodeText(this.#bytes.subarray(this.#starts[line], this.#ends[line]));
    return valueOf("n")(text)[0] ?? 0;
  }
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}

/** Values that are made of a key's text. */
class ValuesColumn implements Column {
  readonly #bytes: Uint8Array;
  readonly #valueOf: (text: string) => KeyValue[];
  readonly #columns: readonly (TextColumn | Float64Array)[];

  constructor(lines: SortLines, letters: string) {
    this.#bytes = lines.bytes;
    this.#valueOf = valueOf(letters);
    this.#columns = kindsOf(letters).map((kind) =>
      kind === "number" ? numbers(lines) : new TextColumn(lines, kind),
    );
  }

  add(line: number, start: number, end: number): void {
    const values = this.#valueOf(decodeText(this.#bytes.subarray(start, end)));
    for (const [at, column] of this.#columns.entries()) {
      const value = values[at] ?? 0;
      if (column instanceof TextColumn) column.add(line, String(value));
      else column[line] = Number(value);
    }
  }

  readonly compare = (a: number, b: number): number => {
    for (const column of this.#columns) {
      const difference =
        column instanceof TextColumn
          ? column.compare(a, b)
          : (column[a] ?? 0) === (column[b] ?? 0)
            ? 0
            : (column[a] ?? 0) < (column[b] ?? 0)
              ? -1
              : 1;
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** Texts of their own, one behind the other. */
class TextColumn {
  readonly #lines: SortLines;
  readonly #isVersion: boolean;
  readonly #ends: Uint32Array;
  #bytes = new Uint8Array(4096);
  #length = 0;

  constructor(lines: SortLines, kind: ValueKind) {
    this.#lines = lines;
    this.#isVersion = kind === "version";
    this.#ends = offsets(lines);
  }

  add(line: number, text: string): void {
    const bytes = encodeText(text);
    const end = this.#length + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      this.#lines.charge(larger.length - this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = end;
    this.#ends[line] = end;
  }

  compare(a: number, b: number): number {
    if (this.#isVersion) return compareVersions(this.#text(a), this.#text(b));
    return compareBytes(this.#bytes, this.#start(a), this.#ends[a] ?? 0, {
      start: this.#start(b),
      end: this.#ends[b] ?? 0,
    });
  }

  #start(line: number): number {
    return line === 0 ? 0 : (this.#ends[line - 1] ?? 0);
  }

  #text(line: number): string {
    return decodeText(this.#bytes.subarray(this.#start(line), this.#ends[line]));
  }
}
