import { defaultAction, signals } from "../abi/signals.ts";
import { endProcess } from "./end-process.ts";
import type { Process } from "./process.ts";
import { tellParent } from "./tell-parent.ts";

const stopSignals = [signals.SIGSTOP, signals.SIGTSTP, signals.SIGTTIN, signals.SIGTTOU];

/**
 * Gives a process a signal, as the kernel does: who may send it has been decided before.
 * pid 1 gets only what it catches. A zombie gets nothing.
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
  const isForced = signal === signals.SIGKILL || signal === signals.SIGSTOP;
  const disposition = isForced ? "default" : state.disposition(signal);
  if (disposition === "ignore") return;
  if (disposition === "default" && (defaultAction(signal) === "ignore" || process.pid === 1)) return;
  if (state.blocked.has(signal) || disposition === "catch") {
    state.add(signal);
    process.interrupt();
    return;
  }
  act(process, signal);
}

export function signalGroup(members: readonly Process[], signal: number): void {
  for (const member of members) sendSignal(member, signal);
}

/** Acts on what was pending when signals are unblocked. */
export function deliverPending(process: Process): void {
  for (const signal of process.signals.pending) {
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
  switch (defaultAction(signal)) {
    case "terminate":
      endProcess(process, { kind: "signaled", signal });
      break;
    case "stop":
      stopProcess(process, signal);
      break;
    case "continue":
    case "ignore":
      break;
  }
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
}
