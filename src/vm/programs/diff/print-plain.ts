/** The styles without context: normal, -e, -f and -n. */
import type { DiffOutput } from "./diff-output.ts";
import { type Comparison, type Hunk, listHunks } from "./hunks.ts";

/** `first,last`, or one number; a range without lines is the line before it. */
export function lineRange(first: number, last: number, comma = ","): string {
  return last > first ? `${first + 1}${comma}${last + 1}` : String(last + 1);
}

function letterOf({ hasOld, hasNew }: Hunk): string {
  return hasOld && hasNew ? "c" : hasOld ? "d" : "a";
}

export async function printNormal(output: DiffOutput, comparison: Comparison): Promise<void> {
  const { a, b } = comparison;
  for (const hunk of listHunks(comparison, output.settings)) {
    const { first0, last0, first1, last1, hasOld, hasNew } = hunk;
    const head = `${lineRange(first0, last0)}${letterOf(hunk)}${lineRange(first1, last1)}`;
    output.paint(`${head}\n`, "hunk");
    if (hasOld)
      for (let line = first0; line <= last0; line++) await output.line("<", a, line, "removed");
    if (hasOld && hasNew) output.out.addText("---\n");
    if (hasNew)
      for (let line = first1; line <= last1; line++) await output.line(">", b, line, "added");
  }
}

/** A script for ed, from the end to the beginning. */
export async function printEd(output: DiffOutput, comparison: Comparison): Promise<void> {
  for (const hunk of listHunks(comparison, output.settings).toReversed()) {
    output.out.addText(`${lineRange(hunk.first0, hunk.last0)}${letterOf(hunk)}\n`);
    if (hunk.hasNew) await printInserted(output, comparison, hunk);
  }
}

async function printInserted(
  output: DiffOutput,
  { b }: Comparison,
  { first1, last1 }: Hunk,
): Promise<void> {
  let isInserting = true;
  for (let line = first1; line <= last1; line++) {
    if (!isInserting) output.out.addText("a\n");
    const text = b.text(line);
    const isDot = text.length === 1 && text[0] === 0x2e && b.hasNewline(line);
    isInserting = !isDot;
    if (isDot) output.out.addText("..\n.\ns/.//\n");
    else await printBare(output, b.whole(line));
  }
  if (isInserting) output.out.addText(".\n");
}

/** ed knows no line without its newline. */
async function printBare(output: DiffOutput, line: Uint8Array): Promise<void> {
  output.out.add(line);
  if (line.at(-1) !== 10) output.out.addByte(10);
  if (output.out.isFull) await output.out.flush();
}

export async function printForwardEd(output: DiffOutput, comparison: Comparison): Promise<void> {
  for (const hunk of listHunks(comparison, output.settings)) {
    output.out.addText(`${letterOf(hunk)}${lineRange(hunk.first0, hunk.last0, " ")}\n`);
    if (!hunk.hasNew) continue;
    for (let line = hunk.first1; line <= hunk.last1; line++)
      await printBare(output, comparison.b.whole(line));
    output.out.addText(".\n");
  }
}

export async function printRcs(output: DiffOutput, comparison: Comparison): Promise<void> {
  const { out } = output;
  for (const { first0, last0, first1, last1, hasOld, hasNew } of listHunks(
    comparison,
    output.settings,
  )) {
    if (hasOld) out.addText(`d${first0 + 1} ${last0 - first0 + 1}\n`);
    if (!hasNew) continue;
    out.addText(`a${last0 + 1} ${last1 - first1 + 1}\n`);
    for (let line = first1; line <= last1; line++) {
      out.add(comparison.b.whole(line));
      if (out.isFull) await out.flush();
    }
  }
}
