/** Making, replacing, ending and waiting for processes; groups and sessions. */
import { KernelError } from "../abi/kernel-error.ts";
import { type WaitStatus, WCONTINUED, WNOHANG, WUNTRACED } from "../abi/wait-status.ts";
import { endProcess, reap } from "../process/end-process.ts";
import type { Process } from "../process/process.ts";
import { ProcessEnded } from "../process/process-ended.ts";
import type { Program } from "../process/program.ts";
import {
  type CloneOptions,
  cloneProcess,
  type ExecOptions,
  execProcess,
  type SpawnOptions,
  spawnProcess,
} from "../process/spawn.ts";

export interface WaitWish {
  /** One child (> 0), any (-1), any of the own group (0), any of a group (< -1). */
  readonly pid?: number;
  /** WNOHANG, WUNTRACED, WCONTINUED. */
  readonly flags?: number;
}

export interface Waited {
  readonly pid: number;
  readonly status: WaitStatus;
}

/** Runs a file in a new process; answers its pid. */
export async function spawn(process: Process, options: SpawnOptions): Promise<number> {
  return (await spawnProcess(process, options)).pid;
}

/** Runs a function in a new process that has all the descriptors of this one: a subshell. */
export async function clone(
  process: Process,
  program: Program,
  options: CloneOptions = {},
): Promise<number> {
  return (await cloneProcess(process, program, options)).pid;
}

/** Runs a file in this process instead. Returns only by failing. */
export async function exec(process: Process, options: ExecOptions): Promise<never> {
  await execProcess(process, options);
  throw new ProcessEnded(process.pid);
}

/** Ends the process with the low eight bits of the code. Never returns. */
export async function exit(process: Process, code: number): Promise<never> {
  endProcess(process, { kind: "exited", code: code & 0xff });
  throw new ProcessEnded(process.pid);
}

/** Waits for a child to change state and, if it has ended, takes it from the table. */
export async function wait(
  process: Process,
  { pid = -1, flags = 0 }: WaitWish = {},
): Promise<Waited | undefined> {
  if ((flags & ~(WNOHANG | WUNTRACED | WCONTINUED)) !== 0) throw new KernelError("EINVAL");
  while (true) {
    const children = [...process.children].filter((child) => isWanted(process, child, pid));
    if (children.length === 0) throw new KernelError("ECHILD", String(pid));
    for (const child of children) {
      const status = takeNews(child, flags);
      if (status !== undefined) return { pid: child.pid, status };
    }
    if ((flags & WNOHANG) !== 0) return undefined;
    await process.wait(process.childChanged);
  }
}

/** The process's number. */
export async function getpid(process: Process): Promise<number> {
  return process.pid;
}

/** Its parent's number; 1 once the parent has ended, 0 for pid 1. */
export async function getppid(process: Process): Promise<number> {
  return process.parent?.pid ?? 0;
}

/** The group of a process, 0 for the caller. */
export async function getpgid(process: Process, pid = 0): Promise<number> {
  return pid === 0 ? process.pgid : process.kernel.processes.get(pid).pgid;
}

/** Moves the caller or its child, before it has called exec, to a group of its session. */
export async function setpgid(process: Process, pid: number, pgid: number): Promise<void> {
  const { processes } = process.kernel;
  if (pgid < 0) throw new KernelError("EINVAL", String(pgid));
  const target = pid === 0 ? process : processes.get(pid);
  if (target !== process && target.parent !== process) throw new KernelError("ESRCH", String(pid));
  if (target !== process && target.hasExecuted) throw new KernelError("EACCES", String(pid));
  if (target.session !== process.session || target.session.sid === target.pid) {
    throw new KernelError("EPERM", String(pid));
  }
  const group = pgid === 0 ? target.pid : pgid;
  const isKnown = processes.group(group).some((member) => member.session === process.session);
  if (group !== target.pid && !isKnown) throw new KernelError("EPERM", String(pgid));
  target.pgid = group;
}

/** A new session with this process as its leader, without a terminal. EPERM for a group leader. */
export async function setsid(process: Process): Promise<number> {
  if (process.kernel.processes.group(process.pid).length > 0) throw new KernelError("EPERM");
  process.session = { sid: process.pid, terminal: undefined };
  process.pgid = process.pid;
  return process.pid;
}

/** The session of a process, 0 for the caller. */
export async function getsid(process: Process, pid = 0): Promise<number> {
  return pid === 0 ? process.session.sid : process.kernel.processes.get(pid).session.sid;
}

/** A copy of the environment the process was started with. */
export async function environ(process: Process): Promise<Map<string, string>> {
  return new Map(process.env);
}

function isWanted(process: Process, child: Process, pid: number): boolean {
  if (pid > 0) return child.pid === pid;
  if (pid === -1) return true;
  return child.pgid === (pid === 0 ? process.pgid : -pid);
}

function takeNews(child: Process, flags: number): WaitStatus | undefined {
  if (child.status !== undefined) {
    reap(child);
    return child.status;
  }
  const { news } = child;
  if (news === undefined) return undefined;
  const wanted = news.kind === "stopped" ? WUNTRACED : WCONTINUED;
  if ((flags & wanted) === 0) return undefined;
  child.news = undefined;
  return news;
}
