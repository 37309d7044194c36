/** The orders of PROCINFO["sorted_in"], `asort` and `asorti`. */
import { AwkArray, type Key } from "./awk-array.ts";
import { AwkFatalError } from "./awk-error.ts";
import { callByName } from "./call-by-name.ts";
import type { Compiler } from "./compiler.ts";
import { leadingNumber } from "./number-text.ts";
import { compareNumbers, compareTexts, InputText, toNumber, type Value } from "./value.ts";

export interface Entry {
  readonly key: Key;
  readonly value: Value;
}

type Compare = (left: Entry, right: Entry) => number;

/** A loop's subscripts: in gawk's own order, or the one PROCINFO asks for. */
export async function sortedKeys(compiler: Compiler, array: AwkArray): Promise<readonly Key[]> {
  const { rt } = compiler;
  const wanted = rt.procinfo.find("sorted_in");
  const how = wanted === undefined ? "" : rt.text(wanted.value);
  if (how === "" || how === "@unsorted") return array.keys();
  const entries = listEntries(array);
  return (await sortEntries(compiler, entries, how)).map(({ key }) => key);
}

export function listEntries(array: AwkArray): Entry[] {
  return array.keys().map((key) => ({ key, value: array.find(key)?.value }));
}

/** By one of gawk's orders, or by a function of the program's. Fails with an AwkFatalError. */
export async function sortEntries(
  compiler: Compiler,
  entries: readonly Entry[],
  how: string,
): Promise<readonly Entry[]> {
  const { rt } = compiler;
  const match = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(how);
  if (match === null) {
    if (how.startsWith("@") || !compiler.functions.has(how))
      throw new AwkFatalError(`sort comparison function \`${how}' is not defined`);
    return mergeSort(entries, async (left, right) =>
      toNumber(
        await callByName(compiler, how, [
          String(left.key),
          left.value,
          String(right.key),
          right.value,
        ]),
      ),
    );
  }
  const [, part = "", kind = "", direction = ""] = match;
  const compare = part === "ind" ? compareKeys(kind) : compareByValue(compiler, kind);
  const sign = direction === "desc" ? -1 : 1;
  const ignoreCase = rt.ignoreCase;
  return entries.toSorted(
    (left, right) => sign * (compare(left, right) || tie(left, right, ignoreCase)),
  );
}

/** What compares as equal is told apart by its subscript. */
function tie(left: Entry, right: Entry, ignoreCase: boolean): number {
  return compareTexts(String(left.key), String(right.key), ignoreCase);
}

function compareKeys(kind: string): Compare {
  if (kind === "num")
    return (left, right) => compareNumbers(keyNumber(left.key), keyNumber(right.key));
  return (left, right) => compareTexts(String(left.key), String(right.key));
}

function keyNumber(key: Key): number {
  return typeof key === "number" ? key : leadingNumber(key);
}

/** Arrays stand behind everything else; by type, numbers before texts. */
function compareByValue({ rt }: Compiler, kind: string): Compare {
  return (left, right) => {
    const isLeft = left.value instanceof AwkArray;
    const isRight = right.value instanceof AwkArray;
    if (isLeft || isRight) return Number(isLeft) - Number(isRight);
    if (kind === "num") return compareNumbers(toNumber(left.value), toNumber(right.value));
    if (kind === "str") return compareTexts(rt.text(left.value), rt.text(right.value));
    const leftRank = rank(left.value);
    const rightRank = rank(right.value);
    if (leftRank !== rightRank) return leftRank - rightRank;
    return leftRank === 1
      ? compareNumbers(toNumber(left.value), toNumber(right.value))
      : compareTexts(rt.text(left.value), rt.text(right.value), rt.ignoreCase);
  };
}

function rank(value: Value): number {
  if (value === undefined || typeof value === "number") return 1;
  return value instanceof InputText && value.number !== undefined ? 1 : 2;
}

/** By a comparison that may wait; equal ones keep their order. */
async function mergeSort(
  entries: readonly Entry[],
  compare: (left: Entry, right: Entry) => Promise<number>,
): Promise<readonly Entry[]> {
  if (entries.length < 2) return entries;
  const half = entries.length >> 1;
  const left = await mergeSort(entries.slice(0, half), compare);
  const right = await mergeSort(entries.slice(half), compare);
  const made: Entry[] = [];
  let at = 0;
  for (const one of left) {
    for (let other = right[at]; other !== undefined; other = right[at]) {
      if ((await compare(one, other)) <= 0) break;
      made.push(other);
      at += 1;
    }
    made.push(one);
  }
  return [...made, ...right.slice(at)];
}
