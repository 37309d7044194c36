import { flagWord } from "./find-property.ts";
import { builtInNames } from "./list-flags.ts";
import { itemOf } from "./resolve-flag.ts";
import type { SchemaDocument } from "./schema-document.ts";
import { anything, type Shape } from "./shape.ts";

/** The flag that gives the value at a place of the input; "" for the input itself. */
export function pathFlag(document: SchemaDocument, path: readonly (string | number)[]): string {
  if (path.length === 0) return "";
  const words: string[] = [];
  let shape: Shape = { ...anything, object: document.root };
  for (const step of path) {
    const { object, array }: Shape = shape;
    const isProperty = object?.properties.has(String(step)) === true;
    words.push(isProperty ? flagWord(object, String(step)) : String(step));
    const schema = isProperty
      ? object.properties.get(String(step))
      : array === undefined
        ? undefined
        : itemOf(array, Number(step));
    shape = document.shapeOf(schema ?? true);
  }
  const name = words.join(".");
  return `--${path.length === 1 && builtInNames.has(name) ? "." : ""}${name}`;
}
