/** Which process may use a terminal: its session, its foreground group, and who is stopped. */
import { KernelError } from "../abi/kernel-error.ts";
import { signals } from "../abi/signals.ts";
import type { Waiter } from "../fd/wait-queue.ts";
import type { Process } from "../process/process.ts";
import type { Terminal } from "./terminal.ts";

/** What a terminal looks at in the process that calls it. */
export type TerminalCaller = Pick<
  Process,
  "pid" | "pgid" | "session" | "signals" | "state" | "generation" | "proceed" | "credentials"
>;

/** What terminals ask of the process table. */
export interface JobControl {
  /** The process that waits; undefined for a waiter that is none, which no rule here holds. */
  callerOf(waiter: Waiter): TerminalCaller | undefined;
  /** Sends a signal to every process of a group; a group that is gone is no error. */
  signalGroup(pgid: number, signal: number): void;
  /** Sends a signal to one process; one that is gone is no error. */
  signalProcess(pid: number, signal: number): void;
  /** Whether no process of the group has its parent in another group of the same session. */
  isOrphaned(pgid: number): boolean;
  /** The session a group belongs to; undefined when there is no such group. */
  findSession(pgid: number): number | undefined;
}

/**
 * Lets a process of the foreground group through, and any other that the terminal does not control.
 *
 * A background group gets `signal` (SIGTTIN, SIGTTOU) and the call goes on when it is continued in
 * the foreground; EINTR when the signal is caught. Where the signal is ignored or blocked, reading
 * fails with EIO and the rest goes on; an orphaned group, which nobody would continue, gets EIO.
 */
export async function requireForeground(
  terminal: Terminal,
  caller: TerminalCaller | undefined,
  signal: number,
): Promise<void> {
  if (caller === undefined) return;
  while (isBackground(terminal, caller)) {
    if (isIgnored(caller, signal)) {
      if (signal === signals.SIGTTIN) throw new KernelError("EIO");
      return;
    }
    if (terminal.jobs.isOrphaned(caller.pgid)) throw new KernelError("EIO");
    terminal.jobs.signalGroup(caller.pgid, signal);
    if (caller.signals.hasCaught) throw new KernelError("EINTR");
    // A process that the signal does not stop is not asked again and again.
    if (caller.state === "running") throw new KernelError("EIO");
    await caller.proceed(caller.generation);
    if (caller.signals.hasCaught) throw new KernelError("EINTR");
  }
}

/**
 * TIOCSCTTY, and the first opening of a terminal by a session leader: the terminal becomes the
 * session's. EPERM unless the caller leads a session without a terminal and the terminal is free.
 */
export function takeControl(terminal: Terminal, caller: TerminalCaller): void {
  const { session } = caller;
  const isLeader = session.sid === caller.pid;
  if (isLeader && terminal.session === session) return;
  const isFree = terminal.session === undefined && session.terminal === undefined;
  if (!isLeader || !isFree || terminal.isHungUp) throw new KernelError("EPERM");
  session.terminal = terminal;
  terminal.session = session;
  terminal.foregroundPgid = caller.pgid;
}

/**
 * TIOCNOTTY: a session leader gives the terminal up for its whole session; ENOTTY when it is not
 * the caller's.
 *
 * Deviation: for a process that does not lead its session nothing changes, where Linux takes the
 * terminal from that one process; sessions here have one terminal or none.
 */
export function giveUpControl(terminal: Terminal, caller: TerminalCaller): void {
  if (caller.session.terminal !== terminal) throw new KernelError("ENOTTY");
  if (caller.session.sid !== caller.pid) return;
  const group = terminal.abandon();
  if (group === 0) return;
  terminal.jobs.signalGroup(group, signals.SIGHUP);
  terminal.jobs.signalGroup(group, signals.SIGCONT);
}

/** TIOCSPGRP: ENOTTY, EINVAL, ESRCH for no such group, EPERM for one of another session. */
export async function setForeground(
  terminal: Terminal,
  pgid: number,
  caller: TerminalCaller,
): Promise<void> {
  await requireForeground(terminal, caller, signals.SIGTTOU).catch((error: unknown) => {
    if (error instanceof KernelError && error.errno === "EIO") throw new KernelError("ENOTTY");
    throw error;
  });
  const { session } = caller;
  const isOwn = session.terminal === terminal && terminal.session === session;
  if (!isOwn) throw new KernelError("ENOTTY");
  if (!Number.isInteger(pgid) || pgid < 0) throw new KernelError("EINVAL");
  const sid = terminal.jobs.findSession(pgid);
  if (sid === undefined) throw new KernelError("ESRCH", String(pgid));
  if (sid !== session.sid) throw new KernelError("EPERM", String(pgid));
  terminal.foregroundPgid = pgid;
}

function isBackground(terminal: Terminal, caller: TerminalCaller): boolean {
  const { foregroundPgid } = terminal;
  const isControlled = caller.session.terminal === terminal;
  return isControlled && foregroundPgid !== 0 && foregroundPgid !== caller.pgid;
}

function isIgnored({ signals: state }: TerminalCaller, signal: number): boolean {
  return state.blocked.has(signal) || state.disposition(signal) === "ignore";
}
