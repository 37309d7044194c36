/** What head and tail have in common: options for a part of each file, named where there are several. */
import { isKernelError, type Sys } from "../../kernel/index.ts";
import { asNumber, rangedNumber } from "./number-argument.ts";
import { type OptionRow, UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { errorWords, quoteName, type Run } from "./program.ts";

/** `verb` is what their help says for writing. */
export function partOptions(verb: "print" | "output"): readonly OptionRow[] {
  return [
    { short: "q", long: "quiet", help: `never ${verb} headers giving file names` },
    { long: "silent", help: "same as --quiet" },
    { short: "v", long: "verbose", help: `always ${verb} headers giving file names` },
    { short: "z", long: "zero-terminated", help: "line delimiter is NUL, not newline" },
    ...Array.from("0123456789", (digit) => ({
      short: digit,
      value: "NUM",
      isOptional: true,
      help: "same as -n",
    })),
  ];
}

export function partSummary(which: "first" | "last"): string {
  return `Print the ${which} 10 lines of each FILE to standard output.\nWith more than one FILE, precede each with a header giving the file name.`;
}

/** Writes to standard output; a failure is told from one of the input. */
export async function writePart(sys: Sys, bytes: Uint8Array): Promise<void> {
  try {
    await writeAll(sys, 1, bytes);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`error writing 'standard output': ${errorWords(error)}`, {
      hasHint: false,
    });
  }
}

/** Says what is wrong with an input; of stdin, that it is not open, with the verb that the program has for it. */
export async function failOnPart(
  run: Run,
  error: unknown,
  { operand, stdin }: { readonly operand: string; readonly stdin: string },
): Promise<void> {
  if (!isKernelError(error)) throw error;
  const words = errorWords(error);
  if (error.errno === "EISDIR") await run.fail(`error reading ${quoteName(operand)}: ${words}`);
  else if (operand === "-") await run.fail(`${stdin} 'standard input': ${words}`);
  else await run.fail(`cannot open ${quoteName(operand)} for reading: ${words}`);
}

/** Whether each file is announced by its name. */
export function hasHeaders(run: Run, operands: readonly string[], letters = ""): boolean {
  const last = run.options.last("quiet", "silent", "verbose");
  const letter = /[qv](?=[^qv]*$)/.exec(letters)?.[0];
  if (last === "verbose" || (last === undefined && letter === "v")) return true;
  return last === undefined && letter === undefined && operands.length > 1;
}

/** A count with GNU's suffixes. Fails with a UsageError. */
export function readCount(unit: "lines" | "bytes", text: string): number {
  const suffixes = "bkKmMGTPEZY0";
  return asNumber(rangedNumber(`invalid number of ${unit}`, text, { suffixes }));
}

/** `-5`, `-20c`, `-3q`: the digits and the letters behind them. */
export function legacyCount(
  run: Run,
): { readonly digits: string; readonly letters: string } | undefined {
  const name = run.options.order.findLast((one) => /^\d$/.test(one));
  if (name === undefined) return undefined;
  const text = `${name}${run.options.get(name) ?? ""}`;
  const [, digits = "", letters = ""] = /^(\d+)([^]*)$/.exec(text) ?? [];
  return { digits, letters };
}
