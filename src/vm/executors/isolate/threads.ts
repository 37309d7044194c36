// The worker threads of one guest process: each an isolate of its own, with the process's files and pid.
import { KernelError, type KernelHost } from "../../../kernel/index.ts";
import type { Guest } from "./guest.ts";
import {
  type GuestThread,
  startThread,
  type ThreadEnd,
  type ThreadStart,
  type ThreadStartParts,
} from "./guest-thread.ts";
import type { MemoryAccount } from "./memory-ledger.ts";
import { Ports } from "./ports.ts";
import type { ReadyIsolate } from "./ready-isolates.ts";

/** Threads one process may have at a time. */
const THREAD_LIMIT = 16;
/** Threads all processes of the VM may have together, beside their first ones. */
const VM_THREAD_LIMIT = 64;

/** A cell is one VM. */
let runningInVm = 0;

export interface ThreadParts {
  readonly host: KernelHost;
  readonly heapLimitMb: number;
  /** Of the process: its threads are in it. */
  readonly account: MemoryAccount;
  readonly takeIsolate: (heapLimitMb: number) => Promise<ReadyIsolate>;
  readonly onStuck: (reason: string) => void;
}

export class Threads {
  readonly ports = new Ports();
  readonly #parts: ThreadParts;
  readonly #running = new Map<number, GuestThread>();
  readonly #starting = new Set<number>();
  readonly #ends = new Map<number, PromiseWithResolvers<ThreadEnd>>();
  #last = 0;
  #isStopped = false;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
  }

  /** Numbers go up, and are not used again. */
  reserve(): number {
    if (this.#ends.size >= THREAD_LIMIT * 4) throw new KernelError("EAGAIN");
    this.#last += 1;
    this.#ends.set(this.#last, Promise.withResolvers());
    return this.#last;
  }

  async start(parent: Guest, id: number, start: ThreadStart): Promise<void> {
    const end = this.#ends.get(id);
    const isKnown = this.#running.has(id) || this.#starting.has(id);
    if (end === undefined || isKnown) throw new KernelError("EINVAL");
    const count = this.#running.size + this.#starting.size;
    if (count >= THREAD_LIMIT || runningInVm >= VM_THREAD_LIMIT) {
      end.resolve({ code: 1, error: "ERR_WORKER_INIT_FAILED" });
      return;
    }
    const thread = await this.#startCounted({ ...this.#parts, parent, id, start });
    this.#running.set(id, thread);
    if (this.#isStopped) thread.stop(1);
    thread.ended
      .then((how) => {
        runningInVm -= 1;
        this.#running.delete(id);
        this.ports.closeAllOf(id);
        end.resolve(how);
      })
      .catch(end.reject);
  }

  async #startCounted(parts: ThreadStartParts): Promise<GuestThread> {
    runningInVm += 1;
    this.#starting.add(parts.id);
    try {
      return await startThread(parts);
    } catch (error) {
      runningInVm -= 1;
      throw error;
    } finally {
      this.#starting.delete(parts.id);
    }
  }

  async wait(id: number): Promise<ThreadEnd> {
    const end = this.#ends.get(id);
    if (end === undefined) throw new KernelError("ECHILD");
    try {
      return await end.promise;
    } finally {
      this.#ends.delete(id);
    }
  }

  stop(id: number, code: number): void {
    this.#running.get(id)?.stop(code);
  }

  /** The process ends, and its threads with it. */
  stopAll(): void {
    this.#isStopped = true;
    for (const thread of this.#running.values()) thread.stop(1);
  }
}
