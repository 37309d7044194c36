/**
 * The only place that makes a CheckedPath: a path that was walked and that the policy lets the
 * process use in one way. The VFS takes nothing else for what a guest asks.
 */
import { KernelError } from "../abi/kernel-error.ts";
import { type Answer, whenAnswered } from "../answer.ts";
import type { Process } from "../process/process.ts";
import { type NamePlace, type Place, pathsOf } from "../vfs/place.ts";
import type { FollowsLast } from "../vfs/walk.ts";
import type { Credentials } from "./credentials.ts";
import type { Operation } from "./policy.ts";
import { requirePermission, type Wish } from "./require-permission.ts";

export type FsOperation = Operation<"fs">;

declare const checked: unique symbol;
export type CheckedPath<O extends FsOperation> = NamePlace & { readonly [checked]: O };
/** One where there is a file. */
export type CheckedFile<O extends FsOperation> = CheckedPath<O> & { readonly existing: Place };

/** A path as a call takes it: from the working directory, or from the directory open at `at`. */
export type PathArg = string | { readonly at: number; readonly path: string };

export interface PathWish<O extends FsOperation> {
  readonly process: Process;
  readonly call: string;
  readonly path: PathArg;
  /** A function where it depends on what is there, or is more than one. */
  readonly operation: O | ((place: NamePlace) => readonly O[]);
  /** Whether a link at the end is followed; it is unless said otherwise. */
  readonly followsLast?: FollowsLast;
  /** Who must be able to get there; the process as it acts unless said otherwise. */
  readonly credentials?: Credentials;
  /** What is there is going to be read. */
  readonly isToRead?: boolean;
}

/**
 * Walks and checks. Fails as the walk does, and with EACCES when the policy denies. Where the host
 * was asked, the path is walked again: what it leads to by then must be what was allowed.
 */
export function checkPath<O extends FsOperation>(wish: PathWish<O>): Answer<CheckedPath<O>> {
  return whenAnswered(walkTo(wish), (place) => {
    const asking = requireOperations(wish, place);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one mint of the brand: the policy has just been asked
    if (asking === false) return place as CheckedPath<O>;
    return asking.then(() => checkAgain(wish, place));
  });
}

/** The same, failing with ENOENT when there is no file. */
export function checkFile<O extends FsOperation>(wish: PathWish<O>): Answer<CheckedFile<O>> {
  return whenAnswered(checkPath(wish), (place) => {
    if (!isFile(place)) throw new KernelError("ENOENT", textOf(wish.path));
    return place;
  });
}

async function checkAgain<O extends FsOperation>(
  wish: PathWish<O>,
  asked: NamePlace,
): Promise<CheckedPath<O>> {
  const place = await walkTo(wish);
  const isSame = place.path === asked.path && place.existing?.inode === asked.existing?.inode;
  const asking = isSame ? false : requireOperations(wish, place);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it leads to is what was allowed
  if (asking === false) return place as CheckedPath<O>;
  await asking;
  return checkAgain(wish, place);
}

function isFile<O extends FsOperation>(place: CheckedPath<O>): place is CheckedFile<O> {
  return place.existing !== undefined;
}

function walkTo(wish: PathWish<FsOperation>): Answer<NamePlace> {
  const { process, path, followsLast = true } = wish;
  return process.kernel.vfs.walkFrom(process, path, followsLast, wish);
}

/** False where the host need not be asked about any of them; else waits for its answers, one after the other. */
function requireOperations(wish: PathWish<FsOperation>, place: NamePlace): false | Promise<true> {
  const { process, call, operation } = wish;
  const operations = typeof operation === "function" ? operation(place) : [operation];
  let asked: Promise<true> | undefined;
  for (const subject of pathsOf(place)) {
    for (const wanted of operations) {
      const wanting = { process, call, scope: "fs", operation: wanted, subject } as const;
      const before: Promise<true> | undefined = asked;
      const asking = before?.then(() => requireNext(wanting)) ?? requirePermission(wanting);
      if (asking !== false) asked = asking;
    }
  }
  return asked ?? false;
}

async function requireNext(wish: Wish<"fs">): Promise<true> {
  await requirePermission(wish);
  return true;
}

function textOf(path: PathArg): string {
  return typeof path === "string" ? path : path.path;
}
