import { decodeText } from "../../kernel/index.ts";
import type { LineSource, SourceLine } from "./history/read-command.ts";
import { expandPrompt } from "./prompt.ts";
import { readUntil } from "./state/read-line.ts";
import type { Shell } from "./state/shell.ts";

/** An interactive shell's lines without editing: a pipe's, or a terminal's that can only print. */
export class PlainSource implements LineSource {
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  async next(before: string): Promise<SourceLine | undefined> {
    const shell = this.#shell;
    await shell.write(2, withoutMarks(await promptText(shell, before === "")));
    const line = await readUntil(shell, 0, 10);
    return line === undefined ? undefined : { text: decodeText(line.bytes), isWhole: line.isWhole };
  }
}

/** PS1 for a command's first line, PS2 for its others. */
export async function promptText(shell: Shell, isFirst: boolean): Promise<string> {
  const text = isFirst
    ? (shell.variables.get("PS1") ?? "\\u@\\h:\\w\\$ ")
    : (shell.variables.get("PS2") ?? "> ");
  return expandPrompt(shell, text);
}

/** A prompt without the marks around what takes no room on the screen. */
export function withoutMarks(prompt: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the marks
  return prompt.replace(/[\x01\x02]/g, "");
}
