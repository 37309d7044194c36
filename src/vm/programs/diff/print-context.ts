/** The styles with context: unified and context. */
import { decodeText } from "../../../kernel/index.ts";
import type { TextRegExp } from "../regexp/text-regexp.ts";
import type { DiffOutput } from "./diff-output.ts";
import type { Change } from "./find-changes.ts";
import { type Comparison, groupHunks, type Hunk } from "./hunks.ts";
import type { TextLines } from "./text-lines.ts";

/** What is shown of the line that names a function. */
const FUNCTION_WIDTH = 40;

export async function printUnified(output: DiffOutput, comparison: Comparison): Promise<void> {
  const { a, b } = comparison;
  const functions = new FunctionFinder(a, output.settings.functionLine);
  for (const hunk of groupHunks(comparison, output.settings)) {
    const { first0, last0, first1, last1 } = widen(hunk, comparison, output.settings.context);
    const ranges = `@@ -${unifiedRange(first0, last0)} +${unifiedRange(first1, last1)} @@`;
    output.paint(ranges, "hunk");
    output.out.addText(`${functions.before(first0)}\n`);
    let [at0, at1] = [first0, first1];
    for (const { line0, deleted, inserted } of hunk.changes) {
      for (; at0 < line0; at0++, at1++) await output.unifiedLine(" ", a, at0, "none");
      for (const end = at0 + deleted; at0 < end; at0++)
        await output.unifiedLine("-", a, at0, "removed");
      for (const end = at1 + inserted; at1 < end; at1++)
        await output.unifiedLine("+", b, at1, "added");
    }
    for (; at0 <= last0; at0++) await output.unifiedLine(" ", a, at0, "none");
  }
}

function unifiedRange(first: number, last: number): string {
  if (last > first) return `${first + 1},${last - first + 1}`;
  return last === first ? String(last + 1) : `${last + 1},0`;
}

export async function printContext(output: DiffOutput, comparison: Comparison): Promise<void> {
  const { a, b } = comparison;
  const functions = new FunctionFinder(a, output.settings.functionLine);
  for (const hunk of groupHunks(comparison, output.settings)) {
    const wide = widen(hunk, comparison, output.settings.context);
    const { first0, last0, first1, last1 } = wide;
    output.out.addText(`***************${functions.before(first0)}\n`);
    output.paint(`*** ${contextRange(first0, last0)} ****`, "hunk");
    output.out.addText("\n");
    if (hunk.hasOld) await printSide(output, a, { ...wide, isOld: true, changes: hunk.changes });
    output.paint(`--- ${contextRange(first1, last1)} ----`, "hunk");
    output.out.addText("\n");
    if (hunk.hasNew) await printSide(output, b, { ...wide, isOld: false, changes: hunk.changes });
  }
}

function contextRange(first: number, last: number): string {
  return last > first ? `${first + 1},${last + 1}` : String(last + 1);
}

interface Side extends Wide {
  readonly isOld: boolean;
  readonly changes: readonly Change[];
}

async function printSide(output: DiffOutput, lines: TextLines, side: Side): Promise<void> {
  const { isOld, changes } = side;
  const first = isOld ? side.first0 : side.first1;
  const last = isOld ? side.last0 : side.last1;
  let next = 0;
  for (let line = first; line <= last; line++) {
    while (next < changes.length && endOf(changes[next], isOld) <= line) next += 1;
    const change = changes[next];
    const start = change === undefined ? Number.POSITIVE_INFINITY : startOf(change, isOld);
    const isBoth = change !== undefined && change.deleted > 0 && change.inserted > 0;
    const flag = start > line ? " " : isBoth ? "!" : isOld ? "-" : "+";
    await output.line(flag, lines, line, isOld ? "removed" : "added");
  }
}

function startOf({ line0, line1 }: Change, isOld: boolean): number {
  return isOld ? line0 : line1;
}

function endOf(change: Change | undefined, isOld: boolean): number {
  if (change === undefined) return Number.POSITIVE_INFINITY;
  return startOf(change, isOld) + (isOld ? change.deleted : change.inserted);
}

interface Wide {
  readonly first0: number;
  readonly last0: number;
  readonly first1: number;
  readonly last1: number;
}

/** A hunk with its context. */
function widen({ first0, last0, first1, last1 }: Hunk, { a, b }: Comparison, by: number): Wide {
  return {
    first0: Math.max(first0 - by, 0),
    first1: Math.max(first1 - by, 0),
    last0: Math.min(last0 + by, a.count - 1),
    last1: Math.min(last1 + by, b.count - 1),
  };
}

/** Finds the last line before a hunk that starts a function; each line is looked at once. */
class FunctionFinder {
  readonly #lines: TextLines;
  readonly #pattern: TextRegExp | undefined;
  #searched = 0;
  #found = "";

  constructor(lines: TextLines, pattern: TextRegExp | undefined) {
    this.#lines = lines;
    this.#pattern = pattern;
  }

  /** Behind a space, or nothing. */
  before(first: number): string {
    const pattern = this.#pattern;
    if (pattern === undefined) return "";
    for (let line = first - 1; line >= this.#searched; line--) {
      const text = decodeText(this.#lines.text(line));
      if (!pattern.test(text)) continue;
      const shown = text.replace(/^[ \t\v\f\r]+/, "").slice(0, FUNCTION_WIDTH);
      this.#found = ` ${shown.replace(/[ \t\v\f\r]+$/, "")}`;
      break;
    }
    this.#searched = Math.max(this.#searched, first);
    return this.#found;
  }
}
