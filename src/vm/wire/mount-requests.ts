/**
 * What a cell asks for mounts whose files the server has: one call of a FileSystem, its files by number.
 * A number is good until the server needs its room (ESTALE: the cell looks the file up again by its name),
 * unless the file is held. The shapes of calls are in parse-mount-request.ts.
 */
import type { Stat, StatFs } from "../../kernel/index.ts";

export type { MountCall, MountHolds } from "./parse-mount-request.ts";

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
  /** The offset after a write. */
  readonly offset?: number | undefined;
  readonly facts?: StatFs | undefined;
  /** Of `contents`: the length of each file's in the body; -1 for one that did not come. */
  readonly lengths?: readonly number[] | undefined;
  /** Of `changes`: anything may have changed. */
  readonly isAnything?: boolean | undefined;
}

/** A mount as a cell boots with it; its position is its number. */
export interface ServedMount {
  readonly at: string;
  /** A second place where the same is seen. */
  readonly alsoAt?: string;
  readonly type: string;
  readonly isReadOnly: boolean;
  /** Whether the server tells what is changed in directories that were surveyed. */
  readonly canFollow: boolean;
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
/** Directories that one `survey` looks at, and names that a page of one has: the longest, escaped, fit a reply. */
export const SURVEY_NODES = 64;
export const SURVEY_NAMES = 256;
/** Files that one `contents` reads, and the most that one of them has. */
export const CONTENTS_NODES = 256;
export const CONTENT_BYTES = 1 << 16;
/** Linux's PATH_MAX without its NUL: what a link can lead to. */
export const TARGET_BYTES = 4095;

/** A directory that was surveyed and is not as it was; without names, any of them may have changed. */
export type ChangedNode = readonly [node: number, names: readonly string[] | null];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeChanges(changed: readonly ChangedNode[]): Uint8Array {
  return encoder.encode(JSON.stringify(changed));
}

/** What the server sent is trusted. */
export function decodeChanges(bytes: Uint8Array): readonly ChangedNode[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's encodeChanges made it
  return JSON.parse(decoder.decode(bytes)) as readonly ChangedNode[];
}
