/** Where somebody who walks a tree goes next, as far as the tree is known. */
import type { Picture } from "./picture.ts";
import type { ServedInode } from "./served-inode.ts";

/** Directories that are passed over in search of one that is wanted. */
const LOOKS = 4096;

/**
 * The directories that are visited after this one: those beside it, then, `isDeep`, those beside the one above and so
 * on, each with what is known to be in it.
 */
export function* directoriesAfter(directory: ServedInode, isDeep: boolean): Generator<ServedInode> {
  let looks = 0;
  for (const one of filesBeside(directory, isDeep)) {
    if (looks++ >= LOOKS) return;
    if (one.kind === "directory") yield one;
  }
}

function* filesBeside(directory: ServedInode, isDeep: boolean): Generator<ServedInode> {
  for (let at = directory; isWalked(at.parent?.picture, at !== directory); ) {
    const { parent, name } = at;
    for (const other of parent?.picture?.around(name) ?? []) {
      yield* isDeep ? within(other) : [other];
    }
    if (!isDeep || parent === undefined) return;
    at = parent;
  }
}

/**
 * The files that are read after this one: those of its directory, then of the directories that come next. One whose
 * files were all gone through is passed over until `era` is another.
 */
export function* filesAfter(
  { parent, name }: ServedInode,
  { isDeep, era }: { readonly isDeep: boolean; readonly era: number },
): Generator<ServedInode> {
  if (parent?.picture === undefined) return;
  yield* parent.picture.around(name);
  for (const directory of directoriesAfter(parent, isDeep)) {
    const { picture }: { picture: Picture | undefined } = directory;
    if (picture?.isComplete !== true || picture.goneThrough === era) continue;
    for (const { inode } of picture.byName) yield inode;
    picture.goneThrough = era;
  }
}

/** Whoever has been to one directory of several need not go to the others. */
function isWalked(picture: Picture | undefined, isAbove: boolean): boolean {
  return picture?.isComplete === true && (!isAbove || picture.surveys >= 2);
}

function* within(inode: ServedInode): Generator<ServedInode> {
  yield inode;
  for (const below of inode.picture?.directories ?? []) yield* within(below);
}
