/** Which property a word of a flag means: `--max-results` is `maxResults`, `max_results` or itself. */
import { toKebabCase } from "../names.ts";
import type { ObjectShape } from "./shape.ts";

export type FoundProperty =
  | { readonly name: string }
  /** Several properties have this name in kebab-case: each is reached by its own spelling. */
  | { readonly ambiguous: readonly string[] }
  | undefined;

const indexes = new WeakMap<ObjectShape, ReadonlyMap<string, readonly string[]>>();

export function findProperty(shape: ObjectShape, word: string): FoundProperty {
  if (shape.properties.has(word)) return { name: word };
  const names = indexOf(shape).get(toKebabCase(word)) ?? [];
  const [only] = names;
  if (only === undefined || word === "") return undefined;
  return names.length === 1 ? { name: only } : { ambiguous: names };
}

/** How a property is written in a flag: kebab-case, or as it is where that would be another's. */
export function flagWord(shape: ObjectShape, property: string): string {
  const kebab = toKebabCase(property);
  const isItsOwn = (indexOf(shape).get(kebab)?.length ?? 0) < 2;
  const isTaken = kebab !== property && shape.properties.has(kebab);
  return kebab !== "" && isItsOwn && !isTaken ? kebab : property;
}

function indexOf(shape: ObjectShape): ReadonlyMap<string, readonly string[]> {
  const known = indexes.get(shape);
  if (known !== undefined) return known;
  const index = new Map<string, string[]>();
  for (const name of shape.properties.keys()) {
    const kebab = toKebabCase(name);
    const names = index.get(kebab);
    if (names === undefined) index.set(kebab, [name]);
    else names.push(name);
  }
  indexes.set(shape, index);
  return index;
}
