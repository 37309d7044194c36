/** Puts the lines of a command into the history, as one entry where `cmdhist` is on. */
import type { Shell } from "../state/shell.ts";
import { findOpen } from "./find-open.ts";
import { historyControl, historySize, isIgnored } from "./history-settings.ts";

/** `before` is the text of the command so far, empty for its first line. */
export async function rememberLine(shell: Shell, line: string, before: string): Promise<void> {
  if (!shell.options.has("history")) return;
  if (before === "") {
    shell.history.isLastAdded = false;
    shell.history.isCommandKept = false;
    if (line !== "") await rememberCommand(shell, line);
    return;
  }
  if (!shell.options.has("cmdhist")) {
    if (line !== "") await rememberCommand(shell, line);
    return;
  }
  if (shell.history.isCommandKept) joinLine(shell, line, before);
}

/** Adds one entry unless HISTCONTROL or HISTIGNORE is against it. */
export async function rememberCommand(shell: Shell, text: string): Promise<void> {
  const { history } = shell;
  if (isIgnored(shell, text)) return;
  if (historyControl(shell).has("erasedups")) history.removeEqual(text);
  const { nowMs } = await shell.sys.clock();
  const time = shell.options.has("history") ? Math.floor(nowMs / 1000) : undefined;
  history.add(text, time, historySize(shell));
  history.newCount += 1;
  history.isLastAdded = true;
  history.isCommandKept = true;
}

/** A further line of the command that stands last in the list. */
function joinLine(shell: Shell, line: string, before: string): void {
  const { history } = shell;
  const entry = history.last?.text ?? "";
  const lines = before.replace(/\n$/, "").split("\n");
  const previous = lines.findLast((one) => one.trim() !== "") ?? "";
  const open = findOpen(before);
  if (open === "here-document") {
    history.replaceLast(`${entry}${entry.endsWith("\n") ? "" : "\n"}${line}\n`);
    return;
  }
  if (open !== undefined && open !== "array") {
    history.replaceLast(`${entry}\n${line}`);
    return;
  }
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(previous)) {
    history.replaceLast(`${entry.replace(/\\$/, "")}${line}`);
    return;
  }
  if (/^\s*(?:#|$)/.test(line)) return;
  const joint = open === "array" ? " " : delimiter(shell, entry, previous);
  history.replaceLast(`${entry}${joint}${line}`);
}

function delimiter(shell: Shell, entry: string, previous: string): string {
  if (entry.endsWith("\n")) return " ";
  if (shell.options.has("lithist") || /(?:^|\s)#/.test(previous)) return "\n";
  const isOpen =
    /[{();&|]\s*$/.test(previous) ||
    /(?:^|[\s;&|(])(?:case|do|else|if|then|until|while|in)\s*$/.test(previous) ||
    /(?:^|[\s;&|(])case\s+\S+\s*$/.test(previous);
  return isOpen ? " " : "; ";
}
