/** What builtins do with whole arrays and objects. */
import { excerpt, getIndex } from "./access.ts";
import { add, typeError } from "./arithmetic.ts";
import { areEqual, compareValues, sortByKeys, sortedKeys } from "./compare.ts";
import { toText } from "./formats.ts";
import {
  checkSize,
  isArray,
  isNumber,
  isObject,
  isTrue,
  JqError,
  numberOf,
  typeOf,
  type Value,
} from "./value.ts";

export function needArray(value: Value, what: string): readonly Value[] {
  if (!isArray(value)) throw typeError(value, what);
  return value;
}

const NOT_SORTABLE = "cannot be sorted, as it is not an array";

export function sortValues(value: Value): Value[] {
  return needArray(value, NOT_SORTABLE).toSorted(compareValues);
}

/** `sort_by`, whose keys are worked out already. */
export function sortBy(value: Value, keys: Value): Value[] {
  const items = needArray(value, NOT_SORTABLE);
  return sortByKeys(items, needArray(keys, NOT_SORTABLE)).map((at) => items[at] ?? null);
}

export function groupBy(value: Value, keys: Value): Value[][] {
  const items = needArray(value, "cannot be grouped, as it is not an array");
  const by = needArray(keys, NOT_SORTABLE);
  const groups: Value[][] = [];
  let last: Value | undefined;
  for (const at of sortByKeys(items, by)) {
    const key = by[at] ?? null;
    const item = items[at] ?? null;
    if (last !== undefined && areEqual(last, key)) groups.at(-1)?.push(item);
    else groups.push([item]);
    last = key;
  }
  return groups;
}

/** The least (`side` -1) or the greatest (1); of equal ones the first least, the last greatest. */
export function extreme(value: Value, keys: Value, side: 1 | -1): Value {
  const items = needArray(value, "cannot be iterated over");
  const by = needArray(keys, "cannot be iterated over");
  let best: Value = null;
  let bestKey: Value | undefined;
  for (const [at, item] of items.entries()) {
    const key = by[at] ?? null;
    const order = bestKey === undefined ? side : compareValues(key, bestKey);
    if (side === 1 ? order >= 0 : order < 0) {
      best = item;
      bestKey = key;
    }
  }
  return best;
}

export function keysOf(value: Value, isSorted: boolean): Value {
  if (isObject(value)) return isSorted ? sortedKeys(value) : [...value.keys()];
  if (isArray(value)) return Array.from(value.keys());
  throw typeError(value, "has no keys");
}

/** `add`: strings and arrays are joined at once. */
export function sum(value: Value): Value {
  const items = isObject(value) ? [...value.values()] : value;
  if (!isArray(items))
    throw new JqError(`Cannot iterate over ${typeOf(value)} (${excerpt(value)})`);
  if (items.every((one) => typeof one === "string") && items.length > 0) {
    checkSize(items.reduce((total: number, one) => total + String(one).length, 0) / 4);
    return items.join("");
  }
  if (items.every(isArray) && items.length > 0) {
    checkSize(items.reduce<number>((total, one) => total + (isArray(one) ? one.length : 0), 0));
    return items.flat(1);
  }
  if (items.every(isObject) && items.length > 0) {
    const merged = new Map<string, Value>();
    for (const one of items.filter(isObject)) for (const [key, item] of one) merged.set(key, item);
    return merged;
  }
  return items.reduce<Value>((total, one) => add(total, one), null);
}

export function flatten(value: Value, depth: number): Value {
  if (depth < 0) throw new JqError("flatten depth must not be negative");
  const into: Value[] = [];
  flattenInto(
    isObject(value) ? [...value.values()] : needArray(value, "cannot be flattened"),
    depth,
    into,
  );
  return into;
}

function flattenInto(items: readonly Value[], depth: number, into: Value[]): void {
  for (const item of items) {
    if (isArray(item) && depth > 0) flattenInto(item, depth - 1, into);
    else checkSize(into.push(item));
  }
}

export function toEntries(value: Value): Value {
  if (isArray(value)) return value.map((item, key) => entry(key, item));
  if (!isObject(value)) throw typeError(value, "has no keys");
  return Array.from(value, ([key, item]) => entry(key, item));
}

function entry(key: Value, value: Value): Value {
  return new Map([
    ["key", key],
    ["value", value],
  ]);
}

export function fromEntries(value: Value): Value {
  const made = new Map<string, Value>();
  const items = isObject(value) ? [...value.values()] : value;
  if (!isArray(items))
    throw new JqError(`Cannot iterate over ${typeOf(value)} (${excerpt(value)})`);
  for (const item of items) {
    const key = firstOf(item, ["key", "k", "name", "Name", "Key", "K"]);
    const name = key === null || key === false ? (key === false ? "false" : "null") : toKey(key);
    made.set(name, entryValue(item));
  }
  return made;
}

function toKey(key: Value): string {
  if (typeof key === "string") return key;
  if (typeof key === "boolean" || isNumber(key)) return toText(key);
  throw new JqError(`Cannot use ${typeOf(key)} (${toText(key)}) as object key`);
}

function firstOf(item: Value, names: readonly string[]): Value {
  for (const name of names) {
    const found = getIndex(item, name);
    if (isTrue(found) || found === false) return found;
  }
  return null;
}

function entryValue(item: Value): Value {
  if (!isObject(item)) return null;
  for (const name of ["value", "v", "Value", "V"])
    if (item.has(name)) return item.get(name) ?? null;
  return null;
}

export function contains(value: Value, part: Value): boolean {
  if (isObject(value) && isObject(part)) {
    for (const [key, inner] of part) {
      const own = value.get(key);
      if (own === undefined || !contains(own, inner)) return false;
    }
    return true;
  }
  if (isArray(value) && isArray(part))
    return part.every((inner) =>
      value.some((own) => typeOf(own) === typeOf(inner) && contains(own, inner)),
    );
  if (typeof value === "string" && typeof part === "string") return value.includes(part);
  if (typeOf(value) === typeOf(part)) return areEqual(value, part);
  throw new JqError(
    `${typeOf(value)} (${excerpt(value)}) and ${typeOf(part)} (${excerpt(part)}) cannot have their containment checked`,
  );
}

export function indices(value: Value, part: Value): Value {
  if (value === null) return null;
  if (typeof value === "string" && typeof part === "string") return indicesInText(value, part);
  if (isArray(value) && !isArray(part)) return getIndex(value, [part]);
  return getIndex(value, part);
}

// Deviation: positions in a string count code points; jq 1.6 counts bytes.
function indicesInText(text: string, part: string): Value {
  if (part === "") return null;
  const found: number[] = [];
  let points = 0;
  let counted = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    for (; counted < at; counted++) if ((text.charCodeAt(counted) & 0xfc00) !== 0xdc00) points += 1;
    found.push(points);
  }
  return found;
}

export function transpose(value: Value): Value {
  const rows = needArray(value, "cannot be transposed").map((row) =>
    needArray(row, "cannot be transposed"),
  );
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null));
}

export function joinTexts(value: Value, separator: Value): Value {
  const items = isObject(value) ? [...value.values()] : value;
  if (!isArray(items))
    throw new JqError(`Cannot iterate over ${typeOf(value)} (${excerpt(value)})`);
  if (items.length === 0) return "";
  const isPlain =
    typeof separator === "string" && !items.some((one) => isArray(one) || isObject(one));
  if (!isPlain) {
    return items.reduce<Value>(
      (total, one, at) => add(at === 0 ? "" : add(total, separator), textOf(one)),
      null,
    );
  }
  const texts = items.map((one) => toText(textOf(one)));
  checkSize(texts.reduce((total, one) => total + one.length + separator.length, 0) / 4);
  return texts.join(separator);
}

function textOf(value: Value): Value {
  if (value === null) return "";
  return typeof value === "boolean" || isNumber(value) ? toText(value) : value;
}

/** Where `target` is in a sorted array; where it is not, `-1 - place`. */
export function binarySearch(value: Value, target: Value): Value {
  const items = needArray(value, "cannot be searched from");
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compareValues(items[middle] ?? null, target);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1 - low;
}

/** `tostream`: `[path, leaf]` for each, and `[path]` where a container ends. */
export function streamOf(value: Value): Value[] {
  const events: Value[] = [];
  addEvents(value, [], events);
  return events;
}

function addEvents(value: Value, path: readonly Value[], events: Value[]): void {
  const size = isArray(value) ? value.length : isObject(value) ? value.size : 0;
  if (size === 0) {
    events.push([path, value]);
    return;
  }
  const entries: Iterable<readonly [Value, Value]> = isArray(value)
    ? value.entries()
    : isObject(value)
      ? value
      : [];
  let last: Value = null;
  for (const [key, item] of entries) {
    addEvents(item, [...path, key], events);
    last = key;
  }
  checkSize(events.push([[...path, last]]));
}

export function lengthOf(value: Value): Value {
  if (value === null) return 0;
  if (typeof value === "string") return [...value].length;
  if (isArray(value)) return value.length;
  if (isObject(value)) return value.size;
  if (isNumber(value)) return Math.abs(numberOf(value));
  throw typeError(value, "has no length");
}
