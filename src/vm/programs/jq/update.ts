/** Values with parts replaced or left out: `setpath`, `delpaths`. */
import { getIndex, sliceBounds } from "./access.ts";
import { compareValues } from "./compare.ts";
import {
  checkSize,
  isArray,
  isNumber,
  isObject,
  JqError,
  type JqObject,
  numberOf,
  typeOf,
  type Value,
} from "./value.ts";

/** Containers nobody else sees yet: they are changed in place instead of copied. */
export type Owned = Set<Value>;

/** `setpath`. `owned` gains the containers made. Fails with a JqError. */
export function setPath(value: Value, path: Value, to: Value, owned?: Owned): Value {
  if (!isArray(path)) throw new JqError("Path must be specified as an array");
  return setFrom(value, path, 0, { to, owned });
}

interface Setting {
  readonly to: Value;
  readonly owned: Owned | undefined;
}

function setFrom(value: Value, path: readonly Value[], at: number, setting: Setting): Value {
  if (at === path.length) return setting.to;
  const key = path[at] ?? null;
  if (at > 10_000) throw new JqError("Path too deep");
  const old = readPart(value, key);
  return setIndex(value, key, setFrom(old, path, at + 1, setting), setting.owned);
}

function readPart(value: Value, key: Value): Value {
  return value === null ? null : getIndex(value, key);
}

/** `.[key] = to`. */
export function setIndex(value: Value, key: Value, to: Value, owned?: Owned): Value {
  if (typeof key === "string" && (value === null || isObject(value))) {
    const object = ownObject(value ?? new Map<string, Value>(), owned);
    object.set(key, to);
    return object;
  }
  if (isNumber(key) && (value === null || isArray(value)))
    return setItem(value ?? [], numberOf(key), to, owned);
  if (isObject(key)) {
    if (value === null || isArray(value)) return setSlice(value ?? [], key, to);
  }
  throw new JqError(`Cannot update field at ${typeOf(key)} index of ${typeOf(value)}`);
}

export function ownObject(object: JqObject, owned: Owned | undefined): Map<string, Value> {
  if (object instanceof Map && owned?.has(object) === true) return object;
  const copy = new Map(object);
  owned?.add(copy);
  return copy;
}

function setItem(
  value: readonly Value[],
  index: number,
  to: Value,
  owned: Owned | undefined,
): Value {
  if (Number.isNaN(index)) throw new JqError("Cannot set array element at NaN index");
  let at = Math.trunc(index);
  if (at < 0) at += value.length;
  if (at < 0) throw new JqError("Out of bounds negative array index");
  checkSize(at);
  const array = ownArray(value, owned);
  while (array.length < at) array.push(null);
  array[at] = to;
  return array;
}

/** A copy that may be changed, or the array itself when it may. */
export function ownArray(value: readonly Value[], owned: Owned | undefined): Value[] {
  if (owned?.has(value) === true && isMutable(value)) return value;
  const copy = [...value];
  owned?.add(copy);
  return copy;
}

function isMutable(value: readonly Value[]): value is Value[] {
  return !Object.isFrozen(value);
}

function setSlice(value: readonly Value[], slice: JqObject, to: Value): Value {
  const [start, end] = sliceBounds(
    value.length,
    slice.get("start") ?? null,
    slice.get("end") ?? null,
  );
  if (!isArray(to)) throw new JqError("A slice of an array can only be assigned another array");
  checkSize(value.length + to.length);
  return [...value.slice(0, start), ...to, ...value.slice(end)];
}

/** `delpaths`. */
export function deletePaths(value: Value, paths: Value): Value {
  if (!isArray(paths)) throw new JqError("Paths must be specified as an array");
  for (const path of paths) {
    if (!isArray(path)) throw new JqError(`Path must be specified as array, not ${typeOf(path)}`);
  }
  const owned: Owned = new Set();
  const groups = groupByParent(paths.filter(isArray));
  return groups.reduce<Value>(
    (result, { parent, keys }) => deleteAt(result, parent, keys, owned),
    value,
  );
}

interface Group {
  readonly parent: readonly Value[];
  readonly keys: Value[];
}

/** The last paths first; those within one container together. */
function groupByParent(paths: readonly (readonly Value[])[]): Group[] {
  const groups: Group[] = [];
  for (const path of paths.toSorted((one, other) => compareValues(other, one))) {
    const last = groups.at(-1);
    const parent = path.slice(0, -1);
    const key = path.at(-1);
    if (key === undefined) groups.push({ parent: [], keys: [] });
    else if (last !== undefined && last.keys.length > 0 && compareValues(last.parent, parent) === 0)
      last.keys.push(key);
    else groups.push({ parent, keys: [key] });
  }
  return groups;
}

function deleteAt(
  value: Value,
  parent: readonly Value[],
  keys: readonly Value[],
  owned: Owned,
): Value {
  if (keys.length === 0) return null;
  let container = value;
  for (const key of parent) {
    if (container === null) return value;
    container = getIndex(container, key);
  }
  if (container === null) return value;
  return setPath(value, parent, deleteKeys(container, keys), owned);
}

function deleteKeys(container: Value, keys: readonly Value[]): Value {
  if (isObject(container)) {
    const copy = new Map(container);
    for (const key of keys) {
      if (typeof key !== "string")
        throw new JqError(`Cannot delete ${typeOf(key)} field of object`);
      copy.delete(key);
    }
    return copy;
  }
  if (!isArray(container)) throw new JqError(`Cannot delete fields from ${typeOf(container)}`);
  const gone = new Uint8Array(container.length);
  for (const key of keys) markGone(gone, key);
  return container.filter((_, at) => gone[at] === 0);
}

function markGone(gone: Uint8Array, key: Value): void {
  if (isNumber(key)) {
    const at = Math.trunc(numberOf(key));
    gone[at < 0 ? at + gone.length : at] = 1;
    return;
  }
  if (!isObject(key)) throw new JqError(`Cannot delete ${typeOf(key)} element of array`);
  const [start, end] = sliceBounds(gone.length, key.get("start") ?? null, key.get("end") ?? null);
  gone.fill(1, start, end);
}
