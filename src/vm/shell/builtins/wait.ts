/** `wait`. */
import { isKernelError, shellStatus, type WaitStatus } from "../../../kernel/index.ts";
import { forgetCoprocess } from "../run/coprocess.ts";
import { reportDeath } from "../run/foreground.ts";
import { runPendingTraps } from "../run/run-trap.ts";
import { assignScalar } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { isName } from "../state/variables.ts";
import { readFlags } from "./builtin.ts";

export async function wait(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "fnp:", "wait [-fn] [-p var] [id ...]");
  if (flags === undefined) return 2;
  const name = flags.values.get("p");
  if (name !== undefined && !isName(name)) {
    await shell.complain(`wait: \`${name}': not a valid identifier`);
    return 1;
  }
  if (name !== undefined) shell.variables.unset(name);
  if (flags.on.has("n")) return waitForNext(shell, flags.operands, name);
  if (flags.operands.length === 0) return waitForEverything(shell);
  let status = 0;
  for (const operand of flags.operands) {
    const pid = await findPid(shell, operand);
    status = pid === undefined ? await refuse(shell, operand) : await waitForPid(shell, pid);
    if (pid !== undefined && name !== undefined) assignScalar(shell, name, String(pid));
  }
  return status;
}

/** The process an operand names; undefined where there is none. */
async function findPid(shell: Shell, operand: string): Promise<number | undefined> {
  if (operand.startsWith("%")) return shell.jobs.findBySpec(operand)?.pids.at(-1);
  return /^\d+$/.test(operand) ? Number(operand) : undefined;
}

async function refuse(shell: Shell, operand: string): Promise<number> {
  const isJob = operand.startsWith("%");
  await shell.complain(
    isJob ? `wait: ${operand}: no such job` : `wait: \`${operand}': not a pid or valid job spec`,
  );
  return isJob ? 127 : 1;
}

async function waitForEverything(shell: Shell): Promise<number> {
  for (;;) {
    const waited = await waitOnce(shell, -1);
    if (waited === undefined) break;
    if (typeof waited === "number") return waited;
    await reportEnd(shell, waited.pid);
  }
  for (const job of shell.jobs.list()) if (job.state === "done") shell.jobs.remove(job);
  return 0;
}

async function waitForNext(
  shell: Shell,
  operands: readonly string[],
  name: string | undefined,
): Promise<number> {
  const wanted: number[] = [];
  for (const operand of operands) {
    const pid = await findPid(shell, operand);
    if (pid === undefined) await refuse(shell, operand);
    else wanted.push(pid);
  }
  if (operands.length > 0 && wanted.length === 0) return 127;
  const candidates = operands.length > 0 ? wanted : shell.jobs.list().flatMap((job) => job.pids);
  for (;;) {
    const ended = takeFirst(shell, candidates);
    if (ended !== undefined) {
      if (name !== undefined) assignScalar(shell, name, String(ended.pid));
      return ended.status;
    }
    const isKnown = candidates.some((pid) => shell.jobs.findByPid(pid) !== undefined);
    const waited = isKnown || operands.length === 0 ? await waitOnce(shell, -1) : undefined;
    if (waited === undefined) return 127;
    if (typeof waited === "number") return waited;
    if (operands.length === 0 && !candidates.includes(waited.pid)) candidates.push(waited.pid);
  }
}

/** The first of the processes that has ended; its job is forgotten. */
function takeFirst(
  shell: Shell,
  pids: readonly number[],
): { readonly pid: number; readonly status: number } | undefined {
  for (const pid of pids) {
    const status = shell.jobs.takeEnded(pid);
    if (status === undefined) continue;
    const job = shell.jobs.findByPid(pid);
    if (job !== undefined) shell.jobs.remove(job);
    return { pid, status };
  }
  return undefined;
}

async function waitForPid(shell: Shell, pid: number): Promise<number> {
  for (;;) {
    await reportEnd(shell, pid);
    const ended = takeFirst(shell, [pid]);
    if (ended !== undefined) return ended.status;
    const waited = await waitOnce(shell, pid);
    if (waited === undefined) {
      await shell.complain(`wait: pid ${pid} is not a child of this shell`);
      return 127;
    }
    if (typeof waited === "number") return waited;
  }
}

/** Tells of a job that a signal has ended, as a shell without job control does. */
async function reportEnd(shell: Shell, pid: number): Promise<void> {
  const job = shell.jobs.findByPid(pid);
  const status = job?.statuses.get(pid);
  if (job === undefined || status?.kind !== "signaled" || shell.options.has("monitor")) return;
  await reportDeath(shell, { pid, signal: status.signal, text: job.text, isBackground: true });
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
    await forgetCoprocess(shell, waited.pid);
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
