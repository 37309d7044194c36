/** What the variables HISTSIZE, HISTFILESIZE, HISTCONTROL and HISTIGNORE ask for. */
import { compilePattern } from "../expansion/pattern.ts";
import type { Shell } from "../state/shell.ts";

/** How many entries are kept; without a number there is no limit of the user's. */
export function historySize(shell: Shell): number {
  return readLimit(shell.variables.get("HISTSIZE"));
}

/** How many lines the history file keeps. */
export function historyFileSize(shell: Shell): number {
  return readLimit(shell.variables.get("HISTFILESIZE"));
}

function readLimit(text: string | undefined): number {
  if (text === undefined || !/^\s*-?\d+\s*$/.test(text)) return Number.POSITIVE_INFINITY;
  const limit = Number(text);
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
}

/** Whether a line is one that the user does not want to be remembered. */
export function isIgnored(shell: Shell, line: string): boolean {
  const control = historyControl(shell);
  const previous = shell.history.last?.text;
  if (control.has("ignorespace") && /^[ \t]/.test(line)) return true;
  if (control.has("ignoredups") && previous === line) return true;
  return ignorePatterns(shell, previous ?? "").some((pattern) =>
    shell.remember(shell.patternCache, pattern, compilePattern).test(line),
  );
}

export function historyControl(shell: Shell): ReadonlySet<string> {
  const words = new Set((shell.variables.get("HISTCONTROL") ?? "").split(":"));
  if (words.has("ignoreboth")) {
    words.add("ignorespace");
    words.add("ignoredups");
  }
  return words;
}

/** `&` in a pattern is the previous line. */
function ignorePatterns(shell: Shell, previous: string): string[] {
  const setting = shell.variables.get("HISTIGNORE") ?? "";
  if (setting === "") return [];
  const quoted = previous.replace(/[\\*?[\]()|!+@]/g, "\\$&");
  return setting
    .split(/(?<!\\):/)
    .filter((pattern) => pattern !== "")
    .map((pattern) => pattern.replace(/\\&|&/g, (found) => (found === "&" ? quoted : "&")));
}
