/** `--line-format`, `--group-format` and `-D`. */
import type { DiffOutput } from "./diff-output.ts";
import { type Comparison, listHunks } from "./hunks.ts";
import type { TextLines } from "./text-lines.ts";

type Kind = "old" | "new" | "unchanged" | "changed";

/** Lines of both files a group is made of, ends not included. */
interface Group {
  readonly kind: Kind;
  readonly start0: number;
  readonly end0: number;
  readonly start1: number;
  readonly end1: number;
}

export async function printFormat(output: DiffOutput, comparison: Comparison): Promise<void> {
  let [at0, at1] = [0, 0];
  const common = (end0: number, end1: number): Group => ({
    kind: "unchanged",
    start0: at0,
    end0,
    start1: at1,
    end1,
  });
  for (const { first0, last0, first1, last1, hasOld, hasNew } of listHunks(
    comparison,
    output.settings,
  )) {
    await printGroup(output, comparison, common(first0, first1));
    const kind = hasOld && hasNew ? "changed" : hasOld ? "old" : "new";
    at0 = last0 + 1;
    at1 = last1 + 1;
    const group = { kind, start0: first0, end0: at0, start1: first1, end1: at1 } as const;
    await printGroup(output, comparison, group);
  }
  await printGroup(output, comparison, common(comparison.a.count, comparison.b.count));
}

async function printGroup(output: DiffOutput, { a, b }: Comparison, group: Group): Promise<void> {
  const { kind, start0, end0, start1, end1 } = group;
  if (start0 === end0 && start1 === end1) return;
  const { groups, lines } = output.settings.formats;
  const write = async (format: string, from: TextLines, range: readonly [number, number]) => {
    for (let line = range[0]; line < range[1]; line++) await printLine(output, format, from, line);
  };
  for (const part of splitFormat(groups[kind])) {
    if (part === "%<") await write(lines.old, a, [start0, end0]);
    else if (part === "%>") await write(lines.new, b, [start1, end1]);
    else if (part === "%=") await write(lines.unchanged, a, [start0, end0]);
    else output.out.addText(part.startsWith("%") ? fillNumber(part, group) : part);
  }
}

async function printLine(
  { out }: DiffOutput,
  format: string,
  lines: TextLines,
  line: number,
): Promise<void> {
  for (const part of splitFormat(format)) {
    if (part === "%l") out.add(lines.text(line));
    else if (part === "%L") out.add(lines.whole(line));
    else if (part.endsWith("n") && part.startsWith("%")) out.addText(showNumber(part, line + 1));
    else out.addText(part.startsWith("%") ? plainPart(part) : part);
  }
  if (out.isFull) await out.flush();
}

function splitFormat(format: string): readonly string[] {
  return format.match(/%(?:-?\d*(?:\.\d+)?[doxX][a-zA-Z]|c'[^']*'|[^])|[^%]+|%$/g) ?? [];
}

function fillNumber(part: string, { start0, end0, start1, end1 }: Group): string {
  const values: Readonly<Record<string, number>> = {
    e: start0,
    f: start0 + 1,
    l: end0,
    m: end0 + 1,
    n: end0 - start0,
    E: start1,
    F: start1 + 1,
    L: end1,
    M: end1 + 1,
    N: end1 - start1,
  };
  const value = /[doxX][a-zA-Z]$/.test(part) ? values[part.slice(-1)] : undefined;
  return value === undefined ? plainPart(part) : showNumber(part, value);
}

function plainPart(part: string): string {
  if (part === "%%") return "%";
  const quoted = /^%c'(.*)'$/s.exec(part)?.[1];
  if (quoted === undefined) return part;
  return /^\\[0-7]+$/.test(quoted)
    ? String.fromCharCode(Number.parseInt(quoted.slice(1), 8))
    : quoted;
}

function showNumber(part: string, value: number): string {
  const [, sign = "", width = "", , letter = "d"] = /^%(-?)(\d*)(\.\d+)?([doxX])/.exec(part) ?? [];
  const base = letter === "o" ? 8 : letter === "d" ? 10 : 16;
  const text = letter === "X" ? value.toString(16).toUpperCase() : value.toString(base);
  const size = Math.min(Number(width), 1024);
  if (sign === "-") return text.padEnd(size);
  return text.padStart(size, width.startsWith("0") ? "0" : " ");
}
