import { KernelError } from "../abi/kernel-error.ts";
import { O_ACCMODE, O_NONBLOCK, O_RDONLY, O_WRONLY } from "../abi/open-flags.ts";
import { POLLIN, POLLOUT } from "../abi/poll.ts";
import type { DirectoryEntry, Stat } from "../abi/stat.ts";
import type { IoctlAnswer, IoctlRequest } from "../abi/terminal.ts";
import type { Answer } from "../answer.ts";
import type { Process } from "../process/process.ts";
import type { Place } from "../vfs/place.ts";
import type { Waiter, WaitQueue } from "./wait-queue.ts";

/**
 * Anything a file descriptor can point at.
 *
 * A subclass overrides what it supports; the rest refuses with the errno Linux gives for a file of
 * the wrong kind. Descriptors made by dup() or inherited by a child share one OpenFile, so offset
 * and flags live here. The fd tables count their references; the last one releases it.
 */
export abstract class OpenFile {
  /** Access mode and status flags (O_APPEND, O_NONBLOCK), as F_GETFL reports them. */
  flags: number;
  /** Called after the release, for what is kept about the file elsewhere: its lock. */
  onRelease: (() => void) | undefined;
  #references = 0;
  #isReleased = false;

  constructor(flags: number) {
    this.flags = flags;
  }

  /** What /proc/self/fd shows: a path, or `pipe:[7]`. */
  abstract describe(): string;

  abstract stat(): Answer<Stat>;

  /** Fills `into`, resolves to the byte count; 0 is end of file. Waits while there is nothing. */
  async read(_into: Uint8Array, _waiter: Waiter): Promise<number> {
    throw new KernelError("EINVAL");
  }

  /**
   * Like `read`, but takes no byte beyond the first `delimiter`: for readers of lines that leave the
   * rest to others. Waits only for the first byte. This default reads byte by byte, so it is right for
   * every open file; a subclass overrides it only to be faster.
   */
  async readThrough(into: Uint8Array, delimiter: number, waiter: Waiter): Promise<number> {
    let count = await this.read(into.subarray(0, 1), waiter);
    while (count > 0 && count < into.length) {
      if (into[count - 1] === delimiter || (this.poll() & POLLIN) === 0) break;
      const read = await this.read(into.subarray(count, count + 1), waiter);
      if (read === 0) break;
      count += read;
    }
    return count;
  }

  /** Takes bytes from `from`, resolves to how many; waits while there is no room for any. */
  async write(_from: Uint8Array, _waiter: Waiter): Promise<number> {
    throw new KernelError("EINVAL");
  }

  async pread(_into: Uint8Array, _offset: number): Promise<number> {
    throw new KernelError("ESPIPE");
  }

  async pwrite(_from: Uint8Array, _offset: number): Promise<number> {
    throw new KernelError("ESPIPE");
  }

  async seek(_offset: number, _whence: number): Promise<number> {
    throw new KernelError("ESPIPE");
  }

  async truncate(_sizeBytes: number): Promise<void> {
    throw new KernelError("EINVAL");
  }

  async sync(): Promise<void> {
    throw new KernelError("EINVAL");
  }

  /** The next entries of a directory, at most `limit`; none at its end. */
  async readdir(_limit: number): Promise<DirectoryEntry[]> {
    throw new KernelError("ENOTDIR");
  }

  async ioctl(_request: IoctlRequest, _caller: Process): Promise<IoctlAnswer> {
    throw new KernelError("ENOTTY");
  }

  /** The events of poll(2) that hold now. A file is always ready. */
  poll(): number {
    return POLLIN | POLLOUT;
  }

  /** Woken whenever what poll() answers may have changed; undefined where it never does. */
  get changed(): WaitQueue | undefined {
    return undefined;
  }

  /** Where the file lies in the tree; undefined for what has no path. */
  get place(): Place | undefined {
    return undefined;
  }

  get isTerminal(): boolean {
    return false;
  }

  get isReadable(): boolean {
    return (this.flags & O_ACCMODE) !== O_WRONLY;
  }

  get isWritable(): boolean {
    return (this.flags & O_ACCMODE) !== O_RDONLY;
  }

  get isNonBlocking(): boolean {
    return (this.flags & O_NONBLOCK) !== 0;
  }

  /** A released file cannot be held again: its end would be counted twice. */
  retain(): void {
    if (this.#isReleased) throw new Error(`${this.describe()} has been released`);
    this.#references += 1;
  }

  /** Drops one reference; at the last one the file is released. */
  drop(): void {
    this.#references -= 1;
    if (this.#references !== 0) return;
    this.#isReleased = true;
    this.release();
    this.onRelease?.();
  }

  /** Called once, when the last descriptor is closed. Never throws, never waits. */
  protected release(): void {}
}
