import type { Inode } from "./file-system.ts";
import type { Mount } from "./mount-table.ts";

/**
 * Where a path leads: the mount and inode, the way there without links, and the name's parent.
 *
 * `directory` and `name` are undefined only for the root of a VM. `mount` is the mount of `inode`;
 * at the root of a mount it differs from the parent's.
 */
export interface Place {
  readonly mount: Mount;
  readonly inode: Inode;
  /** Absolute, without links, `.` or `..`. Kept as text for messages, policy and getcwd. */
  readonly path: string;
  readonly parent: Place | undefined;
  readonly name: string;
}

/** A place for a name that may not exist yet. */
export interface NamePlace {
  readonly parent: Place;
  readonly name: string;
  readonly path: string;
  /** What the name is now, links not followed; undefined where there is nothing. */
  readonly existing: Place | undefined;
  /** The path ended in `/`, so only a directory will do. */
  readonly mustBeDirectory: boolean;
}
