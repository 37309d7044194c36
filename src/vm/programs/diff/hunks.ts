/** Changes gathered to hunks, and which of them make no difference (-B, -I). */
import { decodeText } from "../../../kernel/index.ts";
import type { Change } from "./find-changes.ts";
import { isSpace } from "./line-classes.ts";
import type { Settings } from "./settings.ts";
import type { TextLines } from "./text-lines.ts";

/** Two files and what differs between them. */
export interface Comparison {
  readonly a: TextLines;
  readonly b: TextLines;
  readonly changes: readonly Change[];
}

/** Lines of both files, first to last; a last below the first is none. */
export interface Hunk {
  readonly changes: readonly Change[];
  readonly first0: number;
  readonly last0: number;
  readonly first1: number;
  readonly last1: number;
  readonly hasOld: boolean;
  readonly hasNew: boolean;
}

/** Changes each by itself, without those that make no difference. */
export function listHunks({ a, b, changes }: Comparison, settings: Settings): Hunk[] {
  const hunks: Hunk[] = [];
  for (const change of changes)
    if (!isTrivial([change], { a, b, changes }, settings)) hunks.push(makeHunk([change]));
  return hunks;
}

/** Changes that stand close together in one hunk, for the styles with context. */
export function groupHunks(comparison: Comparison, settings: Settings): Hunk[] {
  const { changes } = comparison;
  const ignores = settings.ignoresBlank || settings.ignored.length > 0;
  const isIgnored = changes.map((change) => ignores && isTrivial([change], comparison, settings));
  const hunks: Hunk[] = [];
  for (let at = 0; at < changes.length; ) {
    const group: Change[] = [];
    for (;;) {
      const change = changes[at];
      if (change === undefined) break;
      group.push(change);
      const next = changes[at + 1];
      at += 1;
      if (next === undefined) break;
      const isNear =
        isIgnored[at - 1] === true || isIgnored[at] === true
          ? settings.context
          : settings.context * 2 + 1;
      if (next.line0 >= change.line0 + change.deleted + isNear) break;
    }
    if (!isTrivial(group, comparison, settings)) hunks.push(makeHunk(group));
  }
  return hunks;
}

function makeHunk(changes: readonly Change[]): Hunk {
  const [first] = changes;
  const last = changes.at(-1);
  return {
    changes,
    first0: first?.line0 ?? 0,
    first1: first?.line1 ?? 0,
    last0: last === undefined ? -1 : last.line0 + last.deleted - 1,
    last1: last === undefined ? -1 : last.line1 + last.inserted - 1,
    hasOld: changes.some(({ deleted }) => deleted > 0),
    hasNew: changes.some(({ inserted }) => inserted > 0),
  };
}

/** Whether all lines of the changes are blank or match what is ignored. */
function isTrivial(changes: readonly Change[], { a, b }: Comparison, settings: Settings): boolean {
  if (!settings.ignoresBlank && settings.ignored.length === 0) return false;
  return changes.every(
    ({ line0, line1, deleted, inserted }) =>
      areTrivial(a, line0, deleted, settings) && areTrivial(b, line1, inserted, settings),
  );
}

function areTrivial(lines: TextLines, first: number, count: number, settings: Settings): boolean {
  for (let line = first; line < first + count; line++) {
    const text = lines.text(line);
    const isBlank = settings.ignoresBlank && isBlankLine(text, settings);
    if (!isBlank && !matchesIgnored(text, settings)) return false;
  }
  return true;
}

function isBlankLine(text: Uint8Array, { rules }: Settings): boolean {
  if (text.length === 0) return true;
  return !["kept", "tabs"].includes(rules.whiteSpace) && text.every(isSpace);
}

function matchesIgnored(text: Uint8Array, { ignored }: Settings): boolean {
  if (ignored.length === 0) return false;
  const decoded = decodeText(text);
  return ignored.some((one) => one.test(decoded));
}
