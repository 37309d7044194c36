import { expandWords } from "../expansion/word.ts";
import { assignScalar } from "../state/assign.ts";
import { readLine } from "../state/read-line.ts";
import type { Shell } from "../state/shell.ts";
import { LoopExit } from "../state/unwind.ts";
import type { ForLoop } from "../syntax/ast.ts";
import { printLoopHead } from "../syntax/print-parts.ts";
import { runDebugTrap } from "./debug-trap.ts";
import { traceCommand } from "./trace.ts";

/** `select`: a menu on fd 2, a choice from fd 0, until `break` or the end of input. */
export async function runSelect(shell: Shell, command: ForLoop): Promise<number> {
  const words =
    command.words === undefined ? shell.positional : await expandWords(shell, command.words);
  if (words.length === 0) return 0;
  shell.line = command.line;
  if (!(await runDebugTrap(shell, printLoopHead(command)))) return 0;
  if (shell.options.has("xtrace")) await traceCommand(shell, printLoopHead(command));
  let status = 0;
  shell.loopDepth += 1;
  try {
    for (let showsMenu = true; ; ) {
      if (showsMenu) await shell.write(2, menu(words));
      await shell.write(2, shell.variables.get("PS3") ?? "#? ");
      const reply = await readLine(shell, 0);
      if (reply === undefined) return 1;
      showsMenu = reply === "";
      if (showsMenu) continue;
      assignScalar(shell, "REPLY", reply);
      assignScalar(
        shell,
        command.name,
        /^\d+$/.test(reply) ? (words[Number(reply) - 1] ?? "") : "",
      );
      status = await shell.interpreter.runStatements(shell, command.body);
    }
  } catch (error) {
    if (!(error instanceof LoopExit)) throw error;
    if (error.levels > 1) throw new LoopExit(error.kind, error.levels - 1, error.status);
    return status;
  } finally {
    shell.loopDepth -= 1;
  }
}

function menu(words: readonly string[]): string {
  const width = String(words.length).length;
  return words.map((word, at) => `${String(at + 1).padStart(width)}) ${word}\n`).join("");
}
