/** `jobs`, `fg`, `bg`, `disown`. */
import { isKernelError, signals, WNOHANG, WUNTRACED } from "../../../kernel/index.ts";
import { forgetCoprocess } from "../run/coprocess.ts";
import { takeTerminal, waitForJob } from "../run/foreground.ts";
import { signalWords } from "../run/signal-words.ts";
import type { Job } from "../state/job-table.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";

const usage = "jobs [-lnprs] [jobspec ...] or jobs -x command [args]";

export async function jobs(shell: Shell, words: readonly string[]): Promise<number> {
  if (words[1] === "-x") return runWithPids(shell, words.slice(2));
  const flags = await readFlags(shell, words, "lnprs", usage);
  if (flags === undefined) return 2;
  await collect(shell);
  let status = 0;
  const chosen: Job[] = [];
  for (const spec of flags.operands) {
    const job = shell.jobs.findBySpec(spec);
    if (job !== undefined) chosen.push(job);
    else {
      await shell.complain(`jobs: ${spec}: no such job`);
      status = 1;
    }
  }
  for (const job of flags.operands.length === 0 ? shell.jobs.list() : chosen)
    await showJob(shell, job, flags.on);
  return status;
}

async function showJob(shell: Shell, job: Job, on: ReadonlySet<string>): Promise<void> {
  if (on.has("r") && job.state !== "running") return;
  if (on.has("s") && job.state !== "stopped") return;
  if (on.has("n") && (job.isReported || job.state === "running")) return;
  const text = on.has("p") ? `${job.pids[0]}\n` : describeJob(shell, job, on.has("l"));
  await shell.write(1, text);
  job.isReported = true;
  if (job.state === "done") shell.jobs.remove(job);
}

/** `jobs -x`: runs a command with the groups of jobs for their names. */
async function runWithPids(shell: Shell, words: readonly string[]): Promise<number> {
  const replaced = words.map((word) => {
    const job = word.startsWith("%") ? shell.jobs.findBySpec(word) : undefined;
    return job === undefined ? word : String(job.pgid);
  });
  return replaced.length === 0 ? 0 : shell.interpreter.runWords(shell, replaced, "all");
}

/** `[1]+  Running                 sleep 10 &`. */
export function describeJob(shell: Shell, job: Job, showsPid = false): string {
  const mark = job === shell.jobs.current ? "+" : job === shell.jobs.previous ? "-" : " ";
  const pid = showsPid ? ` ${String(job.pids[0]).padStart(5)} ` : "  ";
  return `[${job.id}]${mark}${pid}${stateWords(job).padEnd(24)}${job.text}${job.state === "running" ? " &" : ""}\n`;
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
      if (waited.status.kind !== "stopped") await forgetCoprocess(shell, waited.pid);
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
  const status = await waitForJob(shell, job.pids, () => job.text);
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

export async function disown(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "ahr", "disown [-h] [-ar] [jobspec ... | pid ...]");
  if (flags === undefined) return 2;
  const { on, operands } = flags;
  const isAll = operands.length === 0 && (on.has("a") || on.has("r"));
  const jobsLeft = isAll
    ? shell.jobs.list().filter((job) => !on.has("r") || job.state === "running")
    : [];
  let status = 0;
  for (const spec of isAll ? [] : operands.length === 0 ? ["%+"] : operands) {
    const job = findJob(shell, spec);
    if (job !== undefined) jobsLeft.push(job);
    else {
      await shell.complain(`disown: ${operands.length === 0 ? "current" : spec}: no such job`);
      status = 1;
    }
  }
  if (!on.has("h")) for (const job of jobsLeft) shell.jobs.remove(job);
  return status;
}

function findJob(shell: Shell, spec: string): Job | undefined {
  return spec.startsWith("%") ? shell.jobs.findBySpec(spec) : shell.jobs.findByPid(Number(spec));
}
