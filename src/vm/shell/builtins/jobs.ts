/** `jobs`, `fg`, `bg`, `wait`, `disown`. */
import {
  isKernelError,
  shellStatus,
  signals,
  type WaitStatus,
  WNOHANG,
  WUNTRACED,
} from "../../../kernel/index.ts";
import { takeTerminal, waitForJob } from "../run/foreground.ts";
import { runPendingTraps } from "../run/run-trap.ts";
import { signalWords } from "../run/signal-words.ts";
import type { Job } from "../state/job-table.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";

export async function jobs(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(
    shell,
    words,
    "lnprs",
    "jobs [-lnprs] [jobspec ...] or jobs -x command [args]",
  );
  if (flags === undefined) return 2;
  await collect(shell);
  for (const job of shell.jobs.list()) {
    if (flags.on.has("r") && job.state !== "running") continue;
    if (flags.on.has("s") && job.state !== "stopped") continue;
    await shell.write(
      1,
      flags.on.has("p") ? `${job.pids[0]}\n` : describeJob(shell, job, flags.on.has("l")),
    );
    if (job.state === "done") shell.jobs.remove(job);
  }
  return 0;
}

/** `[1]+  Running                 sleep 10 &`. */
export function describeJob(shell: Shell, job: Job, showsPid = false): string {
  const mark = job === shell.jobs.current ? "+" : job === shell.jobs.previous ? "-" : " ";
  const pid = showsPid ? `${job.pids[0]} ` : "";
  return `[${job.id}]${mark}  ${pid}${stateWords(job).padEnd(24)}${job.text}${job.state === "running" ? " &" : ""}\n`;
}

function stateWords(job: Job): string {
  if (job.state === "running") return "Running";
  if (job.state === "stopped") return "Stopped";
  const last = job.statuses.get(job.pids.at(-1) ?? 0);
  if (last?.kind === "signaled") return signalWords(last.signal);
  return last?.kind === "exited" && last.code !== 0 ? `Exit ${last.code}` : "Done";
}

/** Takes in what has happened to children, without waiting. */
export async function collect(shell: Shell): Promise<void> {
  for (;;) {
    try {
      const waited = await shell.sys.wait({ pid: -1, flags: WNOHANG | WUNTRACED });
      if (waited === undefined) return;
      shell.jobs.note(waited.pid, waited.status);
    } catch (error) {
      if (isKernelError(error, "ECHILD")) return;
      throw error;
    }
  }
}

export async function fg(shell: Shell, words: readonly string[]): Promise<number> {
  const job = await chooseJob(shell, words);
  if (job === undefined) return 1;
  await shell.write(1, `${job.text}\n`);
  shell.jobs.remove(job);
  if (shell.terminalFd !== undefined) {
    await shell.sys.ioctl(shell.terminalFd, { request: "TIOCSPGRP", pgid: job.pgid });
  }
  await shell.sys.kill(-job.pgid, signals.SIGCONT);
  const status = await waitForJob(shell, job.pids, job.text);
  await takeTerminal(shell);
  return status;
}

export async function bg(shell: Shell, words: readonly string[]): Promise<number> {
  const job = await chooseJob(shell, words);
  if (job === undefined) return 1;
  await shell.sys.kill(-job.pgid, signals.SIGCONT);
  job.state = "running";
  await shell.write(1, `[${job.id}]+ ${job.text} &\n`);
  return 0;
}

async function chooseJob(shell: Shell, words: readonly string[]): Promise<Job | undefined> {
  const [name = "fg", spec = "%+"] = words;
  if (!shell.options.has("monitor")) {
    await shell.complain(`${name}: no job control`);
    return undefined;
  }
  const job = shell.jobs.findBySpec(spec);
  if (job === undefined) await shell.complain(`${name}: ${words[1] ?? "current"}: no such job`);
  return job;
}

export function disown(shell: Shell, words: readonly string[]): number {
  const specs = words.slice(1).filter((word) => !word.startsWith("-"));
  const all = words.includes("-a") ? shell.jobs.list() : specs.map((spec) => findJob(shell, spec));
  for (const job of specs.length === 0 && all.length === 0 ? [shell.jobs.current] : all) {
    if (job !== undefined) shell.jobs.remove(job);
  }
  return 0;
}

function findJob(shell: Shell, spec: string): Job | undefined {
  return spec.startsWith("%") ? shell.jobs.findBySpec(spec) : shell.jobs.findByPid(Number(spec));
}

export async function wait(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "fnp:", "wait [-fn] [-p var] [id ...]");
  if (flags === undefined) return 2;
  if (flags.on.has("n")) return waitForNext(shell, flags.operands, flags.values.get("p"));
  if (flags.operands.length === 0) return waitForEverything(shell);
  let status = 0;
  for (const operand of flags.operands) status = await waitForOne(shell, operand);
  return status;
}

async function waitForEverything(shell: Shell): Promise<number> {
  for (;;) {
    const waited = await waitOnce(shell, -1);
    if (waited === undefined) break;
    if (typeof waited === "number") return waited;
  }
  for (const job of shell.jobs.list()) if (job.state === "done") shell.jobs.remove(job);
  return 0;
}

async function waitForNext(
  shell: Shell,
  operands: readonly string[],
  name: string | undefined,
): Promise<number> {
  const wanted = operands.map((operand) => findJob(shell, operand)?.pids.at(-1) ?? Number(operand));
  const candidates = wanted.length > 0 ? wanted : shell.jobs.list().flatMap((job) => job.pids);
  for (;;) {
    for (const pid of candidates) {
      const status = shell.jobs.takeEnded(pid);
      if (status === undefined) continue;
      const job = shell.jobs.findByPid(pid);
      if (job !== undefined) shell.jobs.remove(job);
      if (name !== undefined) shell.variables.set(name, String(pid));
      return status;
    }
    const waited = await waitOnce(shell, -1);
    if (waited === undefined) return 127;
    if (typeof waited === "number") return waited;
    if (wanted.length === 0 && !candidates.includes(waited.pid)) candidates.push(waited.pid);
  }
}

async function waitForOne(shell: Shell, operand: string): Promise<number> {
  if (operand.startsWith("%")) {
    const job = shell.jobs.findBySpec(operand);
    if (job === undefined) {
      await shell.complain(`wait: ${operand}: no such job`);
      return 127;
    }
    return waitForPid(shell, job.pids.at(-1) ?? 0);
  }
  if (!/^\d+$/.test(operand)) {
    await shell.complain(`wait: \`${operand}': not a pid or valid job spec`);
    return 1;
  }
  return waitForPid(shell, Number(operand));
}

async function waitForPid(shell: Shell, pid: number): Promise<number> {
  for (;;) {
    const ended = shell.jobs.takeEnded(pid);
    if (ended !== undefined) {
      const job = shell.jobs.findByPid(pid);
      if (job !== undefined) shell.jobs.remove(job);
      return ended;
    }
    const waited = await waitOnce(shell, pid);
    if (waited === undefined) {
      await shell.complain(`wait: pid ${pid} is not a child of this shell`);
      return 127;
    }
    if (typeof waited === "number") return waited;
  }
}

/**
 * Waits for a child to change state and notes it; undefined when there is no such child. A signal
 * with a trap ends the wait: the trap runs, and the answer is 128 + signal.
 */
async function waitOnce(
  shell: Shell,
  pid: number,
): Promise<{ readonly pid: number; readonly status: WaitStatus } | number | undefined> {
  try {
    const waited = await shell.sys.wait({ pid });
    if (waited === undefined) return undefined;
    shell.jobs.note(waited.pid, waited.status);
    return waited;
  } catch (error) {
    if (isKernelError(error, "ECHILD")) return undefined;
    if (!isKernelError(error, "EINTR")) throw error;
    await shell.collectSignals();
    const [signal = 0] = shell.pendingSignals;
    await runPendingTraps(shell);
    return shellStatus({ kind: "signaled", signal });
  }
}
