/** jq's order of all values: null, false, true, numbers, strings, arrays, objects. */
import { MemoryLimitError } from "../memory-limit.ts";
import { compareText } from "./json-writer.ts";
import {
  isArray,
  isNumber,
  isObject,
  type JqObject,
  numberOf,
  typeOf,
  type Value,
} from "./value.ts";

const ranks = { null: 0, boolean: 1, number: 3, string: 4, array: 5, object: 6 };
/** Values share parts, so two may take far longer to compare than they are large. */
const WORK_LIMIT = 50_000_000;

export function compareValues(one: Value, other: Value): number {
  return compare(one, other, { left: WORK_LIMIT });
}

export function areEqual(one: Value, other: Value): boolean {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return compare(one, other, { left: WORK_LIMIT }) === 0;
}

interface Work {
  left: number;
}

function compare(one: Value, other: Value, work: Work): number {
  if (--work.left < 0) throw new MemoryLimitError();
  if (typeof one === "string" && typeof other === "string") return compareText(one, other);
  if (isNumber(one) && isNumber(other)) return compareNumbers(numberOf(one), numberOf(other));
  if (isArray(one) && isArray(other)) return compareArrays(one, other, work);
  if (isObject(one) && isObject(other)) return compareObjects(one, other, work);
  return rankOf(one) - rankOf(other);
}

/** NaN is less than any number, itself included. */
function compareNumbers(one: number, other: number): number {
  if (one < other) return -1;
  if (one === other) return 0;
  return one > other ? 1 : Number.isNaN(one) ? -1 : 1;
}

function rankOf(value: Value): number {
  return value === true ? 2 : ranks[typeOf(value)];
}

function compareArrays(one: readonly Value[], other: readonly Value[], work: Work): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const order = compare(one[at] ?? null, other[at] ?? null, work);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** First by their sorted keys, then value by value. */
function compareObjects(one: JqObject, other: JqObject, work: Work): number {
  const keys = sortedKeys(one);
  const byKeys = compareArrays(keys, sortedKeys(other), work);
  if (byKeys !== 0) return byKeys;
  for (const key of keys) {
    const order = compare(one.get(key) ?? null, other.get(key) ?? null, work);
    if (order !== 0) return order;
  }
  return 0;
}

export function sortedKeys(object: JqObject): string[] {
  return [...object.keys()].toSorted(compareText);
}

/** A stable sort by keys that are worked out already. */
export function sortByKeys(values: readonly Value[], keys: readonly Value[]): number[] {
  const work = { left: WORK_LIMIT };
  return Array.from(values.keys()).toSorted((one, other) =>
    compare(keys[one] ?? null, keys[other] ?? null, work),
  );
}
