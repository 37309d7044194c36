import { encodeText } from "../../../kernel/index.ts";
import { asNumber, readNumber } from "../number-argument.ts";
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";

/** One field of `-o`: file 0 is the field that is joined on. */
export interface OutputField {
  readonly file: 0 | 1 | 2;
  /** From 0. */
  readonly field: number;
}

export interface JoinSettings {
  readonly files: readonly string[];
  /** The field of each file, from 0. */
  readonly fields: readonly [number, number];
  /** A byte; "line" takes lines whole; undefined is blanks. */
  readonly tab: number | "line" | undefined;
  readonly list: readonly OutputField[] | undefined;
  readonly isAuto: boolean;
  readonly filler: Uint8Array;
  readonly showsUnpaired: readonly [boolean, boolean];
  readonly showsPaired: boolean;
  readonly ignoresCase: boolean;
  readonly check: "all" | "unpaired" | "none";
  readonly hasHeader: boolean;
  readonly end: number;
}

/** Fails with a UsageError in join's words. */
export function readSettings(run: Run): JoinSettings {
  const { options } = run;
  const formats = [...options.all("o")];
  const operands = takeFormats(run.operands, formats);
  const sides = [...options.all("a"), ...options.all("v")].map(fileNumber);
  const fields = joinFields(run);
  const fillers = options.all("e");
  if (fillers.some((one) => one !== fillers[0]))
    throw refused("conflicting empty-field replacement strings");
  const isAuto = formats.includes("auto");
  const lists = formats.filter((one) => one !== "auto");
  const list = lists.length === 0 ? undefined : lists.flatMap(parseList);
  const tab = readTab(options.all("t"));
  checkOperands(operands);
  const check = options.last("check-order", "nocheck-order");
  return {
    files: operands,
    fields,
    tab,
    list,
    isAuto,
    filler: encodeText(fillers[0] ?? ""),
    showsUnpaired: [sides.includes(1), sides.includes(2)],
    showsPaired: !options.has("v"),
    ignoresCase: options.has("ignore-case"),
    check: check === "check-order" ? "all" : check === undefined ? "unpaired" : "none",
    hasHeader: options.has("header"),
    end: options.has("zero-terminated") ? 0 : 10,
  };
}

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

/** Operands before the files that belong to `-o`, as in `-o 1.1 2.1 a b`. */
function takeFormats(operands: readonly string[], formats: string[]): string[] {
  const files = [...operands];
  while (formats.length > 0 && files.length > 2 && /^(?:0|[12]\.\d)/.test(files[0] ?? ""))
    formats.push(files.shift() ?? "");
  return files;
}

function checkOperands(files: readonly string[]): void {
  const [first, second, extra] = files;
  if (first === undefined) throw new UsageError("missing operand");
  if (second === undefined) throw new UsageError(`missing operand after ${quoteText(first)}`);
  if (extra !== undefined) throw new UsageError(`extra operand ${quoteText(extra)}`);
}

function joinFields(run: Run): [number, number] {
  const chosen: [number | undefined, number | undefined] = [undefined, undefined];
  const values = new Map(["j", "1", "2"].map((name) => [name, [...run.options.all(name)]]));
  for (const name of run.options.order) {
    const text = values.get(name)?.shift();
    if (text === undefined) continue;
    const field = fieldNumber(text);
    for (const side of name === "j" ? [0, 1] : [Number(name) - 1]) {
      const before = chosen[side];
      if (before !== undefined && before !== field)
        throw refused(`incompatible join fields ${before + 1}, ${field + 1}`);
      chosen[side] = field;
    }
  }
  return [chosen[0] ?? 0, chosen[1] ?? 0];
}

/** From 0. */
function fieldNumber(text: string): number {
  const { value, problem } = readNumber(text);
  if (problem === "overflow") return Number.MAX_SAFE_INTEGER;
  if (problem !== undefined || value === 0n)
    throw refused(`invalid field number: ${quoteText(text)}`);
  return asNumber(value) - 1;
}

function fileNumber(text: string): number {
  const { value, problem } = readNumber(text);
  if (problem !== undefined || value < 1n || value > 2n)
    throw refused(`invalid field number: ${quoteText(text)}`);
  return Number(value);
}

function parseList(text: string): OutputField[] {
  return text.split(/[, \t]/).map((item) => {
    if (item === "0") return { file: 0, field: 0 };
    const number = item.charAt(0);
    if (number === "0") throw refused(`invalid field specifier: ${quoteText(item)}`);
    if (number !== "1" && number !== "2")
      throw refused(`invalid file number in field spec: ${quoteText(item)}`);
    if (item.charAt(1) !== ".") throw refused(`invalid field specifier: ${quoteText(item)}`);
    return { file: number === "1" ? 1 : 2, field: fieldNumber(item.slice(2)) };
  });
}

function readTab(texts: readonly string[]): number | "line" | undefined {
  let tab: number | "line" | undefined;
  for (const text of texts) {
    const bytes = encodeText(text);
    if (bytes.length > 1 && text !== "\\0") throw refused(`multi-character tab ${quoteText(text)}`);
    const next = bytes.length === 0 ? "line" : text === "\\0" ? 0 : (bytes[0] ?? 0);
    if (tab !== undefined && tab !== next) throw refused("incompatible tabs");
    tab = next;
  }
  return tab;
}
