// One guest process as its calls see it.
import type { Image, Sys } from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";
import type { Arguments } from "./arguments.ts";
import type { Builtins } from "./builtins.ts";
import type { MemoryAccount } from "./memory-ledger.ts";
import { PoolTurns } from "./pool-turns.ts";
import type { Threads } from "./threads.ts";

/** What a call may use. */
export interface Guest {
  readonly sys: Sys;
  readonly image: Image;
  readonly builtins: Builtins;
  /** Calls under way that bring a completion. */
  readonly requests: RequestTable;
  /** Ends the process; its isolate goes with it. */
  exit(code: number): void;
  /** Things that calls keep for later calls, by number: digests, compressors, keys. */
  readonly objects: ObjectTable;
  /** The process's threads, and the ports between them. */
  readonly threads: Threads;
  /** 0 for the thread that the process started with. */
  readonly thread: number;
  /** Breaks off the code that runs, where it watches for that. */
  readonly interrupt: () => void;
  /** What counts the memory and the time of the process. */
  readonly account: MemoryAccount;
  /** The process's turns on the cell's thread pool. */
  readonly pool: Pool;
  /** State of a family of calls that lives as long as the process. */
  readonly state: Map<string, unknown>;
}

/**
 * Work that goes to the thread pool of a cell, which has four threads. Cryptography never has them all, so that
 * compression goes on; and no process has all that there are for its kind of work.
 */
export class Pool {
  readonly crypto = new PoolTurns({ total: 3, each: 2 });
  readonly compression = new PoolTurns({ total: 4, each: 3 });

  /** The process has ended: what waits of it is given up. */
  leave(process: object): void {
    this.crypto.leave(process);
    this.compression.leave(process);
  }
}

/** Answers a call; a KernelError is the guest's errno, anything else a bug. */
export type Handler = (guest: Guest, args: Arguments) => Packed | Promise<Packed>;

/** Calls by name; a family's file exports one. */
export type Calls = Readonly<Record<string, Handler>>;

export interface RequestTable {
  /** Waits for completions at most so long (-1: for ever); all there are. */
  poll(timeoutMs: number): Promise<Packed[]>;
  cancel(id: number): void;
  /** Aborted when the call with this number is given up. Undefined for calls that are waited for. */
  signalOf(args: Arguments): AbortSignal | undefined;
}

/** Kept things of a process, bounded. */
export class ObjectTable {
  readonly #objects = new Map<number, unknown>();
  readonly #limit: number;
  #last = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Its number; undefined when there are too many. */
  add(object: unknown): number | undefined {
    if (this.#objects.size >= this.#limit) return undefined;
    this.#last += 1;
    this.#objects.set(this.#last, object);
    return this.#last;
  }

  get(id: number): unknown {
    return this.#objects.get(id);
  }

  delete(id: number): void {
    this.#objects.delete(id);
  }
}
