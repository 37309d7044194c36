import { isKernelError } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import { expandWords } from "../expansion/word.ts";
import { assignScalar } from "../state/assign.ts";
import { readLine } from "../state/read-line.ts";
import type { Shell } from "../state/shell.ts";
import type { ForLoop } from "../syntax/ast.ts";
import { printLoopHead } from "../syntax/print-parts.ts";
import { runDebugTrap } from "./debug-trap.ts";
import { runLoop } from "./run-loop.ts";
import { traceCommand } from "./trace.ts";

/** `select`: a menu on fd 2, a choice from fd 0, until `break` or the end of input. */
export async function runSelect(shell: Shell, command: ForLoop): Promise<number> {
  const words =
    command.words === undefined ? shell.positional : await expandWords(shell, command.words);
  if (words.length === 0) return 0;
  shell.line = command.line;
  if (!(await runDebugTrap(shell, printLoopHead(command)))) return 0;
  if (shell.options.has("xtrace")) await traceCommand(shell, printLoopHead(command));
  let hasEnded = false;
  const choices = new Choices(shell, words);
  const goesOn = async (): Promise<boolean> => {
    const reply = await choices.next();
    hasEnded = reply === undefined;
    if (reply === undefined) return false;
    assignScalar(shell, "REPLY", reply);
    const chosen = /^\d+$/.test(reply) ? words[Number(reply) - 1] : undefined;
    assignScalar(shell, command.name, chosen ?? "");
    return true;
  };
  const status = await runLoop(shell, goesOn, command.body);
  return hasEnded ? 1 : status;
}

/** The replies to a menu, which is shown at first and after an empty line. */
class Choices {
  readonly #shell: Shell;
  readonly #words: readonly string[];
  #showsMenu = true;

  constructor(shell: Shell, words: readonly string[]) {
    this.#shell = shell;
    this.#words = words;
  }

  /** Undefined at the end of input, after an empty line on fd 1. */
  async next(): Promise<string | undefined> {
    const shell = this.#shell;
    for (;;) {
      if (this.#showsMenu) await shell.write(2, menu(this.#words));
      await shell.write(2, shell.variables.get("PS3") ?? "#? ");
      const reply = await this.#read();
      if (reply === undefined) await shell.write(1, "\n");
      this.#showsMenu = reply === "";
      if (reply !== "") return reply;
    }
  }

  /** Stdin that cannot be read is said, and is at its end. */
  async #read(): Promise<string | undefined> {
    try {
      return await readLine(this.#shell, 0);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#shell.complain(`read error: 0: ${errorWords(error)}`);
      return undefined;
    }
  }
}

function menu(words: readonly string[]): string {
  const width = String(words.length).length;
  return words.map((word, at) => `${String(at + 1).padStart(width)}) ${word}\n`).join("");
}
