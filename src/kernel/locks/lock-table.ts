import { KernelError } from "../abi/kernel-error.ts";
import { holding } from "../fd/holding.ts";
import type { OpenFile } from "../fd/open-file.ts";
import { type Waiter, WaitQueue } from "../fd/wait-queue.ts";
import type { Limits } from "../limits/limits.ts";
import { closesCircle, type LockWait } from "./deadlock.ts";
import {
  findBlocking,
  type HeldRange,
  type LockOwner,
  withoutRange,
  withRange,
} from "./record-locks.ts";

export type FlockOperation = "shared" | "exclusive" | "unlock";

/** Bytes of a file from `start` on; a length of 0 goes to its end, a negative one lies before. */
export interface LockRange {
  readonly start: number;
  readonly length: number;
}

export interface RecordLock extends LockRange {
  readonly type: "read" | "write" | "unlock";
}

/** What is locked of one file. */
class FileLocks {
  /** flock(2): one lock of the whole file for each open file. */
  readonly whole = new Map<OpenFile, "shared" | "exclusive">();
  records: HeldRange[] = [];
  /** Woken when a lock is given back. */
  readonly released = new WaitQueue();

  get isUnused(): boolean {
    return this.whole.size === 0 && this.records.length === 0 && this.released.isEmpty;
  }
}

/**
 * The advisory locks of a VM: flock's, which belong to an open file, and record locks, which belong
 * to a process. The two kinds do not see each other, as on Linux. All count against maxFileLocks.
 */
export class LockTable {
  /** By inode; by the open file where there is none. */
  readonly #files = new Map<object, FileLocks>();
  readonly #waits = new Set<LockWait>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * flock(2). Changing a lock gives the old one up first: it is lost when the new one cannot be had.
   * EAGAIN when taken and `isNonBlocking`, EINTR, ENOLCK at the limit. The lock goes with the file.
   */
  async flock(
    file: OpenFile,
    operation: FlockOperation,
    isNonBlocking: boolean,
    waiter: Waiter,
  ): Promise<void> {
    if (this.#of(file).whole.get(file) === operation) return;
    this.#unlock(file);
    if (operation === "unlock") return;
    // Held, so that a close meanwhile releases the file after the lock is taken, not before.
    await holding(file, () => this.#lock(file, operation, isNonBlocking, waiter));
  }

  async #lock(
    file: OpenFile,
    kind: "shared" | "exclusive",
    isNonBlocking: boolean,
    waiter: Waiter,
  ): Promise<void> {
    for (;;) {
      const locks = this.#of(file);
      if (!isTaken(locks, kind)) {
        this.#limits.charge("maxFileLocks");
        locks.whole.set(file, kind);
        file.onRelease = () => this.#unlock(file);
        return;
      }
      if (isNonBlocking) throw new KernelError("EAGAIN");
      await this.#wait(file, locks, waiter);
    }
  }

  #unlock(file: OpenFile): void {
    file.onRelease = undefined;
    const locks = this.#files.get(keyOf(file));
    if (locks?.whole.delete(file) === true) {
      this.#limits.discharge("maxFileLocks");
      locks.released.wakeAll();
    }
    this.#forgetUnused(file);
  }

  /**
   * F_SETLK, and F_SETLKW when it `waits`. EAGAIN when taken, EDEADLK when waiting would never end,
   * EINTR, EINVAL for a range before the file, ENOLCK at the limit; failing, it changes nothing.
   */
  async setRecordLock(
    process: LockOwner & Waiter,
    file: OpenFile,
    lock: RecordLock,
    waits: boolean,
  ): Promise<void> {
    const range = checkedRange(lock);
    const { type } = lock;
    if (type === "unlock") {
      const { records } = this.#of(file);
      this.#replace(file, withoutRange(records, process, range));
      return;
    }
    const wanted: HeldRange = { owner: process, type, ...range };
    for (;;) {
      const locks = this.#of(file);
      const blocking = findBlocking(locks.records, wanted);
      if (blocking === undefined) {
        this.#replace(file, withRange(locks.records, wanted));
        return;
      }
      if (!waits) throw new KernelError("EAGAIN");
      await this.#waitFor(blocking.owner, process, file, locks);
    }
  }

  /** F_GETLK: the lock that is in the way and who holds it; undefined when the range is free. */
  findConflict(
    process: LockOwner,
    file: OpenFile,
    lock: LockRange & { readonly type: "read" | "write" },
  ): (RecordLock & { readonly pid: number }) | undefined {
    const wanted: HeldRange = { owner: process, type: lock.type, ...checkedRange(lock) };
    const found = findBlocking(this.#files.get(keyOf(file))?.records ?? [], wanted);
    if (found === undefined) return undefined;
    const { type, start, end, owner } = found;
    return {
      type,
      start,
      length: end === Number.POSITIVE_INFINITY ? 0 : end - start,
      pid: owner.pid,
    };
  }

  /** POSIX: closing any descriptor of a file gives back all of the process's record locks of it. */
  releaseClosed(process: LockOwner, file: OpenFile): void {
    if (this.#files.size > 0) this.#releaseRecords(process, keyOf(file));
  }

  /** The process has ended. */
  releaseProcess(process: LockOwner): void {
    for (const key of [...this.#files.keys()]) this.#releaseRecords(process, key);
  }

  #releaseRecords(owner: LockOwner, key: object): void {
    const locks = this.#files.get(key);
    if (locks?.records.some((range) => range.owner === owner) !== true) return;
    const kept = locks.records.filter((range) => range.owner !== owner);
    this.#limits.discharge("maxFileLocks", locks.records.length - kept.length);
    locks.records = kept;
    locks.released.wakeAll();
    if (locks.isUnused) this.#files.delete(key);
  }

  #replace(file: OpenFile, records: HeldRange[]): void {
    const locks = this.#of(file);
    const more = records.length - locks.records.length;
    if (more > 0) this.#limits.charge("maxFileLocks", more);
    if (more < 0) this.#limits.discharge("maxFileLocks", -more);
    locks.records = records;
    locks.released.wakeAll();
    this.#forgetUnused(file);
  }

  async #waitFor(
    blocker: LockOwner,
    process: LockOwner & Waiter,
    file: OpenFile,
    locks: FileLocks,
  ): Promise<void> {
    const wait: LockWait = { owner: process, blocker };
    if (closesCircle(this.#waits, wait)) throw new KernelError("EDEADLK");
    this.#waits.add(wait);
    try {
      await this.#wait(file, locks, process);
    } finally {
      this.#waits.delete(wait);
    }
  }

  async #wait(file: OpenFile, locks: FileLocks, waiter: Waiter): Promise<void> {
    try {
      await waiter.wait(locks.released);
    } finally {
      this.#forgetUnused(file);
    }
  }

  #of(file: OpenFile): FileLocks {
    const key = keyOf(file);
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const locks = new FileLocks();
    this.#files.set(key, locks);
    return locks;
  }

  #forgetUnused(file: OpenFile): void {
    const key = keyOf(file);
    if (this.#files.get(key)?.isUnused === true) this.#files.delete(key);
  }
}

function keyOf(file: OpenFile): object {
  return file.place?.inode ?? file;
}

function isTaken({ whole }: FileLocks, operation: "shared" | "exclusive"): boolean {
  if (operation === "exclusive") return whole.size > 0;
  return [...whole.values()].includes("exclusive");
}

/** EINVAL for a range before the file's start, EOVERFLOW for one past what numbers can say. */
function checkedRange({ start, length }: LockRange): { start: number; end: number } {
  const first = length < 0 ? start + length : start;
  const end = length === 0 ? Number.POSITIVE_INFINITY : first + Math.abs(length);
  if (!Number.isInteger(first) || first < 0) throw new KernelError("EINVAL");
  if (end !== Number.POSITIVE_INFINITY && !Number.isSafeInteger(end)) {
    throw new KernelError("EOVERFLOW");
  }
  return { start: first, end };
}
