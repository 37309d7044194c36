/** `--fields a,b.c`: what is kept of a result. Lists are gone through item by item. */
import { isJsonArray, isJsonObject, type JsonObject } from "../flags/json-kinds.ts";
import { objectFrom } from "../flags/read-leaf.ts";
import type { JsonValue } from "../json-schema.ts";

export interface Picked {
  readonly json: JsonValue;
  /** Fields that nothing in the result has. */
  readonly missing: readonly string[];
  /** Fields that there are, for whoever asked for others. */
  readonly known: readonly string[];
}

type Tree = Map<string, Tree>;

/** Fields that are named to somebody who asked for one that is not there. */
const KNOWN_LIMIT = 20;

/** Of an object around one list (`{ items: […], total }`) the fields of its items may be named. */
export function pickFields(json: JsonValue, fields: readonly (readonly string[])[]): Picked {
  const inner = findInnerList(json, fields);
  if (inner !== undefined && isJsonObject(json)) {
    const picked = pickFields(json[inner] ?? null, fields);
    const entries = Object.entries(json).filter(([, value]) => !isJsonArray(value));
    return { ...picked, json: objectFrom([...entries, [inner, picked.json]]) };
  }
  const tree: Tree = new Map();
  for (const field of fields) grow(tree, field);
  const met = new Set<string>();
  const picked = pick(json, tree, "", met) ?? null;
  const missing = fields.map((field) => field.join(".")).filter((field) => !met.has(field));
  return { json: picked, missing, known: knownFields(json) };
}

function findInnerList(
  json: JsonValue,
  fields: readonly (readonly string[])[],
): string | undefined {
  if (!isJsonObject(json)) return undefined;
  if (fields.some(([first = ""]) => Object.hasOwn(json, first))) return undefined;
  const lists = Object.entries(json).filter(([, value]) => isJsonArray(value));
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

function grow(tree: Tree, path: readonly string[]): void {
  let at = tree;
  for (const step of path) {
    const next = at.get(step) ?? new Map();
    at.set(step, next);
    at = next;
  }
}

function pick(json: JsonValue, tree: Tree, path: string, met: Set<string>): JsonValue | undefined {
  if (isJsonArray(json)) return json.flatMap((item) => pick(item, tree, path, met) ?? []);
  if (!isJsonObject(json)) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [key, below] of tree) {
    if (!Object.hasOwn(json, key)) continue;
    const place = `${path}${key}`;
    const value = json[key] ?? null;
    const kept = below.size === 0 ? value : pick(value, below, `${place}.`, met);
    if (below.size === 0) met.add(place);
    if (kept !== undefined) entries.push([key, kept]);
  }
  return objectFrom(entries);
}

function knownFields(json: JsonValue): readonly string[] {
  const first = isJsonArray(json)
    ? json.find((item): item is JsonObject => isJsonObject(item))
    : json;
  return isJsonObject(first) ? Object.keys(first).slice(0, KNOWN_LIMIT) : [];
}
