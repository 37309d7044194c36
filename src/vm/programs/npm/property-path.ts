/** Paths into package.json as `npm pkg` takes them: `a.b[0].c`, `list[]`, `exports[./x]`. */
import { NpmFailure } from "./failure.ts";
import { isList, isObject, type Json, type JsonObject, property, withProperties } from "./json.ts";

/** The place behind the last one of a list. */
export const APPEND = Symbol("append");

type Key = string | typeof APPEND;

const forbidden = new Set(["__proto__", "constructor", "prototype"]);
const DEPTH_LIMIT = 64;

export function parsePath(text: string): Key[] {
  const keys: Key[] = [];
  for (const match of text.trim().matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    if (match[1] === "") keys.push(APPEND);
    else keys.push(match[1] ?? match[2] ?? "");
  }
  if (keys.length > DEPTH_LIMIT) throw new NpmFailure(`"${text.slice(0, 80)}" is too deep.`);
  return keys;
}

/** What a path leads to; of a list, what it leads to in each. */
export function queryPath(data: Json, text: string): Map<string, Json> {
  const found = new Map<string, Json>();
  let at: Json | undefined = data;
  let label = "";
  for (const key of parsePath(text)) {
    if (key === APPEND)
      throw new NpmFailure("Empty brackets are not valid syntax for retrieving values.", {
        code: "EINVALIDSYNTAX",
      });
    if (isList(at) && !/^\d+$/.test(key)) {
      at.forEach((one, place) => {
        const value = property(one, key);
        if (value !== undefined) found.set(`${label}[${place}].${key}`, value);
      });
      return found;
    }
    at = isList(at) ? at[Number(key)] : property(at, key);
    if (at === undefined) return found;
    label += key;
  }
  const single = isList(at) && at.length <= 1 ? at[0] : at;
  if (single !== undefined) found.set(text, single);
  return found;
}

/** The data with a value at a path; undefined takes it away. Fails with an NpmFailure. */
export function changePath(
  data: JsonObject,
  text: string,
  value: Json | undefined,
  isForced = false,
): JsonObject {
  const changed = new Change(text, value, isForced).apply(data, parsePath(text));
  return isObject(changed) ? changed : data;
}

class Change {
  readonly #text: string;
  readonly #value: Json | undefined;
  readonly #isForced: boolean;

  constructor(text: string, value: Json | undefined, isForced: boolean) {
    this.#text = text;
    this.#value = value;
    this.#isForced = isForced;
  }

  apply(data: Json | undefined, keys: readonly Key[]): Json {
    const [key, ...rest] = keys;
    if (key === undefined) return this.#value ?? null;
    if (typeof key === "string" && forbidden.has(key))
      throw new NpmFailure(`Forbidden key: "${key}"`, { code: "EFORBIDDENKEY" });
    const isIndex = key === APPEND || /^\d{1,6}$/.test(key);
    if (isList(data) || (isIndex && isEmpty(data)))
      return this.#inList(isList(data) ? data : [], key, rest);
    if (key === APPEND)
      throw new NpmFailure("Can't use append syntax in non-Array element", { code: "ENOAPPEND" });
    return this.#inObject(isObject(data) ? data : {}, key, rest);
  }

  #inObject(object: JsonObject, key: string, rest: readonly Key[]): JsonObject {
    const inner = property(object, key);
    if (rest.length === 0) return withProperties(object, { [key]: this.#value });
    if (this.#value === undefined && inner === undefined) return object;
    this.#requireOpen(inner, key);
    return withProperties(object, { [key]: this.apply(inner, rest) });
  }

  #inList(list: readonly Json[], key: Key, rest: readonly Key[]): Json {
    if (key !== APPEND && !/^\d{1,6}$/.test(key)) {
      if (!this.#isForced)
        throw new NpmFailure(`Can't add property ${this.#text} to an Array.`, {
          code: "ENOADDPROP",
        });
      return this.#inObject(Object.fromEntries(list.entries()), key, rest);
    }
    const at = key === APPEND ? list.length : Math.min(Number(key), list.length);
    if (rest.length === 0 && this.#value === undefined) return list.toSpliced(at, 1);
    if (rest.length > 0) this.#requireOpen(list[at], String(at));
    const value = rest.length === 0 ? (this.#value ?? null) : this.apply(list[at], rest);
    return at < list.length ? list.with(at, value) : [...list, value];
  }

  #requireOpen(inner: Json | undefined, key: string): void {
    if (this.#isForced || this.#value === undefined || inner === undefined || inner === null)
      return;
    if (typeof inner !== "object")
      throw new NpmFailure(`Property ${key} already exists and is not an Array or Object.`, {
        code: "EOVERRIDEVALUE",
      });
  }
}

function isEmpty(data: Json | undefined): boolean {
  return !isObject(data) || Object.keys(data).length === 0;
}
