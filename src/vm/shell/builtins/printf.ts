import { formatPrintf } from "../../programs/format-printf.ts";
import { formatTime } from "../../programs/format-time.ts";
import { findZone } from "../../programs/time-zone.ts";
import { isByteLocale } from "../expansion/characters.ts";
import { quoteBackslash } from "../expansion/quote-text.ts";
import { assignTarget, readTarget } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { readFlags } from "./builtin.ts";
import { writeOutput } from "./echo.ts";

const usage = "printf [-v var] format [arguments]";

export async function printf(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "v:", usage);
  if (flags === undefined) return 2;
  const named = flags.values.get("v");
  const target = named === undefined ? undefined : await readTarget(shell, named);
  if (named !== undefined && target === undefined) {
    await shell.complain(`printf: \`${named}': not a valid identifier`);
    return 2;
  }
  const [format, ...values] = flags.operands;
  if (format === undefined) {
    await shell.write(2, `printf: usage: ${usage}\n`);
    return 2;
  }
  const nowMs = format.includes("T") ? (await shell.sys.clock()).nowMs : 0;
  const isBytes = isByteLocale(shell);
  const { text, errors, warnings } = formatPrintf(format, values, {
    quote: (word) => quoteBackslash(word, isBytes),
    formatTime: (time, seconds) =>
      formatTime(
        time,
        seconds === -1 ? nowMs : seconds * 1000,
        findZone(shell.variables.get("TZ")),
      ),
    isBuiltin: true,
    isBytes,
  });
  for (const problem of [...errors, ...warnings]) await shell.complain(`printf: ${problem}`);
  if (target !== undefined) {
    return (await assignOrSay(shell, target, text)) && errors.length === 0 ? 0 : 1;
  }
  return (await writeOutput(shell, "printf", text)) === 0 && errors.length === 0 ? 0 : 1;
}

/** A variable's value ends at a NUL. A readonly one is said, and is a failure of the command only. */
async function assignOrSay(
  shell: Shell,
  target: Parameters<typeof assignTarget>[1],
  text: string,
): Promise<boolean> {
  try {
    assignTarget(shell, target, text.split("\0", 1)[0] ?? "");
    return true;
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach === "shell") throw error;
    await shell.complain(error.message);
    return false;
  }
}
