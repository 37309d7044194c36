/** A subshell: the interpreter's state, copied, in a process of its own. */
import { isKernelError, signals } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import type { Shell, SubshellOptions } from "../state/shell.ts";
import { asShellError, ShellError } from "../state/shell-error.ts";
import { FunctionReturn, LoopExit, ShellExit } from "../state/unwind.ts";
import type { Command, Statement } from "../syntax/ast.ts";
import { runTrap } from "./run-trap.ts";
import { startProcess } from "./start-process.ts";

/** What bash leaves with when it cannot fork. */
const FORK_FAILED = 254;

export async function startSubshell(shell: Shell, options: SubshellOptions): Promise<number> {
  const child = shell.fork();
  child.finalCommand = options.body && lastCommand(options.body);
  child.leavesAsMain = shell.leavesAsMain && options.isSimpleCommand === true;
  const { fds, pgid, isForeground, ignoresInterrupts } = options;
  const ignore = ignoresInterrupts === true ? [signals.SIGINT, signals.SIGQUIT] : [];
  const defaults = shell.isInteractive ? shell.interactiveSignals : [];
  const run = (sys: Shell["sys"]): Promise<number> => {
    child.sys = sys;
    return runToEnd(child, () => options.run(child));
  };
  const cloneOptions = {
    ...(fds === undefined ? {} : { fds }),
    ...(pgid === undefined ? {} : { pgid }),
    ...(isForeground === undefined ? {} : { isForeground }),
    signals: {
      default: defaults.filter((signal) => !ignore.some((one) => one === signal)),
      ignore,
    },
  };
  try {
    return await startProcess(shell, () => shell.sys.clone(run, cloneOptions));
  } catch (error) {
    if (!isKernelError(error, "EAGAIN")) throw error;
    throw new ShellError(`fork: ${errorWords(error)}`, "shell", FORK_FAILED);
  }
}

/** Runs a shell's commands to the end of the shell: `exit`, errors, then the EXIT trap. */
export async function runToEnd(shell: Shell, run: () => Promise<number>): Promise<number> {
  shell.status = await settle(shell, run);
  if (shell.traps.get("EXIT") === undefined) return shell.status;
  const before = shell.status;
  const status = await settle(shell, async () => {
    await runTrap(shell, "EXIT");
    return before;
  });
  return status;
}

async function settle(shell: Shell, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ShellExit || error instanceof FunctionReturn) return error.status;
    if (error instanceof LoopExit) return 0;
    const failure = asShellError(error);
    if (failure === undefined) throw error;
    await shell.complain(failure.message);
    return failure.status;
  }
}

/** The command after which a list ends for certain; undefined where that cannot be said. */
export function lastCommand(statements: readonly Statement[]): Command | undefined {
  const last = statements.at(-1);
  if (last === undefined || last.isBackground) return undefined;
  return last.command.kind === "simple" ? last.command : undefined;
}
