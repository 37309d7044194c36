import { O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import type { Statement } from "../syntax/ast.ts";
import { printCommand } from "../syntax/print-command.ts";
import { runDebugTrap } from "./debug-trap.ts";
import { lastCommand } from "./subshell.ts";
import { withoutFork } from "./without-fork.ts";

/** `command &`: a subshell that nobody waits for. Without job control it reads from /dev/null. */
export async function startBackground(shell: Shell, statement: Statement): Promise<number> {
  const hasJobs = shell.options.has("monitor");
  const command = withoutFork(statement.command);
  const foreground: Statement = { ...statement, command, isBackground: false };
  const nothing = hasJobs ? undefined : await shell.sys.open("/dev/null", O_RDONLY | O_CLOEXEC);
  const body = [foreground];
  if (command.kind === "simple") {
    shell.line = command.line;
    await runDebugTrap(shell, command);
  }
  try {
    const pid = await shell.interpreter.startSubshell(shell, {
      run: (child) => {
        child.options.set("monitor", false);
        if (command.kind === "simple") child.traps.delete("DEBUG");
        child.finalCommand = lastCommand(body);
        return child.interpreter.runStatements(child, body);
      },
      isSimpleCommand: command.kind === "simple",
      ...(nothing === undefined
        ? {}
        : {
            fds: [
              { fd: 0, from: nothing },
              ...(nothing > 2 ? [{ fd: nothing, close: true } as const] : []),
            ],
          }),
      ...(hasJobs ? { pgid: 0 } : { ignoresInterrupts: true }),
    });
    shell.lastBackgroundPid = pid;
    const job = shell.jobs.add([pid], pid, printCommand(statement.command));
    if (shell.isInteractive) await shell.write(2, `[${job.id}] ${pid}\n`);
  } finally {
    if (nothing !== undefined) await shell.sys.close(nothing);
  }
  return 0;
}
