import { KernelError } from "../abi/kernel-error.ts";
import type { Limits } from "../limits/limits.ts";
import type { OpenFile } from "./open-file.ts";

interface Slot {
  readonly file: OpenFile;
  isCloseOnExec: boolean;
}

/** The descriptors of one process. Holds one reference to each open file. */
export class FdTable {
  readonly #slots = new Map<number, Slot>();
  readonly #limits: Limits;
  /** The process's own limit, where it has set one. */
  #most = Number.POSITIVE_INFINITY;
  /** No free number is below this one. */
  #lowestFree = 0;
  /** The process has ended: what a call of it opens now has no place. */
  #isClosed = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** One more than the highest number that can be given out. */
  get most(): number {
    return Math.min(this.#most, this.#limits.values.maxOpenFds);
  }

  /** Sets the process's own limit; what is open beyond it stays open. */
  setMost(most: number): void {
    this.#most = most;
  }

  /** Fails with EBADF. */
  get(fd: number): OpenFile {
    return this.#slot(fd).file;
  }

  find(fd: number): OpenFile | undefined {
    return this.#slots.get(fd)?.file;
  }

  /** EMFILE when no number is left: for calls that must not act before they know. */
  requireRoom(): void {
    this.#requireNumber(this.#free(0));
  }

  /** Gives the lowest free number from `from` up. EMFILE; EBADF once the process has ended. */
  add(file: OpenFile, isCloseOnExec = false, from = 0): number {
    const fd = this.#free(from);
    this.#put(fd, file, isCloseOnExec);
    if (from <= this.#lowestFree) this.#lowestFree = fd + 1;
    return fd;
  }

  /** Puts the file at that very number, closing what was there. EBADF when it is over the limit. */
  set(fd: number, file: OpenFile, isCloseOnExec = false): void {
    if (!Number.isInteger(fd) || fd < 0 || fd >= this.most) {
      throw new KernelError("EBADF", String(fd));
    }
    const old = this.#slots.get(fd)?.file;
    this.#put(fd, file, isCloseOnExec);
    old?.drop();
  }

  /** Fails with EBADF. */
  close(fd: number): void {
    const { file } = this.#slot(fd);
    this.#slots.delete(fd);
    this.#lowestFree = Math.min(this.#lowestFree, fd);
    file.drop();
  }

  isCloseOnExec(fd: number): boolean {
    return this.#slot(fd).isCloseOnExec;
  }

  setCloseOnExec(fd: number, isCloseOnExec: boolean): void {
    this.#slot(fd).isCloseOnExec = isCloseOnExec;
  }

  closeOnExec(): void {
    for (const [fd, slot] of [...this.#slots]) if (slot.isCloseOnExec) this.close(fd);
  }

  /** The end of the table: nothing can be put into it any more. */
  closeAll(): void {
    this.#isClosed = true;
    for (const fd of [...this.#slots.keys()]) this.close(fd);
  }

  /** A child's copy: the same open files under the same numbers. */
  copy(): FdTable {
    const table = new FdTable(this.#limits);
    for (const [fd, { file, isCloseOnExec }] of this.#slots) table.#put(fd, file, isCloseOnExec);
    table.#most = this.#most;
    table.#lowestFree = this.#lowestFree;
    return table;
  }

  numbers(): number[] {
    return [...this.#slots.keys()].sort((a, b) => a - b);
  }

  #put(fd: number, file: OpenFile, isCloseOnExec: boolean): void {
    if (this.#isClosed) throw new KernelError("EBADF", String(fd));
    this.#requireNumber(fd);
    file.retain();
    this.#slots.set(fd, { file, isCloseOnExec });
    this.#limits.observe("maxOpenFds", this.#slots.size);
  }

  #free(from: number): number {
    let fd = Math.max(from, this.#lowestFree);
    while (this.#slots.has(fd)) fd += 1;
    return fd;
  }

  #requireNumber(fd: number): void {
    if (fd < this.most) return;
    if (fd < this.#limits.values.maxOpenFds) throw new KernelError("EMFILE");
    throw this.#limits.exceeded("maxOpenFds");
  }

  #slot(fd: number): Slot {
    const slot = this.#slots.get(fd);
    if (slot === undefined) throw new KernelError("EBADF", String(fd));
    return slot;
  }
}
