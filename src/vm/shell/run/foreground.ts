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
import { signalWords } from "./signal-words.ts";

/** Waits until all processes have ended or one was stopped; answers the status of the last. */
export async function waitForJob(
  shell: Shell,
  pids: readonly number[],
  text: string,
): Promise<number> {
  const statuses = await waitForAll(shell, pids);
  const last = statuses.at(-1) ?? { kind: "exited", code: 0 };
  if (shell.options.has("monitor")) await takeTerminal(shell);
  const stopped = statuses.find((status) => status.kind === "stopped");
  if (stopped !== undefined) {
    const job = shell.jobs.add(pids, pids[0] ?? 0, text);
    for (const [at, pid] of pids.entries()) shell.jobs.note(pid, statuses[at] ?? last);
    await shell.write(2, `\n[${job.id}]+  Stopped                 ${text}\n`);
    job.isReported = true;
    return shellStatus(stopped);
  }
  shell.pipeStatus = statuses.map(shellStatus);
  if (last.kind === "signaled") await reportSignal(shell, last.signal, pids.at(-1) ?? 0, text);
  return shellStatus(last);
}

/** Each process's state in turn; after a stop the rest are stopped with it. */
async function waitForAll(shell: Shell, pids: readonly number[]): Promise<WaitStatus[]> {
  const statuses: WaitStatus[] = [];
  for (const pid of pids) statuses.push(await waitForStatus(shell, pid));
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

/** Tells how a job died. Ctrl-C on it drops the rest of an interactive line. */
async function reportSignal(
  shell: Shell,
  signal: number,
  pid: number,
  text: string,
): Promise<void> {
  if (signal === signals.SIGPIPE) return;
  if (shell.isInteractive) {
    await shell.write(2, signal === signals.SIGINT ? "\n" : `${signalWords(signal)}\n`);
    if (signal === signals.SIGINT) throw new ShellError("", "line", 128 + signal);
    return;
  }
  if (signal === signals.SIGINT || findSignalName(signal) === undefined) return;
  const name = signalWords(signal).padEnd(23);
  await shell.write(2, `${shell.errorPrefix()}${String(pid).padStart(5)} ${name} ${text}\n`);
}
