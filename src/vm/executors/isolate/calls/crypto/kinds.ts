// Kinds of values, by letter, that an argument of Node's crypto may be. Node's C++ ends the process where an
// argument is not of the kind that Node's own library would give it; here that is EINVAL for the guest.
import { KernelError } from "../../../../../kernel/index.ts";
import { Kept } from "./kept-objects.ts";

/** What one call may give: l and m count it in bytes, L in bits. */
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  b: isBytes,
  v: (value) => value instanceof Uint8Array,
  s: (value) => typeof value === "string",
  i: (value) => isInteger(value, -0x8000_0000, 0x7fff_ffff),
  u: (value) => isInteger(value, 0, 0xffff_ffff),
  l: (value) => isInteger(value, 0, OUTPUT_LIMIT_BYTES),
  m: (value) => isInteger(value, 1, OUTPUT_LIMIT_BYTES),
  L: (value) => isInteger(value, 0, OUTPUT_LIMIT_BYTES * 8),
  t: (value) => isInteger(value, 0x01, 0x7f),
  d: (value) => typeof value === "number",
  o: (value) => typeof value === "boolean",
  n: (value) => value === undefined || value === null,
  N: (value) => value === null,
  0: (value) => value === 0,
  1: (value) => value === 1,
  6: (value) => value === 6,
  a: (value) => value === -1,
  U: (value) => value === undefined,
  p: (value) => typeof value !== "object" || value === null,
  j: (value) =>
    typeof value === "object" && value !== null && !(value instanceof Kept) && !isBytes(value),
  k: (value) => isKept(value, "KeyObjectHandle"),
  c: (value) => isKept(value, "X509Certificate"),
  h: (value) => isKept(value, "Hash"),
};

export function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

/** -0 is no integer to V8. */
export function isInteger(value: unknown, least: number, most: number): value is number {
  if (typeof value !== "number" || !Number.isInteger(value) || Object.is(value, -0)) return false;
  return value >= least && value <= most;
}

export function isKept(value: unknown, className: string): value is Kept {
  return value instanceof Kept && value.className === className;
}

export function isOf(kinds: string, value: unknown): boolean {
  for (const letter of kinds) if (tests[letter]?.(value) === true) return true;
  return false;
}

export function refuse(what: string): never {
  throw new KernelError("EINVAL", what);
}

/** Whether each value is of its kinds: "s un" is text, then a number or nothing. Absent values are undefined. */
export function checkKinds(kinds: string, values: readonly unknown[], what: string): void {
  const all = kinds === "" ? [] : kinds.split(" ");
  if (values.length > all.length) refuse(what);
  for (const [at, allowed] of all.entries()) if (!isOf(allowed, values[at])) refuse(what);
}
