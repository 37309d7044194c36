/** Where somebody who walks a tree goes next, as far as the tree is known. */
import type { Named, Picture } from "./picture.ts";
import type { ServedInode } from "./served-inode.ts";

/** Directories that are passed over in search of one that is wanted. */
const LOOKS = 4096;

/**
 * The directories that are visited after this one: those beside it, then, `isDeep`, those beside the one above and so
 * on, each with what is known to be in it.
 */
export function* directoriesAfter(directory: ServedInode, isDeep: boolean): Generator<ServedInode> {
  let looks = 0;
  for (const one of directoriesBeside(directory, isDeep)) {
    if (looks++ >= LOOKS) return;
    yield one;
  }
}

function* directoriesBeside(directory: ServedInode, isDeep: boolean): Generator<ServedInode> {
  for (let at = directory; isWalked(at.parent?.picture, at !== directory); ) {
    const { parent, name } = at;
    for (const other of around(parent?.picture?.directories ?? [], name)) {
      if (isDeep) yield* within(other);
      else yield other;
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
  yield* around(parent.picture.byName, name);
  for (const directory of directoriesAfter(parent, isDeep)) {
    const { picture }: { picture: Picture | undefined } = directory;
    if (picture?.isComplete !== true || picture.goneThrough === era) continue;
    for (const { inode } of picture.byName) yield inode;
    picture.goneThrough = era;
  }
}

/**
 * Whether it is the first directory of the one above: whoever has listed that goes here next, unless only this one is
 * of interest.
 */
export function isFirst({ parent, name }: ServedInode): boolean {
  return parent?.picture?.directories[0]?.name === name;
}

/** Whoever has been to one directory of several need not go to the others. */
function isWalked(picture: Picture | undefined, isAbove: boolean): boolean {
  return picture?.isComplete === true && (!isAbove || picture.surveys >= 1);
}

/** The files behind a name, then those before it. */
function* around(files: readonly Named[], name: string): Generator<ServedInode> {
  const behind = files.findIndex((file) => file.name > name);
  const start = behind === -1 ? files.length : behind;
  for (let n = 0; n < files.length; n++) {
    const file = files[(start + n) % files.length];
    if (file !== undefined && file.name !== name) yield file.inode;
  }
}

function* within(directory: ServedInode): Generator<ServedInode> {
  yield directory;
  for (const { inode } of directory.picture?.directories ?? []) yield* within(inode);
}
