import { Worker } from "node:worker_threads";
import { type Errno, errnos, KernelError } from "../../../kernel/index.ts";
import type { DiskAnswer, DiskCall, DiskCalls } from "./disk-thread.ts";
import { ReadSlots, SLOT_BYTES } from "./read-slots.ts";

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: KernelError) => void;
}

/** Calls under way at one time, of all host folders together; the rest fails with EAGAIN. */
const CALLS_LIMIT = 20_000;

/**
 * Does the calls of disk-thread.ts, which starts with the first use. All host folders of a
 * server have one. Fails with KernelError: nothing of the host's paths is told.
 */
export class Disk {
  readonly #pending = new Map<number, Pending>();
  readonly #slots = new ReadSlots();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;
  #turn = 0;
  #threads = 0;
  #lastFollower = 0;

  /** Buffers that are `given` change hands: they are not copied, and nobody else's from now on. */
  async call<C extends DiskCall>(
    call: C,
    params: Parameters<DiskCalls[C]>[0],
    given: readonly ArrayBuffer[] = [],
  ): Promise<Awaited<ReturnType<DiskCalls[C]>>> {
    if (this.#isClosed) throw new KernelError("EIO", undefined, "the server is closing");
    if (this.#pending.size >= CALLS_LIMIT) throw new KernelError("EAGAIN");
    const worker = this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    worker.ref();
    worker.postMessage({ id, call, params }, given);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the thread's function of that name answers
    return (await answer) as Awaited<ReturnType<DiskCalls[C]>>;
  }

  /** Reads at most as much as `into` takes, up to a few hundred KB; answers how much. */
  async read(fd: number, into: Uint8Array, offset: number): Promise<number> {
    const length = Math.min(into.length, SLOT_BYTES);
    const slot = this.#slots.take();
    if (slot === undefined) {
      const bytes = await this.call("read", { fd, offset, length });
      into.set(bytes);
      return bytes.length;
    }
    try {
      const count = await this.call("readSlot", { slot, fd, offset, length });
      into.set(this.#slots.view(slot, count));
      return count;
    } finally {
      this.#slots.giveBack(slot);
    }
  }

  /** Moves with every answer: within one turn nothing that was answered has changed by our doing. */
  get turn(): number {
    return this.#turn;
  }

  /** Starts the thread ahead of its first use. */
  start(): void {
    this.#start();
  }

  /** A number that no other follower has. */
  nextFollower(): number {
    this.#lastFollower += 1;
    return this.#lastFollower;
  }

  /** Moves when the thread is another: what it kept for followers is lost. */
  get threads(): number {
    return this.#threads;
  }

  /** What is under way fails. Directories are closed before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // The compiled thread lies beside the compiled disk, the source beside the source.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const worker = new Worker(new URL(`./disk-thread.${extension}`, import.meta.url), {
      env: {},
      execArgv: ["--no-warnings"],
      workerData: this.#slots.memory,
      // What it opened is the process's and known by its number here: a new thread goes on with it.
      trackUnmanagedFds: false,
    });
    worker.on("message", (message: DiskAnswer) => this.#receive(message));
    worker.on("error", () => this.#end(worker));
    worker.on("exit", () => this.#end(worker));
    worker.unref();
    this.#worker = worker;
    this.#threads += 1;
    return worker;
  }

  #receive(message: DiskAnswer): void {
    this.#turn += 1;
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) this.#worker?.unref();
    if ("value" in message) pending?.resolve(message.value);
    else pending?.reject(new KernelError(errnoOf(message.code), undefined, message.reason));
  }

  /** The next call starts another thread. */
  #end(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) reject(new KernelError("EIO"));
    this.#pending.clear();
  }
}

/** What the host's errors mean in a VM: the same, where the VM knows them. */
function errnoOf(code: string): Errno {
  return isErrno(code) ? code : "EIO";
}

function isErrno(code: string): code is Errno {
  return Object.hasOwn(errnos, code);
}
