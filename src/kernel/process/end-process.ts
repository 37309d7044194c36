import { signals } from "../abi/signals.ts";
import type { WaitStatus } from "../abi/wait-status.ts";
import { traceEnd } from "../trace/trace-call.ts";
import type { Process } from "./process.ts";
import { tellParent } from "./tell-parent.ts";

/**
 * Ends a process: its execution is stopped, its descriptors are closed, its children go to pid 1,
 * and it stays as a zombie until its parent has waited. Does nothing to a zombie.
 */
export function endProcess(process: Process, status: WaitStatus): void {
  // No await until the end: the process must not be seen half dead.
  if (process.state === "zombie") return;
  if (process.traced !== undefined) traceEnd(process, process.traced, status);
  process.endedCpuMs = process.use.cpuMs;
  process.kernel.endedCpuMs += process.endedCpuMs;
  process.state = "zombie";
  process.status = status;
  process.news = undefined;
  process.generation += 1;
  process.heldBytes = 0;
  process.execution?.kill();
  process.execution = undefined;
  process.kernel.locks.releaseProcess(process);
  process.fds.closeAll();
  giveChildrenAway(process);
  hangUpOrphans(process, process.parent);
  if (process.session.sid === process.pid) leaveTerminal(process);
  process.abort();
  tellParent(process);
  if (isReapedByItself(process)) reap(process);
}

/** Takes a zombie out of the table; its pid is free. */
export function reap(process: Process): void {
  if (process.parent !== undefined) {
    process.parent.children.delete(process);
    process.parent.childrenCpuMs += process.endedCpuMs + process.childrenCpuMs;
  }
  process.kernel.processes.remove(process);
  if (!process.isTrusted) process.kernel.limits.discharge("maxProcesses");
  // The host's are few and not counted: a guest cannot leave it without.
  if (!process.isTrusted) process.kernel.heldTexts.release(process.argv, process.env);
}

/** Nobody waits for an orphan, nor for a child whose parent ignores SIGCHLD, see wait(2). */
function isReapedByItself(process: Process): boolean {
  const { parent } = process;
  if (parent === undefined) return process.pid !== 1;
  return process.isOrphan || parent.signals.disposition(signals.SIGCHLD) === "ignore";
}

function giveChildrenAway(process: Process): void {
  const { init } = process.kernel;
  if (process === init) return;
  for (const child of [...process.children]) {
    process.children.delete(child);
    child.parent = init;
    child.isOrphan = true;
    init.children.add(child);
    if (child.state === "zombie") reap(child);
    else hangUpOrphans(child, process);
  }
}

/**
 * POSIX: a group that has lost its last member whose parent could continue it gets SIGHUP and
 * SIGCONT when one of it is stopped. `parent` is the one that counted until now.
 */
function hangUpOrphans({ pgid, session, kernel }: Process, parent: Process | undefined): void {
  const didCount = parent !== undefined && parent.pgid !== pgid && parent.session === session;
  if (!didCount || !kernel.processes.isOrphanedGroup(pgid)) return;
  const members = kernel.processes.group(pgid);
  if (!members.some(({ state }) => state === "stopped")) return;
  kernel.signal(members, signals.SIGHUP);
  kernel.signal(members, signals.SIGCONT);
}

/** A session leader's end takes the terminal from its session, see setsid(2). */
function leaveTerminal({ session, kernel }: Process): void {
  const group = session.terminal?.abandon() ?? 0;
  if (group === 0) return;
  kernel.signal(kernel.processes.group(group), signals.SIGHUP);
  kernel.signal(kernel.processes.group(group), signals.SIGCONT);
}
