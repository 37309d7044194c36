/** How lines compare, by their numbers: what a key is worth is kept in columns beside the lines. */
import { decodeText, encodeText, type Sys } from "../../kernel/index.ts";
import { compareVersions } from "./compare-versions.ts";
import type { SortLines } from "./sort-lines.ts";
import {
  comparisonsOf,
  type KeyValue,
  makeValues,
  type SortOrder,
  wholeLineSign,
} from "./sort-order.ts";

/** Lines looked at between two yields. */
const YIELD_LINES = 16_384;
/** Bytes of a line that fit a double exactly. */
const PREFIX_BYTES = 6;

type Compare = (a: number, b: number) => number;

export async function makeCompare(sys: Sys, lines: SortLines, order: SortOrder): Promise<Compare> {
  const compareLines = await wholeLines(sys, lines);
  const sign = wholeLineSign(order);
  if (sign !== undefined) return sign === 1 ? compareLines : (a, b) => compareLines(b, a);
  const compareKeys = await keys(sys, lines, order);
  if (order.isStable) return compareKeys;
  return order.letters.includes("r")
    ? (a, b) => compareKeys(a, b) || compareLines(b, a)
    : (a, b) => compareKeys(a, b) || compareLines(a, b);
}

async function wholeLines(sys: Sys, lines: SortLines): Promise<Compare> {
  const prefixes = numbers(lines);
  const { bytes } = lines;
  for (let line = 0; line < lines.count; line++) {
    if (line % YIELD_LINES === 0) await sys.schedYield();
    const start = lines.start(line);
    const end = lines.end(line);
    let prefix = 0;
    for (let at = start; at < start + PREFIX_BYTES; at++)
      prefix = prefix * 256 + (at < end ? (bytes[at] ?? 0) : 0);
    prefixes[line] = prefix;
  }
  return (a, b) => {
    const difference = (prefixes[a] ?? 0) - (prefixes[b] ?? 0);
    if (difference !== 0) return difference;
    return compareBytes(
      bytes.subarray(lines.start(a), lines.end(a)),
      bytes.subarray(lines.start(b), lines.end(b)),
    );
  };
}

function numbers(lines: SortLines): Float64Array {
  lines.charge(lines.count * Float64Array.BYTES_PER_ELEMENT);
  return new Float64Array(lines.count);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

interface Column {
  add(line: number, value: KeyValue): void;
  readonly compare: Compare;
}

async function keys(sys: Sys, lines: SortLines, order: SortOrder): Promise<Compare> {
  const valuesOf = makeValues(order);
  const steps = comparisonsOf(order);
  const columns = steps.map((step, at): Column => {
    if (step.kind !== "number") return new TextColumn(lines, step.kind === "version");
    return new NumberColumn(lines, (line) => valuesOf(lines.text(line))[at] ?? 0);
  });
  for (let line = 0; line < lines.count; line++) {
    if (line % YIELD_LINES === 0) await sys.schedYield();
    for (const [at, value] of valuesOf(lines.text(line)).entries()) columns[at]?.add(line, value);
  }
  const signs = steps.map(({ sign }) => sign);
  return (a, b) => {
    for (let at = 0; at < columns.length; at++) {
      const difference = columns[at]?.compare(a, b) ?? 0;
      if (difference !== 0) return (signs[at] ?? 1) * difference;
    }
    return 0;
  };
}

/** Numbers as doubles; two that a double cannot tell apart are read again. */
class NumberColumn implements Column {
  readonly #values: Float64Array;
  readonly #exact: (line: number) => KeyValue;

  constructor(lines: SortLines, exact: (line: number) => KeyValue) {
    this.#values = numbers(lines);
    this.#exact = exact;
  }

  add(line: number, value: KeyValue): void {
    this.#values[line] = Number(value);
  }

  readonly compare = (a: number, b: number): number => {
    const one = this.#values[a] ?? 0;
    const two = this.#values[b] ?? 0;
    if (one !== two) return one < two ? -1 : 1;
    if (Math.abs(one) <= Number.MAX_SAFE_INTEGER) return 0;
    const [exactOne, exactTwo] = [this.#exact(a), this.#exact(b)];
    return exactOne < exactTwo ? -1 : exactOne > exactTwo ? 1 : 0;
  };
}

class TextColumn implements Column {
  readonly #lines: SortLines;
  readonly #isVersion: boolean;
  readonly #ends: Uint32Array;
  #bytes = new Uint8Array(4096);
  #length = 0;

  constructor(lines: SortLines, isVersion: boolean) {
    this.#lines = lines;
    this.#isVersion = isVersion;
    lines.charge(lines.count * Uint32Array.BYTES_PER_ELEMENT);
    this.#ends = new Uint32Array(lines.count);
  }

  add(line: number, value: KeyValue): void {
    const bytes = encodeText(String(value));
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

  readonly compare = (a: number, b: number): number =>
    this.#isVersion
      ? compareVersions(decodeText(this.#value(a)), decodeText(this.#value(b)))
      : compareBytes(this.#value(a), this.#value(b));

  #value(line: number): Uint8Array {
    return this.#bytes.subarray(line === 0 ? 0 : this.#ends[line - 1], this.#ends[line]);
  }
}
