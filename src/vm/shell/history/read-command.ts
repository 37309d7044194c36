/** Lines from anywhere put together to commands, with history expansion and remembering. */
import type { Shell } from "../state/shell.ts";
import { type Expanded, expandHistory } from "./expand-history.ts";
import { findOpen } from "./find-open.ts";
import { HistoryError } from "./history-error.ts";
import { Completeness } from "./is-complete.ts";
import { rememberLine } from "./remember-line.ts";

export interface SourceLine {
  /** Without its newline. */
  readonly text: string;
  /** Whether a newline ended it, not the end of input. */
  readonly isWhole: boolean;
}

/** Where the lines of commands come from: a fd, a text, a line editor. */
export interface LineSource {
  /** `before` is the command so far. Undefined at the end of input. */
  next(before: string): Promise<SourceLine | undefined>;
  /** Told of a line that is not run for want of what its history expansion names. */
  drop?(): void;
  /** Shows an expanded line for editing, for `histverify`; without it the line is run. */
  edit?(text: string): void;
}

/** Lines up to the end of a command; undefined at the end of input. */
export async function readCommandLines(
  shell: Shell,
  source: LineSource,
): Promise<string | undefined> {
  const completeness = new Completeness();
  let text = "";
  for (;;) {
    const line = await source.next(text);
    if (line === undefined) return text === "" ? undefined : text;
    const expanded = await expandLine(shell, line.text, text, source);
    if (expanded === undefined) {
      source.drop?.();
      continue;
    }
    await rememberLine(shell, expanded.text, text);
    if (expanded.isOnlyShown) continue;
    text += expanded.text + (line.isWhole ? "\n" : "");
    if (!line.isWhole || completeness.isComplete(shell, text, expanded.text)) return text;
  }
}

/** Undefined where the line is not to be run. */
async function expandLine(
  shell: Shell,
  line: string,
  before: string,
  source: LineSource,
): Promise<Expanded | undefined> {
  const same = { text: line, isChanged: false, isOnlyShown: false };
  const { options, history } = shell;
  if (!options.has("histexpand") || !options.has("history") || !/[!^]/.test(line)) return same;
  const open = findOpen(before);
  if (open === "here-document") return same;
  try {
    const expanded = expandHistory(line, {
      history,
      hasExtglob: options.has("extglob"),
      isPosix: options.has("posix"),
      quote: open === "'" || open === '"' ? open : "",
      skipped: before !== "" && history.isCommandKept ? 1 : 0,
    });
    if (!expanded.isChanged) return same;
    if (options.has("histverify") && source.edit !== undefined && !expanded.isOnlyShown) {
      source.edit(expanded.text);
      return undefined;
    }
    await shell.write(2, `${expanded.text}\n`);
    return expanded;
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    await shell.complain(error.message);
    if (options.has("histreedit")) source.edit?.(line);
    return undefined;
  }
}
