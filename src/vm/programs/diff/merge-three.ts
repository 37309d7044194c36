/** What two files changed of a third, side by side. */
import type { Sys } from "../../../kernel/index.ts";
import { type Change, findChanges } from "./find-changes.ts";
import type { TextLines } from "./text-lines.ts";

/** Lines [start, end) of each file: mine, older, yours. */
export interface Block {
  /** Whose lines differ from the other two's; `all` where each has its own. */
  readonly kind: "mine" | "older" | "yours" | "all";
  readonly ranges: readonly [Range, Range, Range];
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

export type Three = readonly [mine: TextLines, older: TextLines, yours: TextLines];

type Place = 0 | 1 | 2;

interface Step {
  readonly side: "first" | "second";
  readonly change: Change;
}

const names = ["mine", "older", "yours"] as const;

/** The blocks in which the files differ, found by comparing two of them with the one in common. */
export async function mergeThree(
  sys: Sys,
  three: Three,
  { common, stripsReturns }: { readonly common: 1 | 2; readonly stripsReturns: boolean },
): Promise<Block[]> {
  const second = common === 1 ? 2 : 1;
  const options = {
    ignoresCase: false,
    whiteSpace: stripsReturns ? "trailing" : "kept",
    tabSize: 8,
    isMinimal: false,
    horizon: 100,
    separatesCut: true,
  } as const;
  const changesOf = async (place: Place): Promise<Change[]> =>
    (await findChanges(sys, three[place], three[common], options)).map(turn);
  const steps: Step[] = [
    ...(await changesOf(0)).map((change) => ({ side: "first", change }) as const),
    ...(await changesOf(second)).map((change) => ({ side: "second", change }) as const),
  ].toSorted((a, b) => a.change.line0 - b.change.line0);
  return joinSteps(steps).map(({ sides, first, middle, last }) => {
    const isBoth = sides.size === 2;
    const isSame = isBoth && hasSameLines([three[0], first], [three[second], last]);
    const odd = isBoth ? common : sides.has("first") ? 0 : second;
    return {
      kind: isBoth && !isSame ? "all" : names[odd],
      ranges: common === 1 ? [first, middle, last] : [first, last, middle],
    };
  });
}

/** Files are compared with the common one as the second, as GNU's diff3 does. */
function turn({ line0, line1, deleted, inserted }: Change): Change {
  return { line0: line1, line1: line0, deleted: inserted, inserted: deleted };
}

interface Joined {
  readonly sides: ReadonlySet<string>;
  readonly first: Range;
  readonly middle: Range;
  readonly last: Range;
}

/** Changes that touch become one block. */
function joinSteps(steps: readonly Step[]): Joined[] {
  const shifts = { first: 0, second: 0 };
  const joined: Joined[] = [];
  for (let at = 0; at < steps.length; ) {
    const start = steps[at]?.change.line0 ?? 0;
    let end = start;
    const before = { ...shifts };
    const sides = new Set<string>();
    for (let step = steps[at]; step !== undefined; step = steps[at]) {
      const { side, change } = step;
      if (change.line0 > end) break;
      end = Math.max(end, change.line0 + change.deleted);
      shifts[side] += change.inserted - change.deleted;
      sides.add(side);
      at += 1;
    }
    const range = (side: "first" | "second"): Range => ({
      start: start + before[side],
      end: end + shifts[side],
    });
    joined.push({ sides, first: range("first"), middle: { start, end }, last: range("second") });
  }
  return joined;
}

type Part = readonly [lines: TextLines, range: Range];

function hasSameLines([a, first]: Part, [b, second]: Part): boolean {
  const count = first.end - first.start;
  if (count !== second.end - second.start) return false;
  for (let at = 0; at < count; at++)
    if (!isSame(a.whole(first.start + at), b.whole(second.start + at))) return false;
  return true;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
