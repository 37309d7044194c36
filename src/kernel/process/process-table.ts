import { KernelError } from "../abi/kernel-error.ts";
import type { Process } from "./process.ts";

/** Linux's default of /proc/sys/kernel/pid_max. */
export const PID_MAX = 32_768;

/** Every process of a VM, zombies included, by pid. */
export class ProcessTable {
  readonly #byPid = new Map<number, Process>();
  #lastPid = 0;

  /** The next free pid, EAGAIN without one. They count up and start over, not used again soon. */
  nextPid(): number {
    if (this.#byPid.size >= PID_MAX) throw new KernelError("EAGAIN");
    do {
      this.#lastPid = this.#lastPid >= PID_MAX ? 2 : this.#lastPid + 1;
    } while (this.#byPid.has(this.#lastPid));
    return this.#lastPid;
  }

  add(process: Process): void {
    this.#byPid.set(process.pid, process);
  }

  remove(process: Process): void {
    this.#byPid.delete(process.pid);
  }

  find(pid: number): Process | undefined {
    return this.#byPid.get(pid);
  }

  /** ESRCH. */
  get(pid: number): Process {
    const process = this.#byPid.get(pid);
    if (process === undefined) throw new KernelError("ESRCH", String(pid));
    return process;
  }

  list(): Process[] {
    return [...this.#byPid.values()];
  }

  /** The members of a process group. A zombie is one until its parent has waited for it. */
  group(pgid: number): Process[] {
    return this.list().filter((process) => process.pgid === pgid);
  }

  /** POSIX's orphaned group: no member that lives has its parent in another group of its session. */
  isOrphanedGroup(pgid: number): boolean {
    return this.group(pgid).every(
      ({ parent, session, state }) =>
        state === "zombie" ||
        parent === undefined ||
        parent.pgid === pgid ||
        parent.session !== session,
    );
  }
}
