import { isDeepStrictEqual } from "node:util";
import type { VmOptions } from "./vm-options.ts";

/**
 * The first setting that a VM should have and has otherwise; undefined if it is as asked. Variables, limits and the
 * like are compared one by one, lists by what they hold: what was not asked for may be anything.
 */
export function findContradiction(asked: VmOptions, actual: VmOptions): string | undefined {
  const has = new Map(Object.entries(actual));
  for (const [option, wanted] of Object.entries(asked)) {
    if (option === "name" || wanted === undefined) continue;
    const name = findDifference(wanted, has.get(option));
    if (name !== undefined) return [option, ...name].join(".");
  }
  return undefined;
}

/** The way to the difference below the option: empty where the option itself differs. */
function findDifference(wanted: unknown, actual: unknown): readonly string[] | undefined {
  if (Array.isArray(wanted)) {
    const list: readonly unknown[] = Array.isArray(actual) ? actual : [];
    const isIn = (item: unknown): boolean => list.some((other) => isDeepStrictEqual(item, other));
    return wanted.every(isIn) ? undefined : [];
  }
  if (typeof wanted !== "object" || wanted === null) return wanted === actual ? undefined : [];
  const known = new Map<string, unknown>(Object.entries(Object(actual)));
  const entry = Object.entries(wanted).find(
    ([name, value]) => !isDeepStrictEqual(value, known.get(name)),
  );
  return entry === undefined ? undefined : [entry[0]];
}
