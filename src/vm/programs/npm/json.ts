/** JSON as npm reads and writes it: what a guest wrote, looked at with care. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A property of its own: never one of `Object.prototype`. */
export function property(object: Json | undefined, key: string): Json | undefined {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A property that is a text. */
export function findText(object: Json | undefined, key: string): string | undefined {
  const value = property(object, key);
  return typeof value === "string" ? value : undefined;
}

/** The texts of an object, in its order; anything else in it is left out. */
export function textEntries(value: Json | undefined): [string, string][] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]): [string, string][] =>
    typeof one === "string" ? [[key, one]] : [],
  );
}

/** The texts of a list. */
export function textList(value: Json | undefined): string[] {
  return isList(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The same object with some properties set, or, where undefined, left out. The order stays. */
export function withProperties(
  object: JsonObject,
  changes: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const entries = new Map<string, Json | undefined>(Object.entries(object));
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
  }
  return Object.fromEntries(entries);
}

export function parseJson(text: string): Json {
  const value: unknown = JSON.parse(text);
  return isJson(value) ? value : null;
}

/** Whatever JSON.parse answers is. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** As the locale `en` has it, in which npm sorts names. */
export function compareInEnglish(a: string, b: string): number {
  return a.localeCompare(b, "en");
}

export function sortKeys(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => compareInEnglish(a, b)));
}
