import {
  encodeInotify,
  IN_ALL_EVENTS,
  IN_MASK_ADD,
  IN_MASK_CREATE,
  IN_ONESHOT,
  IN_Q_OVERFLOW,
  type InotifyEvent,
} from "../abi/inotify.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { POLLIN } from "../abi/poll.ts";
import type { Stat } from "../abi/stat.ts";
import type { IoctlAnswer, IoctlRequest } from "../abi/terminal.ts";
import { OpenFile } from "../fd/open-file.ts";
import { type Waiter, WaitQueue } from "../fd/wait-queue.ts";
import type { Limits } from "../limits/limits.ts";
import type { Inode } from "../vfs/file-system.ts";
import type { Watch, WatchListener, WatchSource, WatchTable } from "./watch-table.ts";

export interface InotifyParts {
  readonly watches: WatchTable;
  readonly limits: Limits;
  readonly ino: number;
  /** O_NONBLOCK or nothing. */
  readonly flags: number;
}

/** No watch: IN_Q_OVERFLOW's. */
const NO_WATCH = -1;

/**
 * An inotify instance: reading it gives whole events, as many as fit, see inotify(7).
 *
 * All of a VM hold at most maxWatchEvents; what comes then is lost, and IN_Q_OVERFLOW stands for it. An
 * event equal to the last unread one is dropped. Its watches end with it.
 */
export class InotifyFile extends OpenFile implements WatchListener {
  readonly #table: WatchTable;
  readonly #limits: Limits;
  readonly #ino: number;
  readonly #byWd = new Map<number, Watch>();
  readonly #byInode = new Map<Inode, Watch>();
  readonly #arrived = new WaitQueue();
  #queue: { event: InotifyEvent; bytes: Uint8Array }[] = [];
  #lastWd = 0;

  constructor({ watches, limits, ino, flags }: InotifyParts) {
    super(flags);
    this.#table = watches;
    this.#limits = limits;
    this.#ino = ino;
  }

  override describe(): string {
    return "anon_inode:inotify";
  }

  override async stat(): Promise<Stat> {
    const times = { atimeMs: 0, mtimeMs: 0, ctimeMs: 0 };
    const owner = { uid: 0, gid: 0, mode: 0o600 };
    const ids = { ino: this.#ino, dev: 0, rdev: 0, nlink: 1 };
    return { kind: "anonymous", size: 0, blocks: 0, ...owner, ...ids, ...times };
  }

  /**
   * Watches a file, or changes its mask: answers the watch descriptor. EINVAL for no events or for
   * both IN_MASK_ADD and IN_MASK_CREATE, EEXIST under IN_MASK_CREATE when watched already, ENOSPC.
   */
  addWatch(inode: Inode, mask: number, source?: WatchSource): number {
    if ((mask & (IN_ALL_EVENTS | IN_ONESHOT)) === 0) throw new KernelError("EINVAL");
    const isAdding = (mask & IN_MASK_ADD) !== 0;
    const isOnlyNew = (mask & IN_MASK_CREATE) !== 0;
    if (isAdding && isOnlyNew) throw new KernelError("EINVAL");
    const wanted = mask & (IN_ALL_EVENTS | IN_ONESHOT);
    const known = this.#byInode.get(inode);
    if (known !== undefined && isOnlyNew) throw new KernelError("EEXIST");
    if (known !== undefined) {
      known.mask = isAdding ? known.mask | wanted : wanted;
      return known.wd;
    }
    const watch: Watch = { inode, wd: this.#lastWd + 1, mask: wanted, listener: this, source };
    this.#table.add(watch);
    this.#lastWd = watch.wd;
    this.#byWd.set(watch.wd, watch);
    this.#byInode.set(inode, watch);
    return watch.wd;
  }

  /** EINVAL when there is no such watch. */
  removeWatch(wd: number): void {
    const watch = this.#byWd.get(wd);
    if (watch === undefined) throw new KernelError("EINVAL", String(wd));
    this.#table.end(watch);
  }

  /** EINVAL when `into` is too small for the next event. */
  override async read(into: Uint8Array, waiter: Waiter): Promise<number> {
    while (this.#queue.length === 0) {
      if (this.isNonBlocking) throw new KernelError("EAGAIN");
      await waiter.wait(this.#arrived);
    }
    let size = 0;
    let taken = 0;
    for (const { bytes } of this.#queue) {
      if (size + bytes.length > into.length) break;
      into.set(bytes, size);
      size += bytes.length;
      taken += 1;
    }
    if (taken === 0) throw new KernelError("EINVAL");
    this.#drop(taken);
    return size;
  }

  override async ioctl(request: IoctlRequest): Promise<IoctlAnswer> {
    if (request.request !== "FIONREAD") throw new KernelError("ENOTTY");
    return this.#queue.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  override poll(): number {
    return this.#queue.length > 0 ? POLLIN : 0;
  }

  override get changed(): WaitQueue {
    return this.#arrived;
  }

  enqueue(event: InotifyEvent): void {
    const last = this.#queue.at(-1)?.event;
    if (last !== undefined && isSame(last, event)) return;
    const isFull = this.#limits.used("maxWatchEvents") >= this.#limits.values.maxWatchEvents;
    if (isFull && last?.mask === IN_Q_OVERFLOW) return;
    const told = isFull ? { wd: NO_WATCH, mask: IN_Q_OVERFLOW, cookie: 0, name: "" } : event;
    if (!isFull) this.#limits.charge("maxWatchEvents");
    this.#queue.push({ event: told, bytes: encodeInotify(told) });
    this.#arrived.wakeAll();
  }

  forget(watch: Watch): void {
    this.#byWd.delete(watch.wd);
    this.#byInode.delete(watch.inode);
  }

  protected override release(): void {
    for (const watch of this.#byWd.values()) this.#table.remove(watch);
    this.#byWd.clear();
    this.#byInode.clear();
    this.#drop(this.#queue.length);
  }

  /** Forgets the oldest events; the sign that some were lost has not been counted. */
  #drop(count: number): void {
    const counted = this.#queue.slice(0, count).filter(({ event }) => event.wd !== NO_WATCH);
    this.#queue = this.#queue.slice(count);
    this.#limits.discharge("maxWatchEvents", counted.length);
  }
}

/** What Linux takes for the same event; the cookie does not count. */
function isSame(one: InotifyEvent, other: InotifyEvent): boolean {
  return one.wd === other.wd && one.mask === other.mask && one.name === other.name;
}
