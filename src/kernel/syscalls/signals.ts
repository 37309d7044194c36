/** Sending, catching and holding back signals. */
import { KernelError } from "../abi/kernel-error.ts";
import { LAST_SIGNAL, signals } from "../abi/signals.ts";
import { WaitQueue } from "../fd/wait-queue.ts";
import { requirePermission } from "../permissions/require-permission.ts";
import type { Process } from "../process/process.ts";
import { deliverPending, sendSignal } from "../process/send-signal.ts";
import type { Disposition } from "../process/signal-state.ts";

/** To a process (> 0), the own group (0), all but pid 1 and itself (-1), a group (< -1). 0 only asks. */
export async function kill(process: Process, pid: number, signal: number): Promise<void> {
  checkSignal(signal, 0);
  const targets = targetsOf(process, pid);
  if (targets.length === 0) throw new KernelError("ESRCH", String(pid));
  const allowed = targets.filter((target) => maySignal(process, target, signal));
  if (allowed.length === 0) throw new KernelError("EPERM", String(pid));
  for (const target of allowed) {
    if (target !== process) {
      const subject = target.comm;
      await requirePermission({
        process,
        call: "kill",
        scope: "process",
        operation: "signal",
        subject,
      });
    }
    sendSignal(target, signal);
  }
}

/**
 * What is to be done with a signal; answers what was. A caught one makes waits fail with EINTR and
 * is fetched by sigtimedwait. EINVAL for SIGKILL and SIGSTOP.
 */
export async function sigaction(
  process: Process,
  signal: number,
  disposition: Disposition,
): Promise<Disposition> {
  checkSignal(signal, 1);
  if (signal === signals.SIGKILL || signal === signals.SIGSTOP) throw new KernelError("EINVAL");
  const before = process.signals.disposition(signal);
  process.signals.setDisposition(signal, disposition);
  deliverPending(process);
  return before;
}

/** Takes a pending signal of these; waits for one at most `timeoutMs` (-1: for ever, 0: just looks). */
export async function sigtimedwait(
  process: Process,
  wanted: readonly number[],
  timeoutMs = -1,
): Promise<number | undefined> {
  for (const signal of wanted) checkSignal(signal, 1);
  const set = new Set(wanted);
  const { host } = process.kernel;
  const deadline = timeoutMs < 0 ? undefined : host.monotonic() + timeoutMs;
  const never = new WaitQueue();
  while (true) {
    const signal = process.signals.take(set);
    if (signal !== undefined || timeoutMs === 0) return signal;
    try {
      if (!(await process.wait(never, deadline))) return process.signals.take(set);
    } catch (error) {
      const isWanted = [...set].some((one) => process.signals.pending.has(one));
      if (!isWanted) throw error;
    }
  }
}

/** Changes the mask; answers the one before. */
export async function sigprocmask(
  process: Process,
  how: "block" | "unblock" | "set",
  wanted: readonly number[],
): Promise<number[]> {
  for (const signal of wanted) checkSignal(signal, 1);
  const before = [...process.signals.blocked];
  const change = new Set(wanted);
  if (how === "block") process.signals.setBlocked([...before, ...wanted]);
  else if (how === "unblock")
    process.signals.setBlocked(before.filter((signal) => !change.has(signal)));
  else process.signals.setBlocked(wanted);
  deliverPending(process);
  return before;
}

/** The signals that have come and wait: blocked, or caught and not fetched. */
export async function sigpending(process: Process): Promise<number[]> {
  return [...process.signals.pending];
}

function targetsOf(process: Process, pid: number): Process[] {
  const { processes } = process.kernel;
  if (pid > 0) {
    const target = processes.find(pid);
    return target === undefined ? [] : [target];
  }
  if (pid === 0) return processes.group(process.pgid);
  if (pid === -1) return processes.list().filter((other) => other.pid !== 1 && other !== process);
  return processes.group(-pid);
}

/** See kill(2): the same user, root, or SIGCONT within the session. */
function maySignal(process: Process, target: Process, signal: number): boolean {
  const { uid, euid } = process.credentials;
  if (euid === 0) return true;
  if (signal === signals.SIGCONT && target.session === process.session) return true;
  const theirs = [target.credentials.uid, target.credentials.suid];
  return theirs.includes(uid) || theirs.includes(euid);
}

function checkSignal(signal: number, lowest: number): void {
  if (!Number.isInteger(signal) || signal < lowest || signal > LAST_SIGNAL) {
    throw new KernelError("EINVAL", String(signal));
  }
}
