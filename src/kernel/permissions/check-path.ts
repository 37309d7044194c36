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
import { type Access, requirePermission } from "./require-permission.ts";

export type FsOperation = Operation<"fs">;

declare const checked: unique symbol;
export type CheckedPath<O extends FsOperation> = NamePlace & { readonly [checked]: O };
/** One where there is a file. */
export type CheckedFile<O extends FsOperation> = CheckedPath<O> & { readonly existing: Place };

/** A path as a call takes it: from the working directory, or from the directory open at `at`. */
export type PathArg = string | { readonly at: number; readonly path: string };

export interface PathAccess<O extends FsOperation> {
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
export function checkPath<O extends FsOperation>(access: PathAccess<O>): Answer<CheckedPath<O>> {
  return whenAnswered(walkTo(access), (place) => {
    const asking = requireOperations(access, place);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one mint of the brand: the policy has just been asked
    if (asking === false) return place as CheckedPath<O>;
    return asking.then(() => checkAgain(access, place));
  });
}

/** The same, failing with ENOENT when there is no file. */
export function checkFile<O extends FsOperation>(access: PathAccess<O>): Answer<CheckedFile<O>> {
  return whenAnswered(checkPath(access), (place) => {
    if (!isFile(place)) throw new KernelError("ENOENT", textOf(access.path));
    return place;
  });
}

async function checkAgain<O extends FsOperation>(
  access: PathAccess<O>,
  asked: NamePlace,
): Promise<CheckedPath<O>> {
  const place = await walkTo(access);
  const isSame = place.path === asked.path && place.existing?.inode === asked.existing?.inode;
  const asking = isSame ? false : requireOperations(access, place);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it leads to is what was allowed
  if (asking === false) return place as CheckedPath<O>;
  await asking;
  return checkAgain(access, place);
}

function isFile<O extends FsOperation>(place: CheckedPath<O>): place is CheckedFile<O> {
  return place.existing !== undefined;
}

function walkTo(access: PathAccess<FsOperation>): Answer<NamePlace> {
  const { process, path, followsLast = true } = access;
  return process.kernel.vfs.walkFrom(process, path, followsLast, access);
}

/** False where the host need not be asked about any of them; else waits for its answers, one after the other. */
function requireOperations(
  access: PathAccess<FsOperation>,
  place: NamePlace,
): false | Promise<true> {
  const { process, call, operation } = access;
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

async function requireNext(access: Access<"fs">): Promise<true> {
  await requirePermission(access);
  return true;
}

function textOf(path: PathArg): string {
  return typeof path === "string" ? path : path.path;
}
