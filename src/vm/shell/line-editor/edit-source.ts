/** An interactive shell's lines, edited at its terminal. */
import { isKernelError } from "../../../kernel/index.ts";
import { readWhole } from "../builtins/eval.ts";
import type { LineSource, SourceLine } from "../history/read-command.ts";
import { promptText } from "../plain-source.ts";
import type { Shell } from "../state/shell.ts";
import { LineEditor } from "./line-editor.ts";
import { applyInputrc } from "./parse-inputrc.ts";

/** What readline sets for a terminal that shows UTF-8. */
const terminalVariables = [
  ["enable-bracketed-paste", "on"],
  ["convert-meta", "off"],
] as const;

export class EditSource implements LineSource {
  readonly #shell: Shell;
  readonly #editor: LineEditor;
  #text = "";

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#editor = new LineEditor(shell);
  }

  /** With the keys of the user's inputrc, or of the machine's. */
  static async open(shell: Shell): Promise<EditSource> {
    for (const [name, value] of terminalVariables) shell.keyBindings.setVariable(name, value);
    const home = shell.variables.get("HOME") ?? "";
    for (const path of [shell.variables.get("INPUTRC") ?? `${home}/.inputrc`, "/etc/inputrc"]) {
      try {
        const facts = { mode: "emacs", term: shell.variables.get("TERM") ?? "" };
        applyInputrc(shell.keyBindings, await readWhole(shell, path), facts);
        break;
      } catch (error) {
        if (!isKernelError(error)) throw error;
      }
    }
    if (shell.keyBindings.variable("editing-mode") === "vi") {
      shell.options.set("vi", true);
      shell.options.set("emacs", false);
    }
    shell.isEditing = true;
    return new EditSource(shell);
  }

  async next(before: string): Promise<SourceLine | undefined> {
    const text = this.#text;
    this.#text = "";
    const line = await this.#editor.read(await promptText(this.#shell, before === ""), text);
    return line === undefined ? undefined : { text: line, isWhole: true };
  }

  edit(text: string): void {
    this.#text = text;
  }
}
