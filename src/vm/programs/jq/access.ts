/** Reading parts of values: `.[key]`, `.[from:to]`, `getpath`. */

import { areEqual } from "./compare.ts";
import { toJson } from "./json-writer.ts";
import {
  isArray,
  isNumber,
  isObject,
  JqError,
  type JqObject,
  numberOf,
  typeOf,
  type Value,
} from "./value.ts";

/** A value in an error message, cut at what jq's buffer takes. */
export function excerpt(value: Value, size = 15): string {
  const text = toJson(value);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length < size) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, size - 4))}...`;
}

/** `.[key]`. Fails with a JqError. */
export function getIndex(value: Value, key: Value): Value {
  if (typeof key === "string") {
    if (isObject(value)) return value.get(key) ?? null;
    if (value === null) return null;
    const shown = key.length < 30 ? `string "${key}"` : "string";
    throw new JqError(`Cannot index ${typeOf(value)} with ${shown}`);
  }
  if (isNumber(key)) {
    if (isArray(value)) return getItem(value, numberOf(key));
    if (value === null) return null;
  } else if (isObject(key) && (isArray(value) || typeof value === "string" || value === null)) {
    return getSlice(value, key.get("start") ?? null, key.get("end") ?? null);
  } else if (isArray(key) && isArray(value)) return indicesOf(value, key);
  throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}`);
}

function getItem(value: readonly Value[], index: number): Value {
  if (Number.isNaN(index)) return null;
  const at = Math.floor(index);
  return value[at < 0 ? at + value.length : at] ?? null;
}

function indicesOf(value: readonly Value[], part: readonly Value[]): Value {
  if (part.length === 0) return null;
  const found: number[] = [];
  for (let at = 0; at + part.length <= value.length; at++) {
    if (part.every((item, place) => areEqual(item, value[at + place] ?? null))) found.push(at);
  }
  return found;
}

/** Where a slice starts and ends in something this long. Fails with a JqError. */
export function sliceBounds(length: number, from: Value, to: Value): readonly [number, number] {
  const start = from === null ? 0 : from;
  const end = to === null ? length : to;
  if (!isNumber(start) || !isNumber(end))
    throw new JqError("Start and end indices of an array slice must be numbers");
  let first = numberOf(start);
  let last = numberOf(end);
  if (Number.isNaN(first)) first = 0;
  if (Number.isNaN(last)) last = length;
  if (first < 0) first += length;
  if (last < 0) last += length;
  first = Math.floor(Math.min(Math.max(first, 0), length));
  last = Math.ceil(Math.min(Math.max(last, first), length));
  return [first, last];
}

export function getSlice(value: Value, from: Value, to: Value): Value {
  if (value === null) return null;
  if (typeof value === "string") {
    const characters = [...value];
    const [start, end] = sliceBounds(characters.length, from, to);
    return characters.slice(start, end).join("");
  }
  if (!isArray(value)) throw new JqError(`Cannot index ${typeOf(value)} with object`);
  const [start, end] = sliceBounds(value.length, from, to);
  return value.slice(start, end);
}

export function sliceKey(from: Value, to: Value): JqObject {
  return new Map([
    ["start", from],
    ["end", to],
  ]);
}

/** `getpath`: null has everything, as null. */
export function getPath(value: Value, path: Value): Value {
  if (!isArray(path)) throw new JqError("Path must be specified as an array");
  let found = value;
  for (const key of path) {
    if (found === null) return null;
    found = getIndex(found, key);
  }
  return found;
}

/** `has`. */
export function hasKey(value: Value, key: Value): boolean {
  if (isObject(value) && typeof key === "string") return value.has(key);
  if (isArray(value) && isNumber(key)) {
    const at = numberOf(key);
    return at >= 0 && at < value.length;
  }
  throw new JqError(`Cannot check whether ${typeOf(value)} has a ${typeOf(key)} key`);
}
