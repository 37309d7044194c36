import { O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import type { ListNode, Statement } from "../syntax/ast.ts";
import { lastCommand } from "./subshell.ts";

/** `command &`: a subshell that nobody waits for. Without job control it reads from /dev/null. */
export async function startBackground(shell: Shell, statement: Statement): Promise<number> {
  const hasJobs = shell.options.has("monitor");
  const command = withoutFork(statement.command);
  const foreground: Statement = { ...statement, command, isBackground: false };
  const nothing = hasJobs ? undefined : await shell.sys.open("/dev/null", O_RDONLY | O_CLOEXEC);
  const body = [foreground];
  try {
    const pid = await shell.interpreter.startSubshell(shell, {
      run: (child) => {
        child.options.set("monitor", false);
        child.finalCommand = lastCommand(body);
        return child.interpreter.runStatements(child, body);
      },
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
    const job = shell.jobs.add([pid], pid, statement.text.replace(/\s*&?\s*$/, ""));
    if (shell.isInteractive) await shell.write(2, `[${job.id}] ${pid}\n`);
  } finally {
    if (nothing !== undefined) await shell.sys.close(nothing);
  }
  return 0;
}

/** `( … ) &` is one subshell: `$!` is the one its commands run in. */
function withoutFork(node: ListNode): ListNode {
  if (node.kind === "subshell") return { ...node, kind: "group" };
  return node.kind === "redirected" && node.command.kind === "subshell"
    ? { ...node, command: { ...node.command, kind: "group" } }
    : node;
}
