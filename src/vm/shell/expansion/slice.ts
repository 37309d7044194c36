/** `${x:offset:length}`. */
import { ShellError } from "../state/shell-error.ts";
import type { Subject } from "./find-parameter.ts";

interface Slice {
  readonly kind: "list";
  readonly values: readonly string[];
  readonly isStar: boolean;
}

/** An associative array's elements are counted from 1. */
export function sliceKeyed(
  { values, isStar }: Extract<Subject, { kind: "list" }>,
  offset: number,
  length: number | undefined,
): Slice {
  const from = offset < 0 ? values.length + offset : Math.max(0, offset - 1);
  const end = length === undefined ? undefined : from + length;
  return { kind: "list", values: from < 0 ? [] : values.slice(from, end), isStar };
}

/** Where a slice of a text of `size` characters starts and ends. */
export function sliceBounds(
  size: number,
  offset: number,
  length: number | undefined,
): [number, number] {
  const from = offset < 0 ? size + offset : offset;
  if (from < 0) return [size, size];
  if (length === undefined) return [from, size];
  if (length >= 0) return [from, from + length];
  const to = size + length;
  if (to < from) throw new ShellError(`${length}: substring expression < 0`);
  return [from, to];
}
