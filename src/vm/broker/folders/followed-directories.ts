import { statfsSync } from "node:fs";
import { decodeText } from "../../../kernel/index.ts";
import { Inotify } from "./inotify.ts";

/** Directories that one follower follows, the oldest leaving; and all together, for Linux counts them for the user. */
const PER_FOLLOWER = 4096;
const ALL = 32_768;
/** Names of one directory that are told one by one. */
const NAMES_LIMIT = 16;

/**
 * File systems of this host's own, whose every change goes through this host's kernel and is told by it
 * (linux/magic.h): ext, XFS, Btrfs, tmpfs, ramfs, F2FS, ZFS, bcachefs, overlayfs. Changes of others' computers are not.
 */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
  0x794c7630,
]);

/** Of a directory that was followed. */
export interface ChangedNames {
  readonly identity: string;
  /** Undefined: any of them. */
  readonly names: readonly string[] | undefined;
  readonly isFollowed: boolean;
}

interface Followed {
  readonly identity: string;
  readonly watch: number;
  readonly follower: number;
  /** Undefined: more than are told. */
  names: Set<string> | undefined;
}

/** What is changed in directories that somebody keeps a picture of. */
export class FollowedDirectories {
  #inotify: Inotify | undefined;
  #isOpened = false;
  /** By watch; by follower and identity, the first followed first. */
  readonly #byWatch = new Map<number, Set<Followed>>();
  readonly #byFollower = new Map<number, Map<string, Followed>>();
  readonly #changed = new Map<number, Set<Followed>>();
  readonly #local = new Map<string, boolean>();
  #count = 0;

  /** Whether all that is changed in it from now on will be told. */
  follow(follower: number, identity: string, path: string | Buffer): boolean {
    const own = this.#byFollower.get(follower) ?? new Map<string, Followed>();
    const known = own.get(identity);
    // What has happened to it so far is told of the earlier picture, which the new one replaces.
    this.#drain();
    if (known !== undefined && own.get(identity) === known && known.names !== undefined) {
      return true;
    }
    if (this.#count >= ALL || !this.#isLocal(identity, path)) return false;
    const watch = this.#open()?.add(path);
    if (watch === undefined) return false;
    const followed: Followed = { identity, watch, follower, names: new Set() };
    own.set(identity, followed);
    this.#byFollower.set(follower, own);
    const others = this.#byWatch.get(watch);
    if (others === undefined) this.#byWatch.set(watch, new Set([followed]));
    else others.add(followed);
    this.#count += 1;
    const [oldest] = own.size > PER_FOLLOWER ? own.values() : [];
    if (oldest !== undefined) this.#note(oldest, undefined);
    return true;
  }

  /** What has changed since the last time. */
  changes(follower: number): readonly ChangedNames[] {
    this.#drain();
    const changed = [...(this.#changed.get(follower) ?? [])];
    this.#changed.delete(follower);
    return changed.map((followed) => {
      const { identity, names } = followed;
      if (names !== undefined) followed.names = new Set();
      const isFollowed = this.#byFollower.get(follower)?.has(identity) === true;
      return { identity, names: names === undefined ? undefined : [...names], isFollowed };
    });
  }

  /** The follower is gone. */
  drop(follower: number): void {
    for (const followed of this.#byFollower.get(follower)?.values() ?? []) this.#end(followed);
    this.#byFollower.delete(follower);
    this.#changed.delete(follower);
  }

  /** What is known of a device is good for as long as one request takes: it may be another's then. */
  #isLocal(identity: string, path: string | Buffer): boolean {
    const device = identity.slice(0, identity.indexOf(":"));
    const known = this.#local.get(device);
    if (known !== undefined) return known;
    const isLocal = LOCAL.has(statfsSync(path).type);
    if (this.#local.size === 0) setImmediate(() => this.#local.clear());
    this.#local.set(device, isLocal);
    return isLocal;
  }

  #open(): Inotify | undefined {
    if (!this.#isOpened) this.#inotify = Inotify.open();
    this.#isOpened = true;
    return this.#inotify;
  }

  #drain(): void {
    if (this.#count === 0) return;
    const events = this.#inotify?.take();
    if (events === undefined) return this.#lose();
    for (const { watch, name, isGone } of events) {
      for (const followed of this.#byWatch.get(watch) ?? []) {
        this.#note(followed, isGone ? undefined : name);
      }
    }
    return undefined;
  }

  #note(followed: Followed, name: Buffer | undefined): void {
    const changed = this.#changed.get(followed.follower) ?? new Set();
    this.#changed.set(followed.follower, changed.add(followed));
    if (name !== undefined && name.length > 0) followed.names?.add(decodeText(name));
    const isMuch = name === undefined || (followed.names?.size ?? 0) > NAMES_LIMIT;
    if (!isMuch) return;
    followed.names = undefined;
    this.#end(followed);
  }

  /** Events are lost: anything may have changed. */
  #lose(): void {
    for (const all of [...this.#byWatch.values()]) {
      for (const followed of [...all]) this.#note(followed, undefined);
    }
  }

  #end(followed: Followed): void {
    const own = this.#byFollower.get(followed.follower);
    if (own?.get(followed.identity) === followed) own.delete(followed.identity);
    const others = this.#byWatch.get(followed.watch);
    if (others?.delete(followed) !== true) return;
    this.#count -= 1;
    if (others.size > 0) return;
    this.#byWatch.delete(followed.watch);
    this.#inotify?.remove(followed.watch);
  }
}
