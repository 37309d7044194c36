import type { OpenFile } from "../fd/open-file.ts";
import type { Inode } from "./file-system.ts";
import type { Mount } from "./mount-table.ts";

/**
 * A file in the tree: its mount and inode, and the way there without links.
 *
 * `parent` is undefined only for the root of the VM. At the root of a mount, `mount` is the mounted
 * one and `parent` lies in the mount around it.
 */
export interface Place {
  readonly mount: Mount;
  readonly inode: Inode;
  /** Absolute, without links, `.` or `..`: for messages, the policy and getcwd. */
  readonly path: string;
  readonly parent: Place | undefined;
  readonly name: string;
}

/** Where a path leads, whether or not there is a file yet. */
export interface NamePlace {
  /** The directory of the last name; the root is its own. */
  readonly parent: Place;
  readonly name: string;
  readonly path: string;
  /** The file there, undefined where there is none. */
  readonly existing: Place | undefined;
  /** Set when the path leads to what has no place: /proc/self/fd/0 of a pipe. */
  readonly openFile: OpenFile | undefined;
  /** The path ended in `/`, so only a directory will do. */
  readonly mustBeDirectory: boolean;
  /** The path ended in `.` or `..`, which cannot be made, moved or removed. */
  readonly endsInDots: boolean;
}

/** The same place after the file there, or a directory above it, moved from `from` to `to`. */
export function relocate(place: Place, from: Place, to: Place): Place {
  if (isSamePlace(place, from)) return to;
  if (place.parent === undefined) return place;
  const parent = relocate(place.parent, from, to);
  if (parent === place.parent) return place;
  return { ...place, parent, path: joinPath(parent.path, place.name) };
}

/** Whether `place` is `ancestor` or lies below it. */
export function isWithin(place: Place, ancestor: Place): boolean {
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
    if (at.inode === ancestor.inode && at.mount === ancestor.mount) return true;
  }
  return false;
}

/**
 * The paths a place has: the one it was walked by and, in a bind mount, the one it shows. What the
 * policy says of either holds.
 */
export function pathsOf({ path, existing, parent }: NamePlace): string[] {
  const paths = [path];
  let { mount } = existing ?? parent;
  let last = path;
  while (mount.boundFrom !== undefined && mount.on !== undefined) {
    const rest = last.slice(mount.on.path.length);
    const { boundFrom } = mount;
    last = boundFrom.path === "/" ? rest || "/" : `${boundFrom.path}${rest}`;
    paths.push(last);
    mount = boundFrom.mount;
  }
  return paths;
}

/** A file with several names is at several places. */
function isSamePlace(one: Place, other: Place): boolean {
  if (one.inode !== other.inode || one.mount !== other.mount) return false;
  if (one.inode.kind === "directory") return true;
  return one.name === other.name && one.parent?.inode === other.parent?.inode;
}

export function joinPath(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}
