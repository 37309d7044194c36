/**
 * What a cell asks for mounts whose files the server has: one call of a FileSystem, its files by number.
 * A number is good until the server needs its room (ESTALE: the cell looks the file up again by its name),
 * unless the file is held.
 */
import type { Attributes, DirectoryEntry, FileKind, Stat, StatFs } from "../../kernel/index.ts";

export interface MountMethods {
  /** Bytes to write are the body of the request; bytes read and entries listed, that of the reply. */
  callMount: {
    params: MountHolds & { readonly mount: number; readonly wish: MountWish };
    result: MountResult;
  };
}

/**
 * Files that are found whatever happens to their names from now on, before the call is done; and those that are
 * not any more, each as often as it was held. What is no file is passed over.
 */
export interface MountHolds {
  readonly hold?: readonly number[] | undefined;
  readonly release?: readonly number[] | undefined;
}

export interface MountName {
  readonly node: number;
  readonly name: string;
}

export type MountWish =
  /** The body of the reply is all of a file that has at most `content` bytes and can be read; else nothing. */
  | { readonly call: "lookup"; readonly at: MountName; readonly content?: number | undefined }
  /** The body of the reply is what was found, see encodeFound: those that fail are left out. */
  | { readonly call: "lookupMany"; readonly node: number; readonly names: readonly string[] }
  | { readonly call: "stat"; readonly node: number }
  | { readonly call: "readlink"; readonly node: number }
  /** The body of the reply is entries, see encodeEntries. */
  | {
      readonly call: "list";
      readonly node: number;
      readonly cursor: number;
      readonly limit: number;
    }
  | {
      readonly call: "read";
      readonly node: number;
      readonly offset: number;
      readonly length: number;
    }
  | { readonly call: "write"; readonly node: number; readonly offset: number | "end" }
  | { readonly call: "truncate"; readonly node: number; readonly size: number }
  | { readonly call: "create"; readonly at: MountName; readonly file: MountNewFile }
  | { readonly call: "link"; readonly at: MountName; readonly node: number }
  | { readonly call: "unlink"; readonly at: MountName }
  | { readonly call: "rmdir"; readonly at: MountName }
  | {
      readonly call: "rename";
      readonly at: MountName;
      readonly to: MountName;
      readonly expected?: number | undefined;
    }
  | { readonly call: "change"; readonly node: number; readonly changes: MountChanges }
  | { readonly call: "statFs" }
  | { readonly call: "sync" }
  /** Nothing but what to hold and to release. */
  | { readonly call: "none" }
  /** Changes from outside are told by `mountChanged` from now on, until `unwatch`. */
  | { readonly call: "watch"; readonly node: number }
  | { readonly call: "unwatch"; readonly node: number };

export interface MountNewFile {
  readonly kind: FileKind;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly target?: string | undefined;
  readonly rdev?: number | undefined;
}

export type MountChanges = { readonly [K in keyof Attributes]?: number | undefined };

/** A file with its number; `stat` says the rest. */
export interface MountNode {
  readonly node: number;
  readonly stat: Stat;
}

/** What the call has to say: what it has not is left out. */
export interface MountResult {
  /** Of `lookup` where there is something, and of `create`. */
  readonly found?: MountNode | undefined;
  readonly stat?: Stat | undefined;
  readonly target?: string | undefined;
  /** Where a listing goes on. */
  readonly cursor?: number | undefined;
  /** The offset after a write. */
  readonly offset?: number | undefined;
  readonly facts?: StatFs | undefined;
}

/** A mount as a cell boots with it; its position is its number. */
export interface ServedMount {
  readonly at: string;
  /** A second place where the same is seen. */
  readonly alsoAt?: string;
  readonly type: string;
  readonly isReadOnly: boolean;
  /** The number that stat gives of its root; the root's own number is ROOT_NODE. */
  readonly rootIno: number;
}

export const ROOT_NODE = 0;

/** Calls of one cell under way at one time. A cell waits before it sends more: one that does not is lying. */
export const MOUNT_REQUESTS_LIMIT = 32;
/** The most that one call reads: what the body of a frame holds. */
export const MOUNT_READ_BYTES = 1 << 20;
/** Files that one request holds and releases, together. */
export const HOLDS_LIMIT = 256;
/** Entries of one page: with the longest names, escaped, they fit one body. */
export const ENTRIES_LIMIT = 128;
/** Linux's PATH_MAX without its NUL: what a link can lead to. */
export const TARGET_BYTES = 4095;

/** Names with the files that were found there. */
export type FoundNames = readonly (readonly [name: string, found: MountNode])[];

export function encodeFound(found: FoundNames): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(found));
}

/** What the server sent is trusted. */
export function decodeFound(bytes: Uint8Array): FoundNames {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's encodeFound made it
  return JSON.parse(new TextDecoder().decode(bytes)) as FoundNames;
}

export function encodeEntries(entries: readonly DirectoryEntry[]): Uint8Array {
  const rows = entries.map(({ name, kind, ino }) => [name, kind, ino]);
  return new TextEncoder().encode(JSON.stringify(rows));
}

/** What the server sent is trusted. */
export function decodeEntries(bytes: Uint8Array): DirectoryEntry[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's encodeEntries made it
  const rows = JSON.parse(new TextDecoder().decode(bytes)) as [string, FileKind, number][];
  return rows.map(([name, kind, ino]) => ({ name, kind, ino }));
}
