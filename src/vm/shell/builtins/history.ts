/** `history`: shows, edits and saves the list of remembered commands. */
import { isKernelError } from "../../../kernel/index.ts";
import { formatTime } from "../../programs/format-time.ts";
import { findZone, type TimeZone } from "../../programs/time-zone.ts";
import { expandHistory } from "../history/expand-history.ts";
import { HistoryError } from "../history/history-error.ts";
import { appendHistoryFile, readHistoryFile, writeHistoryFile } from "../history/history-file.ts";
import { historySize } from "../history/history-settings.ts";
import { rememberCommand } from "../history/remember-line.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { type Flags, readFlags, readNumber } from "./builtin.ts";

const usage =
  "history [-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]";

export async function history(shell: Shell, words: readonly string[]): Promise<number> {
  shell.history.stifle(historySize(shell));
  const flags = await readFlags(shell, words, "acd:npsrw", usage);
  if (flags === undefined) return 2;
  const { on, operands } = flags;
  if (["a", "n", "r", "w"].filter((letter) => on.has(letter)).length > 1) {
    await shell.complain("history: cannot use more than one of -anrw");
    return 1;
  }
  if (on.has("c")) {
    shell.history.clear();
    if (on.size === 1 && operands.length === 0) return 0;
  }
  if (on.has("s")) {
    if (operands.length > 0) await push(shell, operands.join(" "));
    return 0;
  }
  if (on.has("p")) return operands.length === 0 ? 0 : showExpanded(shell, operands);
  if (on.has("d")) return remove(shell, flags.values.get("d") ?? "");
  if (["a", "n", "r", "w"].some((letter) => on.has(letter))) return transfer(shell, flags);
  if (on.has("c")) return 0;
  return list(shell, operands);
}

/** The list without the command that runs. */
function dropOwnCommand(shell: Shell): void {
  const { history: entries } = shell;
  if (!entries.isLastAdded) return;
  entries.remove(entries.length - 1);
  entries.newCount = Math.max(0, entries.newCount - 1);
  entries.isLastAdded = false;
}

async function push(shell: Shell, text: string): Promise<void> {
  if (shell.options.has("history")) dropOwnCommand(shell);
  await rememberCommand(shell, text);
  shell.history.isLastAdded = false;
}

async function showExpanded(shell: Shell, operands: readonly string[]): Promise<number> {
  if (shell.options.has("history")) dropOwnCommand(shell);
  let status = 0;
  for (const operand of operands) {
    try {
      const { text } = expandHistory(operand, {
        history: shell.history,
        hasExtglob: shell.options.has("extglob"),
        isPosix: shell.options.has("posix"),
        quote: "",
      });
      await shell.write(1, `${text}\n`);
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      await shell.complain(`history: ${operand}: history expansion failed`);
      status = 1;
    }
  }
  return status;
}

async function remove(shell: Shell, offset: string): Promise<number> {
  const { history: entries } = shell;
  const range = /^(-?\d+)-(-?\d+)$/.exec(offset);
  const [start, end] = range === null ? [offset, offset] : [range[1] ?? "", range[2] ?? ""];
  const first = findIndex(shell, start);
  const last = findIndex(shell, end);
  const isOutside = (index: number | undefined): boolean =>
    index === undefined || index < 0 || index >= entries.length;
  const bad = isOutside(first) ? start : isOutside(last) ? end : undefined;
  if (bad !== undefined || first === undefined || last === undefined || last < first) {
    await shell.complain(`history: ${bad ?? offset}: history position out of range`);
    return 1;
  }
  entries.remove(first, last - first + 1);
  entries.newCount = Math.max(0, entries.newCount - (last - first + 1));
  return 0;
}

/** A number as an index; negative ones count from the end. */
function findIndex(shell: Shell, text: string): number | undefined {
  const number = readNumber(text);
  if (number === undefined) return undefined;
  const { history: entries } = shell;
  return number < 0 ? entries.length + number : number - entries.base;
}

/** Without a file named anywhere it is `~/.history`, the history library's own default. */
async function transfer(shell: Shell, { on, operands }: Flags): Promise<number> {
  const named = operands[0] ?? shell.variables.get("HISTFILE");
  const { history: entries } = shell;
  if (on.has("a") && named === undefined) return entries.newCount > 0 ? 1 : 0;
  const path = named ?? `${shell.variables.get("HOME") ?? ""}/.history`;
  try {
    if (on.has("a")) await appendHistoryFile(shell, path);
    else if (on.has("w")) await writeHistoryFile(shell, path);
    else await readHistoryFile(shell, path, on.has("n") ? entries.fileLines : 0);
    return 0;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return 1;
  }
}

async function list(shell: Shell, operands: readonly string[]): Promise<number> {
  const [count, extra] = operands;
  const { history: entries, variables } = shell;
  if (extra !== undefined) throw new ShellError("history: too many arguments");
  const wanted = count === undefined ? entries.length : readNumber(count);
  if (wanted === undefined) {
    await shell.complain(`history: ${count}: numeric argument required`);
    return 1;
  }
  const format = variables.get("HISTTIMEFORMAT");
  const zone = findZone(variables.get("TZ"));
  const first = Math.max(0, entries.length - Math.abs(wanted));
  let shown = "";
  for (const [at, { text, time }] of entries.entries.slice(first).entries()) {
    const number = String(entries.base + first + at).padStart(5);
    const when = format === undefined || format === "" ? "" : timeText(format, time, zone);
    shown += `${number}  ${when}${text}\n`;
  }
  await shell.write(1, shown);
  return 0;
}

function timeText(format: string, time: number | undefined, zone: TimeZone): string {
  return time === undefined ? "??" : formatTime(format, time * 1000, zone);
}
