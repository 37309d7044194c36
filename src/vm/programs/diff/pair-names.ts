import { compareNames } from "../directory.ts";

/** A name in each of two directories; undefined where one has none. */
export type NamePair = readonly [first: string | undefined, second: string | undefined];

/** The names of two directories side by side, in order. Without case, what is left unpaired is paired by its letters. */
export function pairNames(
  first: readonly string[],
  second: readonly string[],
  ignoresCase: boolean,
): readonly NamePair[] {
  const others = new Set(second);
  const pairs: NamePair[] = [];
  const alone: string[] = [];
  for (const name of first) {
    if (others.delete(name)) pairs.push([name, name]);
    else alone.push(name);
  }
  const left = new Map<string, string[]>();
  for (const name of [...others].toSorted(compareNames)) {
    const key = ignoresCase ? name.toLowerCase() : name;
    left.set(key, [...(left.get(key) ?? []), name]);
  }
  for (const name of alone.toSorted(compareNames)) {
    const other = ignoresCase ? left.get(name.toLowerCase())?.shift() : undefined;
    pairs.push([name, other]);
  }
  for (const names of left.values()) for (const name of names) pairs.push([undefined, name]);
  return pairs.toSorted((a, b) => comparePairs(a, b, ignoresCase));
}

function comparePairs(a: NamePair, b: NamePair, ignoresCase: boolean): number {
  const one = a[0] ?? a[1] ?? "";
  const other = b[0] ?? b[1] ?? "";
  const folded = ignoresCase ? compareNames(one.toLowerCase(), other.toLowerCase()) : 0;
  return folded === 0 ? compareNames(one, other) : folded;
}
