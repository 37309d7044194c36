/**
 * The path walk: from a text to a place, as path_resolution(7) has it.
 *
 * Every directory passed must be searchable for the caller. Not here: what may be done at the
 * place (permissions/check-path.ts).
 */
import { KernelError } from "../abi/kernel-error.ts";
import { X_OK } from "../abi/open-flags.ts";
import { encodeText } from "../abi/text.ts";
import type { OpenFile } from "../fd/open-file.ts";
import { type Credentials, requireAccess } from "../permissions/credentials.ts";
import type { MountTable } from "./mount-table.ts";
import { joinPath, type NamePlace, type Place } from "./place.ts";

/** Linux's NAME_MAX and PATH_MAX; PATH_MAX counts the closing NUL. */
export const NAME_MAX = 255;
export const PATH_MAX = 4096;
/** Linux's MAXSYMLINKS, see path_resolution(7). */
export const LINKS_MAX = 40;

export interface Walker {
  readonly mounts: MountTable;
  readonly credentials: Credentials;
  readonly pid: number;
}

/**
 * Whether a link at the end is followed. A slash after it has it followed all the same, but for
 * calls that make, move or remove a name: for those, "name", the last name itself is meant.
 * "create" follows for O_CREAT, which makes no directory: EISDIR where a link's target ends in a
 * slash, whatever is there.
 */
export type FollowsLast = boolean | "name" | "create";

/**
 * Fails with ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG; with EINVAL for a NUL in the path.
 * A link at the end that leads nowhere is followed to the name it would have, so that O_CREAT can
 * make it.
 */
export async function walk(
  walker: Walker,
  from: Place,
  path: string,
  followsLast: FollowsLast,
): Promise<NamePlace> {
  checkText(path);
  const names = path.split("/").reverse();
  const { root } = walker.mounts;
  let here = path.startsWith("/") ? root : from;
  let links = 0;
  let endsInDots = false;
  const mustBeDirectory = path.endsWith("/");
  const isKept = followsLast === "name" || (!followsLast && !mustBeDirectory);
  let linkEndsInSlash = false;

  while (true) {
    const name = names.pop();
    if (name === undefined) break;
    if (name === "") continue;
    await requireSearchable(walker, here, path);
    endsInDots = name === "." || name === "..";
    if (name === ".") continue;
    if (name === "..") {
      here = here.parent ?? here;
      continue;
    }
    checkName(name, path);
    const isLast = !names.some((rest) => rest !== "");
    if (isLast && linkEndsInSlash && followsLast === "create")
      throw new KernelError("EISDIR", path);
    const inode = await here.mount.fileSystem.lookup(here.inode, name);
    if (inode === undefined) {
      if (!isLast) throw new KernelError("ENOENT", path);
      return unmade(here, name, mustBeDirectory || linkEndsInSlash);
    }
    const child: Place = {
      mount: here.mount,
      inode,
      path: joinPath(here.path, name),
      parent: here,
      name,
    };
    if (inode.kind !== "symlink" || (isLast && isKept)) {
      here = walker.mounts.cover(child);
      continue;
    }
    links += 1;
    if (links > LINKS_MAX) throw new KernelError("ELOOP", path);
    const magic = here.mount.fileSystem.followMagicLink?.(inode, walker.pid);
    if (magic !== undefined && "place" in magic) {
      here = magic.place;
      continue;
    }
    if (magic !== undefined) {
      if (!isLast) throw new KernelError("ENOTDIR", path);
      return leadingTo(child, magic.file);
    }
    const target = await here.mount.fileSystem.readlink(inode, walker.pid);
    if (target === "") throw new KernelError("ENOENT", path);
    if (isLast && target.endsWith("/")) linkEndsInSlash = true;
    names.push(...target.split("/").reverse());
    if (target.startsWith("/")) here = root;
  }
  const needsDirectory = (mustBeDirectory && followsLast !== "name") || linkEndsInSlash;
  if (needsDirectory && here.inode.kind !== "directory") {
    throw new KernelError("ENOTDIR", path);
  }
  return {
    parent: here.parent ?? here,
    name: here.name,
    path: here.path,
    existing: here,
    openFile: undefined,
    mustBeDirectory,
    endsInDots: endsInDots || here.parent === undefined,
  };
}

async function requireSearchable(walker: Walker, place: Place, path: string): Promise<void> {
  if (place.inode.kind !== "directory") throw new KernelError("ENOTDIR", path);
  if (walker.credentials.euid === 0) return;
  const stat = await place.mount.fileSystem.stat(place.inode);
  requireAccess(walker.credentials, stat, X_OK, path);
}

function unmade(parent: Place, name: string, mustBeDirectory: boolean): NamePlace {
  return {
    parent,
    name,
    path: joinPath(parent.path, name),
    existing: undefined,
    openFile: undefined,
    mustBeDirectory,
    endsInDots: false,
  };
}

function leadingTo(link: Place, openFile: OpenFile): NamePlace {
  return {
    parent: link.parent ?? link,
    name: link.name,
    path: link.path,
    existing: link,
    openFile,
    mustBeDirectory: false,
    endsInDots: false,
  };
}

function checkText(path: string): void {
  if (path === "") throw new KernelError("ENOENT", path);
  if (path.includes("\0")) throw new KernelError("EINVAL", path, "a path cannot hold a NUL byte");
  if (path.length >= PATH_MAX || byteLength(path, PATH_MAX) >= PATH_MAX) {
    throw new KernelError("ENAMETOOLONG", path);
  }
}

function checkName(name: string, path: string): void {
  if (name.length > NAME_MAX || byteLength(name, NAME_MAX) > NAME_MAX) {
    throw new KernelError("ENAMETOOLONG", path);
  }
}

/** UTF-8 takes at most three bytes for a UTF-16 unit, so short texts need not be encoded. */
function byteLength(text: string, limit: number): number {
  return text.length * 3 < limit ? text.length : encodeText(text).length;
}
