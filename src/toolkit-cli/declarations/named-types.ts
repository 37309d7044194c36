/** The types that `$ref`s name: each is written once, so that cycles end and repetition is short. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { typeName } from "./type-text.ts";

export interface NamedType {
  readonly name: string;
  readonly root: JsonSchema;
  readonly schema: JsonValue;
}

/** Definitions beyond it are `any`. */
const NAMES_LIMIT = 300;

export class NamedTypes {
  readonly #names = new Map<JsonSchema, Map<string, string>>();
  readonly #taken = new Set<string>();
  readonly #unwritten: NamedType[] = [];

  /** The name of what a reference points at within its document; undefined where that is nothing. */
  refer(root: JsonSchema, reference: string, rootName: string): string | undefined {
    const known = this.#names.get(root)?.get(reference);
    if (known !== undefined) return known;
    if (this.#taken.size >= NAMES_LIMIT) return undefined;
    const schema = resolvePointer(root, reference);
    if (schema === undefined) return undefined;
    const last = reference.slice(reference.lastIndexOf("/") + 1);
    const name = this.#free(typeName(reference === "#" ? rootName : unescape(last)));
    const names = this.#names.get(root) ?? new Map<string, string>();
    this.#names.set(root, names.set(reference, name));
    this.#unwritten.push({ name, root, schema });
    return name;
  }

  /** The next type that has been named and not written yet; writing it may name more. */
  take(): NamedType | undefined {
    return this.#unwritten.shift();
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${wanted}${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** What a JSON pointer of the document itself (`#`, `#/$defs/x`) points at. */
function resolvePointer(root: JsonSchema, reference: string): JsonValue | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let at: JsonValue = root;
  for (const part of reference.split("/").slice(1)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, unescape(part)))
      return undefined;
    const next: unknown = Reflect.get(at, unescape(part));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- own values of a JSON value are JSON values
    at = next as JsonValue;
  }
  return at;
}

/** RFC 6901, in a URI fragment. */
function unescape(part: string): string {
  const text = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
