import type { Shell } from "../state/shell.ts";
import { LoopExit } from "../state/unwind.ts";
import type { Body } from "../syntax/ast.ts";

/** Runs `body` as often as `goesOn` says so, minding `break` and `continue`, which is a success of the condition. */
export async function runLoop(
  shell: Shell,
  goesOn: () => Promise<boolean>,
  body: Body,
  endsOnContinue = false,
): Promise<number> {
  let status = 0;
  shell.loopDepth += 1;
  try {
    for (;;) {
      const goes = await inLoop(shell, goesOn);
      if (goes === false) return status;
      if (goes !== true && goes.kind === "break") return goes.status;
      if (goes !== true && endsOnContinue) return goes.status;
      if (goes !== true) {
        shell.status = goes.status;
        continue;
      }
      const outcome = await inLoop(shell, () => shell.interpreter.runStatements(shell, body));
      if (typeof outcome === "number") status = outcome;
      else if (outcome.kind === "break") return outcome.status;
      else {
        status = outcome.status;
        shell.status = status;
      }
    }
  } finally {
    shell.loopDepth -= 1;
  }
}

/** A step of a loop; where `break` or `continue` ends it for this loop, that. */
async function inLoop<T>(shell: Shell, step: () => Promise<T>): Promise<T | LoopExit> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof LoopExit)) throw error;
    return leaveLoop(shell, error);
  }
}

/** Passes a `break 2` on to the loop around. */
function leaveLoop(shell: Shell, exit: LoopExit): LoopExit {
  if (exit.levels > 1 && shell.loopDepth > 1)
    throw new LoopExit(exit.kind, exit.levels - 1, exit.status);
  return exit;
}
