/**
 * The path walk: from a text to a place, as path_resolution(7) has it.
 *
 * Every directory passed must be searchable for the caller. Not here: what may be done at the
 * place (permissions/check-path.ts).
 */
import type { Errno } from "../abi/errno.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { X_OK } from "../abi/open-flags.ts";
import { encodeText } from "../abi/text.ts";
import { type Answer, whenAnswered } from "../answer.ts";
import type { OpenFile } from "../fd/open-file.ts";
import { type Credentials, requireAccess } from "../permissions/credentials.ts";
import type { Inode } from "./file-system.ts";
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
  /** What the path leads to is going to be read. */
  readonly isToRead: boolean;
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
export function walk(
  walker: Walker,
  from: Place,
  path: string,
  followsLast: FollowsLast,
): Answer<NamePlace> {
  checkText(path);
  return new Way(walker, from, path, followsLast).go();
}

/** A walk under way: where it is and which names are still ahead. */
class Way {
  readonly #walker: Walker;
  readonly #path: string;
  readonly #followsLast: FollowsLast;
  /** The path ends in a slash. */
  readonly #mustBeDirectory: boolean;
  /** The next name is the last of these. */
  readonly #names: string[];
  #here: Place;
  #links = 0;
  #endsInDots = false;
  #linkEndsInSlash = false;

  constructor(walker: Walker, from: Place, path: string, followsLast: FollowsLast) {
    this.#walker = walker;
    this.#path = path;
    this.#followsLast = followsLast;
    this.#mustBeDirectory = path.endsWith("/");
    this.#names = path.split("/").reverse();
    this.#here = path.startsWith("/") ? walker.mounts.root : from;
  }

  /** From here to the end. */
  go(): Answer<NamePlace> {
    for (let name = this.#next(); name !== undefined; name = this.#next()) {
      const step = this.#step(name);
      if (step instanceof Promise) return step.then((found) => found ?? this.go());
      if (step !== undefined) return step;
    }
    return this.#arrive();
  }

  #next(): string | undefined {
    let name = this.#names.pop();
    while (name === "") name = this.#names.pop();
    return name;
  }

  /** Goes on by one name; answers where the walk ends when it ends before its last name. */
  #step(name: string): Answer<NamePlace | undefined> {
    const searching = requireSearchable(this.#walker, this.#here, this.#path);
    return whenAnswered(searching, () => this.#enter(name));
  }

  #enter(name: string): Answer<NamePlace | undefined> {
    const here = this.#here;
    this.#endsInDots = name === "." || name === "..";
    if (name === ".") return undefined;
    if (name === "..") {
      this.#here = here.parent ?? here;
      return undefined;
    }
    checkName(name, this.#path);
    const isLast = this.#names.every((rest) => rest === "");
    if (isLast && this.#linkEndsInSlash && this.#followsLast === "create") this.#fail("EISDIR");
    const isToRead = isLast && this.#walker.isToRead;
    return whenAnswered(here.mount.fileSystem.lookup(here.inode, name, isToRead), (inode) =>
      this.#reach(name, inode, isLast),
    );
  }

  #reach(name: string, inode: Inode | undefined, isLast: boolean): Answer<NamePlace | undefined> {
    const here = this.#here;
    if (inode === undefined) {
      if (!isLast) this.#fail("ENOENT");
      return unmade(here, name, this.#mustBeDirectory || this.#linkEndsInSlash);
    }
    const path = joinPath(here.path, name);
    const child: Place = { mount: here.mount, inode, path, parent: here, name };
    if (inode.kind === "symlink" && !(isLast && this.#isLastKept)) {
      return this.#follow(child, isLast);
    }
    this.#here = this.#walker.mounts.cover(child);
    return undefined;
  }

  #arrive(): NamePlace {
    const here = this.#here;
    const isName = this.#followsLast === "name";
    const needsDirectory = (this.#mustBeDirectory && !isName) || this.#linkEndsInSlash;
    if (needsDirectory && here.inode.kind !== "directory") this.#fail("ENOTDIR");
    return {
      parent: here.parent ?? here,
      name: here.name,
      path: here.path,
      existing: here,
      openFile: undefined,
      mustBeDirectory: this.#mustBeDirectory,
      endsInDots: this.#endsInDots || here.parent === undefined,
    };
  }

  get #isLastKept(): boolean {
    return this.#followsLast === "name" || (!this.#followsLast && !this.#mustBeDirectory);
  }

  async #follow(link: Place, isLast: boolean): Promise<NamePlace | undefined> {
    const { fileSystem } = link.mount;
    this.#links += 1;
    if (this.#links > LINKS_MAX) this.#fail("ELOOP");
    const magic = fileSystem.followMagicLink?.(link.inode, this.#walker.pid);
    if (magic !== undefined && "place" in magic) {
      this.#here = magic.place;
      return undefined;
    }
    if (magic !== undefined) {
      if (!isLast || this.#mustBeDirectory) this.#fail("ENOTDIR");
      return leadingTo(link, magic.file);
    }
    const target = await fileSystem.readlink(link.inode, this.#walker.pid);
    if (target === "") this.#fail("ENOENT");
    if (isLast && target.endsWith("/")) this.#linkEndsInSlash = true;
    this.#names.push(...target.split("/").reverse());
    if (target.startsWith("/")) this.#here = this.#walker.mounts.root;
    return undefined;
  }

  #fail(errno: Errno): never {
    throw new KernelError(errno, this.#path);
  }
}

function requireSearchable(walker: Walker, place: Place, path: string): Answer<void> {
  const { inode, mount } = place;
  const { credentials } = walker;
  if (inode.kind !== "directory") throw new KernelError("ENOTDIR", path);
  if (credentials.euid === 0) return undefined;
  const { fileSystem } = mount;
  return whenAnswered(fileSystem.rights?.(inode) ?? fileSystem.stat(inode), (rights) =>
    requireAccess(credentials, rights, X_OK, path),
  );
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
