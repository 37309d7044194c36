import { compareNames } from "./directory.ts";

/** Runs of digits compare as numbers. */
export function compareVersions(a: string, b: string): number {
  const left = a.split(/(\d+)/);
  const right = b.split(/(\d+)/);
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const one = left[at] ?? "";
    const two = right[at] ?? "";
    if (one === two) continue;
    const isNumber = at % 2 === 1 && one !== "" && two !== "";
    const difference = isNumber ? Number(BigInt(one) - BigInt(two)) : compareNames(one, two);
    if (difference !== 0) return difference;
  }
  return 0;
}
