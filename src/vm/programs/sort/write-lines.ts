import type { Output } from "../output.ts";
import type { SortLines } from "./lines.ts";

/** Writes lines in that order, of equal ones the first where `isSame` is given. Answers how many bytes they are. */
export async function addLines(
  out: Output,
  lines: SortLines,
  order: Uint32Array,
  isSame: ((a: number, b: number) => number) | undefined,
): Promise<number> {
  let before: number | undefined;
  let length = 0;
  for (const line of order) {
    if (before !== undefined && isSame?.(before, line) === 0) continue;
    before = line;
    addLine(out, lines, line);
    length += lines.end(line) - lines.start(line) + 1;
    if (out.isFull) await out.flush();
  }
  await out.flush();
  return length;
}

/** With its delimiter. */
export function addLine(out: Output, lines: SortLines, line: number): void {
  out.add(lines.bytes.subarray(lines.start(line), lines.end(line) + 1));
}
