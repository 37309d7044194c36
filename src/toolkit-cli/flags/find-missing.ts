import { placeholder } from "./describe-shape.ts";
import { flagWord } from "./find-property.ts";
import { isJsonObject, type JsonObject, ownValue } from "./json-kinds.ts";
import { builtInNames } from "./list-flags.ts";
import type { SchemaDocument } from "./schema-document.ts";
import type { ObjectShape } from "./shape.ts";

/** Objects within objects that are looked into. */
const DEPTH_LIMIT = 16;
/** Flags that are named; the others are counted. */
const NAMED = 20;

/** One sentence about every required value that is not there; undefined where all are. */
export function findMissing(document: SchemaDocument, input: JsonObject): string | undefined {
  const missing = collect(document, document.root, input, "");
  if (missing.length === 0) return undefined;
  const named = missing.slice(0, NAMED).join(", ");
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : "";
  return `missing: ${named}${more}`;
}

function collect(
  document: SchemaDocument,
  shape: ObjectShape,
  input: JsonObject,
  prefix: string,
): string[] {
  if (prefix.split(".").length > DEPTH_LIMIT) return [];
  const missing: string[] = [];
  for (const [name, schema] of shape.properties) {
    const word = flagWord(shape, name);
    const flag = `${prefix}${prefix === "" && builtInNames.has(word) ? "." : ""}${word}`;
    const below = document.shapeOf(schema);
    const value = ownValue(input, name);
    if (value === undefined) {
      const isMissing = shape.required.has(name) && below.default === undefined;
      if (isMissing) missing.push(`--${flag} ${placeholder(below)}`);
    } else if (below.object !== undefined && isJsonObject(value)) {
      missing.push(...collect(document, below.object, value, `${flag}.`));
    }
  }
  return missing;
}
