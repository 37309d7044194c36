// The ports between the threads of one process: queues of messages that the guest serialised.
import { KernelError } from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";
import { bytesIn } from "./requests.ts";

/** Ends of channels that one process may have between its threads. */
const END_LIMIT = 16_384;
/** Bytes that may wait in all of them together. */
const QUEUE_LIMIT_BYTES = 64 * 1024 * 1024;
/** What a message costs beside its bytes. */
const MESSAGE_BYTES = 256;

interface End {
  readonly queue: { readonly message: Packed; readonly bytes: number }[];
  /** Those it talks to, itself among them; undefined once it is closed. */
  group: Set<End> | undefined;
  readonly name: string | undefined;
  /** The other side is gone: what is in the queue is the last. */
  isOver: boolean;
  /** The thread that listens. */
  owner: number;
  wake: (() => void) | undefined;
}

/** What `take` gives when all is read and the other side is gone. */
const PORT_CLOSED = "closed";

export class Ports {
  readonly #ends = new Map<number, End>();
  readonly #names = new Map<string, Set<End>>();
  #last = 0;
  #bytes = 0;

  /** The two ends of a new channel. */
  pair(): [number, number] {
    const group = new Set<End>();
    return [this.#add(group, undefined), this.#add(group, undefined)];
  }

  /** An end of the channel of this name, which has any number. */
  join(name: string): number {
    const group = this.#names.get(name) ?? new Set<End>();
    this.#names.set(name, group);
    return this.#add(group, name);
  }

  #add(group: Set<End>, name: string | undefined): number {
    if (this.#ends.size >= END_LIMIT) throw new KernelError("EMFILE");
    const end: End = { queue: [], group, name, isOver: false, owner: 0, wake: undefined };
    group.add(end);
    this.#last += 1;
    this.#ends.set(this.#last, end);
    return this.#last;
  }

  #find(id: number): End {
    const end = this.#ends.get(id);
    if (end === undefined) throw new KernelError("EBADF");
    return end;
  }

  /** Gives a message to the other ends; whether there were any. */
  post(id: number, message: Packed): boolean {
    const source = this.#find(id);
    const others = [...(source.group ?? [])].filter((end) => end !== source);
    const bytes = bytesIn(message) + MESSAGE_BYTES;
    if (this.#bytes + bytes * others.length > QUEUE_LIMIT_BYTES) throw new KernelError("ENOBUFS");
    for (const end of others) {
      end.queue.push({ message, bytes });
      this.#bytes += bytes;
      end.wake?.();
    }
    return others.length > 0;
  }

  /** The first message; undefined where there is none yet. With `isEndOnly` just the news of the end. */
  take(id: number, isEndOnly: boolean): Packed {
    const end = this.#find(id);
    if (end.queue.length === 0) return end.isOver ? PORT_CLOSED : undefined;
    if (isEndOnly) return undefined;
    const first = end.queue.shift();
    this.#bytes -= first?.bytes ?? 0;
    return [first?.message];
  }

  /** Resolves when `take` would give something, or the call is given up. */
  async wait(id: number, isEndOnly: boolean, { thread, signal }: Waiter): Promise<void> {
    const end = this.#find(id);
    end.owner = thread;
    while (!signal?.aborted && !isReadable(end, isEndOnly) && this.#ends.has(id)) {
      await new Promise<void>((resolve) => {
        end.wake = resolve;
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  close(id: number): void {
    const end = this.#ends.get(id);
    if (end === undefined) return;
    this.#ends.delete(id);
    for (const { bytes } of end.queue.splice(0)) this.#bytes -= bytes;
    const { group, name } = end;
    end.group = undefined;
    end.wake?.();
    group?.delete(end);
    if (group === undefined) return;
    if (name !== undefined) {
      if (group.size === 0) this.#names.delete(name);
      return;
    }
    for (const other of group) {
      other.isOver = true;
      other.wake?.();
    }
  }

  /** Closes what a thread listened at. */
  closeAllOf(thread: number): void {
    for (const [id, { owner }] of [...this.#ends]) if (owner === thread) this.close(id);
  }
}

interface Waiter {
  readonly thread: number;
  readonly signal: AbortSignal | undefined;
}

function isReadable(end: End, isEndOnly: boolean): boolean {
  return end.queue.length > 0 ? !isEndOnly : end.isOver;
}
