import { findSignalName } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";

/** Runs a condition's trap; `$?` is what it was before, for the trap and after it. */
export async function runTrap(shell: Shell, condition: string): Promise<void> {
  const command = shell.traps.get(condition);
  if (command === undefined || command === "" || shell.runningTraps.has(condition)) return;
  const { status, line } = shell;
  shell.runningTraps.add(condition);
  try {
    await shell.interpreter.runSource(shell, command, line);
  } finally {
    shell.runningTraps.delete(condition);
  }
  shell.status = status;
  shell.line = line;
}

/** Runs the traps of the signals that have come. Ctrl-C without a trap drops the line that runs. */
export async function runPendingTraps(shell: Shell): Promise<void> {
  await shell.collectSignals();
  for (
    let signal = shell.pendingSignals.shift();
    signal !== undefined;
    signal = shell.pendingSignals.shift()
  ) {
    const condition = findSignalName(signal) ?? "";
    if (shell.traps.get(condition) === undefined) throw new ShellError("", "line", 128 + signal);
    await runTrap(shell, condition);
  }
}
