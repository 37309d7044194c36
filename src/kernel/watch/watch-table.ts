import {
  IN_ALL_EVENTS,
  IN_CREATE,
  IN_DELETE,
  IN_DELETE_SELF,
  IN_IGNORED,
  IN_ISDIR,
  IN_MODIFY,
  IN_MOVE_SELF,
  IN_ONESHOT,
  IN_UNMOUNT,
} from "../abi/inotify.ts";
import type { Limits } from "../limits/limits.ts";
import type { Inode, OutsideChange } from "../vfs/file-system.ts";

/** What an event is about beside its kind. */
export interface EventAbout {
  /** The entry of the watched directory; none when the watched file itself is meant. */
  readonly name?: string;
  /** Ties IN_MOVED_FROM to its IN_MOVED_TO. */
  readonly cookie?: number;
  readonly isDirectory?: boolean;
}

/** One watch: whose, of what, and which events. */
export interface Watch {
  readonly inode: Inode;
  readonly wd: number;
  mask: number;
  readonly listener: WatchListener;
  /** Where changes from outside the VM are told, for files that have any. */
  readonly source?: WatchSource | undefined;
}

/** Tells of changes until the answer is called, see FileSystem.watch. */
export type WatchSource = (tell: (change: OutsideChange) => void) => () => void;

/** Who is told. */
export interface WatchListener {
  /** Takes an event in; never fails, never waits. */
  enqueue(event: { wd: number; mask: number; cookie: number; name: string }): void;
  /** The watch is gone, IN_IGNORED has been told. */
  forget(watch: Watch): void;
}

/** Told to every watch, asked for or not; the watch ends with them. */
const LAST_EVENTS = IN_DELETE_SELF | IN_UNMOUNT;
/** Linux never says IN_ISDIR with these. */
const SELF_EVENTS = IN_DELETE_SELF | IN_MOVE_SELF;

const outsideEvents = { created: IN_CREATE, removed: IN_DELETE, changed: IN_MODIFY } as const;

/** The watches of a VM by what they watch. Whoever changes a file calls `notify`. */
export class WatchTable {
  readonly #watches = new Map<Inode, Set<Watch>>();
  /** How to end what tells of changes from outside. */
  readonly #sources = new Map<Inode, () => void>();
  readonly #limits: Limits;
  #lastCookie = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** ENOSPC at maxWatches. */
  add(watch: Watch): void {
    this.#limits.charge("maxWatches");
    const others = this.#watches.get(watch.inode);
    if (others === undefined) this.#watches.set(watch.inode, new Set([watch]));
    else others.add(watch);
    const { inode, source } = watch;
    if (source === undefined || this.#sources.has(inode)) return;
    const end = source((change) => this.#notifyOutside(inode, change));
    this.#sources.set(inode, end);
  }

  /** Takes a watch out without telling anybody. */
  remove(watch: Watch): void {
    const watches = this.#watches.get(watch.inode);
    if (watches?.delete(watch) !== true) return;
    if (watches.size === 0) this.#forget(watch.inode);
    this.#limits.discharge("maxWatches");
  }

  /** Takes a watch out and tells IN_IGNORED. */
  end(watch: Watch): void {
    this.remove(watch);
    watch.listener.enqueue({ wd: watch.wd, mask: IN_IGNORED, cookie: 0, name: "" });
    watch.listener.forget(watch);
  }

  /** A number for one rename, never 0. */
  nextCookie(): number {
    this.#lastCookie = (this.#lastCookie + 1) >>> 0 || 1;
    return this.#lastCookie;
  }

  /** Tells whoever watches the file of what happened to it. Costs a lookup when nobody does. */
  notify(inode: Inode, mask: number, about?: EventAbout): void {
    if (this.#watches.size === 0) return;
    const watches = this.#watches.get(inode);
    if (watches === undefined) return;
    const events = mask & (IN_ALL_EVENTS | IN_UNMOUNT);
    for (const watch of [...watches]) this.#tell(watch, events, about);
  }

  #notifyOutside(inode: Inode, { kind, name, isDirectory }: OutsideChange): void {
    if (name !== "") return this.notify(inode, outsideEvents[kind], { name, isDirectory });
    return this.notify(inode, kind === "removed" ? IN_DELETE_SELF : IN_MODIFY, { isDirectory });
  }

  #forget(inode: Inode): void {
    this.#watches.delete(inode);
    this.#sources.get(inode)?.();
    this.#sources.delete(inode);
  }

  #tell(watch: Watch, events: number, about: EventAbout = {}): void {
    const { name = "", cookie = 0, isDirectory = false } = about;
    const isAsked = (events & (watch.mask | IN_UNMOUNT)) !== 0;
    if (isAsked) {
      const saysDirectory = isDirectory && (events & SELF_EVENTS) === 0;
      const mask = saysDirectory ? events | IN_ISDIR : events;
      watch.listener.enqueue({ wd: watch.wd, mask, cookie, name });
    }
    const isOver = (events & LAST_EVENTS) !== 0;
    if (isOver || (isAsked && (watch.mask & IN_ONESHOT) !== 0)) this.end(watch);
  }
}
