import { defaultAction, signals } from "../abi/signals.ts";
import { endProcess } from "./end-process.ts";
import type { Process } from "./process.ts";
import { tellParent } from "./tell-parent.ts";

const stopSignals = [signals.SIGSTOP, signals.SIGTSTP, signals.SIGTTIN, signals.SIGTTOU];

/**
 * Gives a process a signal, as the kernel does: who may send it has been decided before.
 * pid 1 gets only what it catches. A zombie gets nothing. A stopped process acts on what it gets
 * when it is continued; SIGKILL ends it at once.
 */
export function sendSignal(process: Process, signal: number): void {
  if (process.state === "zombie" || signal === 0) return;
  const { signals: state } = process;
  if (signal === signals.SIGCONT) {
    for (const stop of stopSignals) state.remove(stop);
    continueProcess(process);
  } else if (defaultAction(signal) === "stop") {
    state.remove(signals.SIGCONT);
  }
  // Blocked, even what is ignored is kept: sigtimedwait may want it.
  if (!state.blocked.has(signal)) {
    const isForced = signal === signals.SIGKILL || signal === signals.SIGSTOP;
    const disposition = isForced ? "default" : state.disposition(signal);
    if (disposition === "ignore") return;
    if (disposition === "default" && isWithoutEffect(process, signal)) return;
    const waitsForContinue = process.state === "stopped" && signal !== signals.SIGKILL;
    if (disposition === "default" && !waitsForContinue) {
      act(process, signal);
      return;
    }
  }
  state.add(signal);
  process.interrupt();
}

/** pid 1 is not to be killed; a group nobody could continue is stopped by SIGSTOP alone. */
function isWithoutEffect(process: Process, signal: number): boolean {
  const action = defaultAction(signal);
  if (action === "ignore" || action === "continue" || process.pid === 1) return true;
  if (action !== "stop" || signal === signals.SIGSTOP) return false;
  return process.kernel.processes.isOrphanedGroup(process.pgid);
}

export function signalGroup(members: readonly Process[], signal: number): void {
  for (const member of members) sendSignal(member, signal);
}

/** Acts on what is pending and no longer held back: after unblocking, continuing, exec. */
export function deliverPending(process: Process): void {
  for (const signal of [...process.signals.pending]) {
    if (process.signals.blocked.has(signal)) continue;
    if (process.signals.disposition(signal) === "catch") {
      process.interrupt();
      continue;
    }
    process.signals.remove(signal);
    sendSignal(process, signal);
  }
}

function act(process: Process, signal: number): void {
  if (defaultAction(signal) === "stop") stopProcess(process, signal);
  else endProcess(process, { kind: "signaled", signal });
}

function stopProcess(process: Process, signal: number): void {
  if (process.state !== "running") return;
  process.state = "stopped";
  process.news = { kind: "stopped", signal };
  tellParent(process);
}

function continueProcess(process: Process): void {
  if (process.state !== "stopped") return;
  process.state = "running";
  process.news = { kind: "continued" };
  process.resume();
  tellParent(process);
  deliverPending(process);
}
