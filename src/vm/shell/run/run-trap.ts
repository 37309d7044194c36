import { findSignalName, isKernelError, signals } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { ShellExit } from "../state/unwind.ts";

/** Runs a condition's trap; `$?` is what it was before, for the trap and after it. Answers the trap's own status. */
export async function runTrap(shell: Shell, condition: string): Promise<number> {
  const command = shell.traps.get(condition);
  if (command === undefined || command === "" || shell.runningTraps.has(condition)) return 0;
  const { status, line, pipeStatus, substitutionStatus, trapStatus: outerStatus } = shell;
  if (condition !== "DEBUG") shell.trapStatus = status;
  let trapStatus = 0;
  shell.runningTraps.add(condition);
  try {
    trapStatus = await shell.interpreter.runSource(
      shell,
      command,
      line,
      `${trapName(condition)} trap`,
    );
  } finally {
    shell.runningTraps.delete(condition);
    shell.trapStatus = outerStatus;
  }
  shell.status = status;
  shell.pipeStatus = pipeStatus;
  shell.substitutionStatus = substitutionStatus;
  shell.line = line;
  return trapStatus;
}

/** What a syntax error in a trap is said to be in. */
function trapName(condition: string): string {
  const names = new Map([
    ["EXIT", "exit"],
    ["DEBUG", "debug"],
    ["ERR", "error"],
    ["RETURN", "return"],
  ]);
  return names.get(condition) ?? condition.replace(/^SIG/, "").toLowerCase();
}

/**
 * Runs the traps of the signals that have come. Without a trap Ctrl-C drops the line that runs, and
 * the terminal's end is the shell's.
 */
export async function runPendingTraps(shell: Shell): Promise<void> {
  await shell.collectSignals();
  for (
    let signal = shell.pendingSignals.shift();
    signal !== undefined;
    signal = shell.pendingSignals.shift()
  ) {
    const condition = findSignalName(signal) ?? "";
    const isTrapped = shell.traps.get(condition) !== undefined;
    if (!isTrapped && signal === signals.SIGHUP) {
      await hangUpJobs(shell);
      throw new ShellExit(128 + signal);
    }
    if (!isTrapped) throw new ShellError("", "line", 128 + signal);
    await runTrap(shell, condition);
  }
}

/** The jobs of a shell whose terminal is gone are told so. */
async function hangUpJobs({ sys, jobs }: Shell): Promise<void> {
  for (const job of jobs.list()) {
    if (job.state === "done") continue;
    try {
      await sys.kill(-job.pgid, signals.SIGHUP);
      await sys.kill(-job.pgid, signals.SIGCONT);
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
  }
}
