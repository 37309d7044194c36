/** `$ref`s of the plain kind: a JSON pointer into the same schema. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";

/** What `#/$defs/x` points at; undefined where it points nowhere or elsewhere. */
export function findLocalRef(root: JsonSchema, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  return followPointer(root, reference.slice(1));
}

/** RFC 6901, as it stands in a URI's fragment. */
export function followPointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = root;
  for (const token of pointer.split("/").slice(1)) {
    if (typeof found !== "object" || found === null) return undefined;
    const key = decode(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
