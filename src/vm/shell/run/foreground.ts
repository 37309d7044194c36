/** Waiting for the job in the foreground, and giving the terminal back afterwards. */
import {
  findSignalName,
  isKernelError,
  shellStatus,
  signals,
  type WaitStatus,
} from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { waitForStatus } from "../state/wait-for-child.ts";
import { sharingInterrupt, type WaitOnce } from "./share-interrupt.ts";
import { signalWords } from "./signal-words.ts";

/** Waits until all processes have ended or one was stopped; answers the status of the last. `show` is the job's text. */
export async function waitForJob(
  shell: Shell,
  pids: readonly number[],
  show: () => string,
): Promise<number> {
  const isScript = !shell.isInteractive && !shell.options.has("monitor");
  const statuses = await (isScript
    ? sharingInterrupt(shell, (waitOnce) => waitForAll(shell, pids, waitOnce))
    : waitForAll(shell, pids));
  const last = statuses.at(-1) ?? { kind: "exited", code: 0 };
  if (shell.options.has("monitor")) await takeTerminal(shell);
  const stopped = statuses.find((status) => status.kind === "stopped");
  const isBroken = stopped !== undefined || statuses.some(({ kind }) => kind === "signaled");
  if (isBroken) await restoreTerminalMode(shell);
  else await keepTerminalMode(shell);
  if (stopped !== undefined) {
    const text = show();
    const job = shell.jobs.add(pids, pids[0] ?? 0, text);
    for (const [at, pid] of pids.entries()) shell.jobs.note(pid, statuses[at] ?? last);
    await shell.write(2, `\n[${job.id}]+  Stopped                 ${text}\n`);
    job.isReported = true;
    return shellStatus(stopped);
  }
  shell.pipeStatus = statuses.map(shellStatus);
  if (last.kind === "signaled") await reportSignal(shell, last.signal, pids.at(-1) ?? 0, show());
  return shellStatus(last);
}

/** Each process's state in turn; after a stop the rest are stopped with it. */
async function waitForAll(
  shell: Shell,
  pids: readonly number[],
  waitOnce?: WaitOnce,
): Promise<WaitStatus[]> {
  const statuses: WaitStatus[] = [];
  for (const pid of pids) statuses.push(await waitForStatus(shell, pid, waitOnce));
  return statuses;
}

/** Makes the shell's group the terminal's foreground group again. */
export async function takeTerminal(shell: Shell): Promise<void> {
  if (shell.terminalFd === undefined) return;
  try {
    await shell.sys.ioctl(shell.terminalFd, {
      request: "TIOCSPGRP",
      pgid: await shell.sys.getpgid(),
    });
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** Notes the terminal's settings: what a command that ended by itself has set is wanted. */
export async function keepTerminalMode(shell: Shell): Promise<void> {
  if (shell.terminalFd === undefined || shell.subshellDepth > 0) return;
  try {
    const mode = await shell.sys.ioctl(shell.terminalFd, { request: "TCGETS" });
    if (typeof mode === "object" && "lflag" in mode) shell.terminalMode = mode;
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** Undoes what a program did to the terminal that was killed or stopped before it could itself. */
async function restoreTerminalMode(shell: Shell): Promise<void> {
  const { terminalFd, terminalMode, sys } = shell;
  if (terminalFd === undefined || terminalMode === undefined) return;
  try {
    await sys.ioctl(terminalFd, { request: "TCSETS", termios: terminalMode });
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** Tells how a job died. Ctrl-C on it drops the rest of an interactive line. */
async function reportSignal(
  shell: Shell,
  signal: number,
  pid: number,
  text: string,
): Promise<void> {
  if (signal === signals.SIGPIPE) return;
  if (!shell.isInteractive) return reportDeath(shell, { pid, signal, text, isBackground: false });
  await shell.write(2, signal === signals.SIGINT ? "\n" : `${signalWords(signal)}\n`);
  if (signal === signals.SIGINT) throw new ShellError("", "line", 128 + signal);
}

interface Death {
  readonly pid: number;
  readonly signal: number;
  readonly text: string;
  readonly isBackground: boolean;
}

/** `bash: line 1:   123 Killed                  sleep 5`, for signals that are worth telling of. */
export async function reportDeath(
  shell: Shell,
  { pid, signal, text, isBackground }: Death,
): Promise<void> {
  if (signal === signals.SIGINT || signal === signals.SIGPIPE) return;
  const condition = findSignalName(signal);
  if (condition === undefined) return;
  if (signal === signals.SIGTERM || shell.traps.get(condition) !== undefined) {
    if (!isBackground) await shell.write(2, `${signalWords(signal)}\n`);
    return;
  }
  const name = signalWords(signal).padEnd(23);
  await shell.write(2, `${shell.errorPrefix()}${String(pid).padStart(5)} ${name} ${text}\n`);
}
