import type { Exec, PendingApproval, ProcessInfo, Vm } from "../../vm/index.ts";
import type { ExecFeeding } from "../exec-feeding.ts";

/** Something that an MCP call waits for, and that may itself have to wait for approvals. */
export interface WaitingWork {
  readonly isOver: boolean;
  /** Resolves when it is over, after that time, or with the signal's abort. */
  wait(limitMs: number, signal: AbortSignal): Promise<unknown>;
  /** Whether an approval is asked for by it, as far as can be told. */
  asksFor(pending: PendingApproval, owners: ExecOwners): Promise<boolean>;
}

/** Which command asks for which approval: found out once for each, however many calls want to know. */
export class ExecOwners {
  readonly #owners = new WeakMap<PendingApproval, Promise<Exec | undefined>>();

  /** Undefined for a process that belongs to no command that runs. */
  async find(vm: Vm, pending: PendingApproval): Promise<Exec | undefined> {
    const known = this.#owners.get(pending) ?? lookUp(vm, pending.pid);
    this.#owners.set(pending, known);
    return await known;
  }
}

async function lookUp(vm: Vm, pid: number): Promise<Exec | undefined> {
  const processes = await vm.processes();
  const running = vm.info().execs.filter((exec) => exec.isRunning);
  return findOwner(processes, running, pid);
}

/** A command in a VM. */
export class ExecWork implements WaitingWork {
  readonly vm: Vm;
  readonly exec: Exec;
  /** The input it is given. */
  readonly feeding: ExecFeeding | undefined;

  constructor(vm: Vm, exec: Exec, feeding?: ExecFeeding) {
    this.vm = vm;
    this.exec = exec;
    this.feeding = feeding;
  }

  get isOver(): boolean {
    return !this.exec.isRunning;
  }

  async wait(limitMs: number, signal: AbortSignal): Promise<boolean> {
    return await this.exec.wait(limitMs, signal);
  }

  /** A process that belongs to no command that runs concerns whoever uses the VM. */
  async asksFor(pending: PendingApproval, owners: ExecOwners): Promise<boolean> {
    if (pending.vm !== this.vm.id) return false;
    const { state, execs } = this.vm.info();
    const running = execs.filter((exec) => exec.isRunning);
    if (state !== "running" || running.length <= 1) return true;
    const owner = await owners.find(this.vm, pending);
    return owner === undefined || owner === this.exec;
  }
}

/** The command whose process, or whose descendant or session, a process is. */
function findOwner(
  processes: readonly ProcessInfo[],
  execs: readonly Exec[],
  pid: number,
): Exec | undefined {
  const known = new Map(processes.map((process) => [process.pid, process]));
  const sid = known.get(pid)?.sid;
  const seen = new Set<number>();
  for (let next = known.get(pid); next !== undefined && !seen.has(next.pid); ) {
    const { pid: at, ppid } = next;
    const exec = execs.find((candidate) => candidate.pid === at);
    if (exec !== undefined) return exec;
    seen.add(at);
    next = known.get(ppid);
  }
  return execs.find((exec) => exec.pid === sid);
}
