import { shellStatus, type WaitStatus } from "../../../kernel/index.ts";

/** A pipeline the shell has started in the background or that was stopped. */
export interface Job {
  readonly id: number;
  readonly pgid: number;
  readonly pids: readonly number[];
  readonly text: string;
  /** How each process ended so far. */
  readonly statuses: Map<number, WaitStatus>;
  state: "running" | "stopped" | "done";
  /** The last state a user has been told. */
  isReported: boolean;
}

/** Ended jobs and statuses are kept for `wait` up to this many. */
const MEMORY_LIMIT = 1024;

/** The shell's jobs, and the statuses of children that have ended but were not asked for yet. */
export class JobTable {
  readonly #jobs = new Map<number, Job>();
  readonly #ended = new Map<number, number>();

  add(pids: readonly number[], pgid: number, text: string): Job {
    const id = Math.max(0, ...this.#jobs.keys()) + 1;
    const job: Job = {
      id,
      pgid,
      pids,
      text,
      statuses: new Map(),
      state: "running",
      isReported: false,
    };
    this.#jobs.set(id, job);
    return job;
  }

  /** What a subshell knows of its parent's jobs: enough to show them. */
  copy(): JobTable {
    const copy = new JobTable();
    for (const job of this.#jobs.values()) copy.#jobs.set(job.id, { ...job });
    return copy;
  }

  remove(job: Job): void {
    this.#jobs.delete(job.id);
  }

  list(): readonly Job[] {
    return [...this.#jobs.values()];
  }

  get(id: number): Job | undefined {
    return this.#jobs.get(id);
  }

  /** The job `%+` names. */
  get current(): Job | undefined {
    return this.list().findLast((job) => job.state === "stopped") ?? this.list().at(-1);
  }

  get previous(): Job | undefined {
    const { current } = this;
    return this.list().findLast((job) => job !== current) ?? current;
  }

  findByPid(pid: number): Job | undefined {
    return this.list().find((job) => job.pids.includes(pid));
  }

  /** `%1`, `%+`, `%-`, `%name`, `%?text`. */
  findBySpec(spec: string): Job | undefined {
    const body = spec.startsWith("%") ? spec.slice(1) : spec;
    if (body === "" || body === "+" || body === "%") return this.current;
    if (body === "-") return this.previous;
    if (/^\d+$/.test(body)) return this.get(Number(body));
    if (body.startsWith("?")) return this.list().find((job) => job.text.includes(body.slice(1)));
    return this.list().find((job) => job.text.startsWith(body));
  }

  /** Takes in what wait(2) told about a child. */
  note(pid: number, status: WaitStatus): void {
    const job = this.findByPid(pid);
    if (status.kind === "exited" || status.kind === "signaled")
      this.#keep(pid, shellStatus(status));
    if (job === undefined) return;
    job.statuses.set(pid, status);
    const kinds = [...job.statuses.values()].map(({ kind }) => kind);
    const ended = kinds.filter((kind) => kind === "exited" || kind === "signaled").length;
    if (ended === job.pids.length) job.state = "done";
    else job.state = kinds.includes("stopped") ? "stopped" : "running";
    if (status.kind !== "continued") job.isReported = false;
  }

  /** The status of a child that has ended, once. */
  takeEnded(pid: number): number | undefined {
    const status = this.#ended.get(pid);
    this.#ended.delete(pid);
    return status;
  }

  /** A job's status: that of its last process. */
  status(job: Job): number {
    const last = job.statuses.get(job.pids.at(-1) ?? 0);
    return last === undefined ? 0 : shellStatus(last);
  }

  #keep(pid: number, status: number): void {
    if (this.#ended.size >= MEMORY_LIMIT) {
      const [oldest] = this.#ended.keys();
      if (oldest !== undefined) this.#ended.delete(oldest);
    }
    this.#ended.set(pid, status);
  }
}
