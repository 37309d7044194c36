/** Lists of commands: `;`, `&`, `&&`, `||`, `set -e`, and the traps between them. */

import type { Shell } from "../state/shell.ts";
import { ShellExit } from "../state/unwind.ts";
import type { AndOr, ListNode, PipelineNode, Statement } from "../syntax/ast.ts";
import { startBackground } from "./background.ts";
import { runCommand } from "./command.ts";
import { runPipeline } from "./pipeline.ts";
import { runPendingTraps, runTrap } from "./run-trap.ts";

/** Statements between two yields: a loop of builtins runs for well under a millisecond. */
const YIELD_MASK = 63;

export async function runStatements(
  shell: Shell,
  statements: readonly Statement[],
): Promise<number> {
  let status = 0;
  for (const statement of statements) {
    if (shell.options.has("noexec") && !shell.isInteractive) return status;
    shell.steps += 1;
    if ((shell.steps & YIELD_MASK) === 0) await shell.sys.schedYield();
    status = statement.isBackground
      ? await startBackground(shell, statement)
      : await runList(shell, statement.command);
    shell.status = status;
    if (shell.traps.isCatching || shell.isInteractive) await runPendingTraps(shell);
  }
  return status;
}

function runList(shell: Shell, node: ListNode): Promise<number> {
  return node.kind === "and-or" ? runAndOr(shell, node) : runNode(shell, node);
}

async function runAndOr(shell: Shell, node: AndOr): Promise<number> {
  const last = node.rest.length - 1;
  let status = await guarded(shell, () => runNode(shell, node.first));
  shell.status = status;
  for (const [at, { operator, command }] of node.rest.entries()) {
    if ((operator === "&&") !== (status === 0)) continue;
    status = await (at === last
      ? runNode(shell, command)
      : guarded(shell, () => runNode(shell, command)));
    shell.status = status;
  }
  return status;
}

/** Runs a command whose failure is looked at: `set -e` and ERR do not apply. */
async function guarded(shell: Shell, step: () => Promise<number>): Promise<number> {
  shell.errexitGuards += 1;
  try {
    return await step();
  } finally {
    shell.errexitGuards -= 1;
  }
}

async function runNode(shell: Shell, node: PipelineNode): Promise<number> {
  if (node.kind !== "pipeline") {
    shell.hasRedirectFailed = false;
    const status = await runCommand(shell, node);
    const isOwn = failsByItself(node);
    if (isOwn) shell.pipeStatus = [status];
    if (status === 0 || shell.errexitGuards > 0) return status;
    return isOwn || shell.hasRedirectFailed ? failed(shell, status) : status;
  }
  if (!node.isNegated) {
    const status = await runPipeline(shell, node);
    return status === 0 || shell.errexitGuards > 0 ? status : failed(shell, status);
  }
  const run = () => runPipeline(shell, node);
  const status = await (shell.options.has("errexit") ? guarded(shell, run) : run());
  return status === 0 ? 1 : 0;
}

/** A group or a loop fails by a command in it, which has been looked at already. */
function failsByItself(node: PipelineNode): boolean {
  if (node.kind === "redirected") return failsByItself(node.command);
  return (
    node.kind === "simple" ||
    node.kind === "subshell" ||
    node.kind === "test" ||
    node.kind === "arithmetic"
  );
}

async function failed(shell: Shell, status: number): Promise<number> {
  shell.status = status;
  if (shell.traps.get("ERR") !== undefined) await runTrap(shell, "ERR");
  if (shell.options.has("errexit")) throw new ShellExit(status);
  return status;
}
