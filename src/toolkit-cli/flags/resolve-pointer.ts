import type { JsonValue } from "../json-schema.ts";
import { isJsonArray, isJsonObject, ownValue } from "./json-kinds.ts";

/** What a `$ref` within the document (`#`, `#/$defs/Name`) points at; undefined for any other. */
export function resolvePointer(document: JsonValue, reference: string): JsonValue | undefined {
  if (reference === "#") return document;
  if (!reference.startsWith("#/")) return undefined;
  let at: JsonValue | undefined = document;
  for (const token of reference.slice(2).split("/")) {
    const key = decodeToken(token);
    if (isJsonObject(at)) at = ownValue(at, key);
    else if (isJsonArray(at) && /^\d{1,9}$/.test(key)) at = at[Number(key)];
    else return undefined;
  }
  return at;
}

/** RFC 6901, in a URI fragment. */
function decodeToken(token: string): string {
  return unescapePercent(token).replaceAll("~1", "/").replaceAll("~0", "~");
}

function unescapePercent(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch (error) {
    if (error instanceof URIError) return token;
    throw error;
  }
}
