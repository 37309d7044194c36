/** Hunks in the three formats. */
import type { Hunk, HunkLine } from "./hunk.ts";

/** A patch that cannot be read on, in GNU's words behind `****`. */
export class MalformedPatchError extends Error {}

/** The lines of a patch with a place among them. Lines hold their newlines. */
export class PatchLines {
  readonly #lines: readonly string[];
  at = 0;

  constructor(text: string) {
    this.#lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  }

  /** Without its newline; undefined at the end. */
  peek(ahead = 0): string | undefined {
    return this.#lines[this.at + ahead]?.replace(/\n$/, "");
  }

  /** With its newline. */
  whole(ahead = 0): string | undefined {
    return this.#lines[this.at + ahead];
  }

  slice(start: number, end: number): readonly string[] {
    return this.#lines.slice(start, end);
  }

  fail(): MalformedPatchError {
    const line = this.#lines[this.at] ?? " \n";
    const number = Math.min(this.at + 1, this.#lines.length);
    return new MalformedPatchError(
      `malformed patch at line ${number}: ${line.endsWith("\n") ? line : `${line}\n`}`,
    );
  }
}

/** `@@ -1,2 +3,4 @@ section`. */
const unifiedHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

export function isUnifiedHead(line: string | undefined): boolean {
  return line !== undefined && unifiedHead.test(line);
}

/** The line's text, its newline dropped where `\ No newline at end of file` follows. */
function takeText(lines: PatchLines, skip: number): string {
  const whole = lines.whole() ?? "";
  lines.at += 1;
  const text = whole.slice(skip);
  if (lines.peek()?.startsWith("\\ ") !== true) return text.endsWith("\n") ? text : `${text}\n`;
  lines.at += 1;
  return text.replace(/\n$/, "");
}

/** Fails with a MalformedPatchError. */
export function parseUnified(lines: PatchLines): Hunk {
  const head = unifiedHead.exec(lines.peek() ?? "");
  if (head === null) throw lines.fail();
  const [, oldStart = "", oldCount = "1", newStart = "", newCount = "1", section = ""] = head;
  lines.at += 1;
  let [oldLeft, newLeft] = [Number(oldCount), Number(newCount)];
  const made: HunkLine[] = [];
  while (oldLeft > 0 || newLeft > 0) {
    const line = lines.whole();
    if (line === undefined) throw lines.fail();
    const first = line === "\n" || line === "" ? " " : (line[0] ?? "");
    const sign = first === "\t" ? " " : first;
    if (sign !== " " && sign !== "-" && sign !== "+") throw lines.fail();
    if ((sign !== "+" && oldLeft === 0) || (sign !== "-" && newLeft === 0)) throw lines.fail();
    if (sign !== "+") oldLeft -= 1;
    if (sign !== "-") newLeft -= 1;
    made.push({ sign, text: takeText(lines, line === "\n" || first === "\t" ? 0 : 1) });
  }
  return {
    oldStart: Number(oldStart) + (oldCount === "0" ? 1 : 0),
    newStart: Number(newStart) + (newCount === "0" ? 1 : 0),
    lines: made,
    section,
  };
}

const contextOld = /^\*\*\* (\d+)(?:,(\d+))?(?: \*{4})?/;
const contextNew = /^--- (\d+)(?:,(\d+))?(?: -{4})?/;

/** Fails with a MalformedPatchError. */
export function parseContext(lines: PatchLines): Hunk {
  const section = (lines.peek() ?? "").slice("***************".length);
  lines.at += 1;
  const head = contextOld.exec(lines.peek() ?? "");
  if (head === null) throw lines.fail();
  lines.at += 1;
  const old = takeSide(lines, "-");
  const second = contextNew.exec(lines.peek() ?? "");
  if (second === null) throw lines.fail();
  lines.at += 1;
  const fresh = takeSide(lines, "+");
  const made = mergeSides(old, fresh);
  const isOldEmpty = !made.some(({ sign }) => sign !== "+");
  const isNewEmpty = !made.some(({ sign }) => sign !== "-");
  return {
    oldStart: Number(head[1]) + (isOldEmpty ? 1 : 0),
    newStart: Number(second[1]) + (isNewEmpty ? 1 : 0),
    lines: made,
    section,
  };
}

function takeSide(lines: PatchLines, change: "-" | "+"): HunkLine[] {
  const made: HunkLine[] = [];
  for (;;) {
    const line = lines.peek();
    if (line === undefined || !/^[ !+-](?:[ \t]|$)/.test(line)) return made;
    if (contextNew.test(line) && change === "-") return made;
    const sign = line.startsWith(" ") ? " " : change;
    made.push({ sign, text: takeText(lines, 2) });
  }
}

/** One list of both sides; a side that is left out has the other's unchanged lines. */
function mergeSides(old: readonly HunkLine[], fresh: readonly HunkLine[]): HunkLine[] {
  if (old.length === 0) return [...fresh];
  if (fresh.length === 0) return [...old];
  const made: HunkLine[] = [];
  let [at0, at1] = [0, 0];
  while (at0 < old.length || at1 < fresh.length) {
    for (; old[at0]?.sign === "-"; at0++) made.push(...old.slice(at0, at0 + 1));
    for (; fresh[at1]?.sign === "+"; at1++) made.push(...fresh.slice(at1, at1 + 1));
    const same = old[at0] ?? fresh[at1];
    if (same !== undefined) made.push(same);
    at0 += 1;
    at1 += 1;
  }
  return made;
}

const normalHead = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?$/;

export function isNormalHead(line: string | undefined): boolean {
  return line !== undefined && normalHead.test(line);
}

/** Fails with a MalformedPatchError. */
export function parseNormal(lines: PatchLines): Hunk {
  const head = normalHead.exec(lines.peek() ?? "");
  if (head === null) throw lines.fail();
  const [, start = "", end = start, letter = "", newStart = "", newEnd = newStart] = head;
  lines.at += 1;
  const made: HunkLine[] = [];
  const take = (mark: string, sign: "-" | "+", count: number): void => {
    for (let left = count; left > 0; left--) {
      if (lines.peek()?.startsWith(mark) !== true) throw lines.fail();
      made.push({ sign, text: takeText(lines, 2) });
    }
  };
  if (letter !== "a") take("<", "-", Number(end) - Number(start) + 1);
  if (letter === "c") {
    if (lines.peek() !== "---") throw lines.fail();
    lines.at += 1;
  }
  if (letter !== "d") take(">", "+", Number(newEnd) - Number(newStart) + 1);
  return {
    oldStart: Number(start) + (letter === "a" ? 1 : 0),
    newStart: Number(newStart) + (letter === "d" ? 1 : 0),
    lines: made,
    section: "",
  };
}
