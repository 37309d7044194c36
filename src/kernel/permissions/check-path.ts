/**
 * The only place that makes a CheckedPath: a path that was walked and that the policy lets the
 * process use in one way. The VFS takes nothing else for what a guest asks.
 */
import { KernelError } from "../abi/kernel-error.ts";
import type { Process } from "../process/process.ts";
import { type NamePlace, type Place, pathsOf } from "../vfs/place.ts";
import type { FollowsLast } from "../vfs/walk.ts";
import type { Credentials } from "./credentials.ts";
import type { Operation } from "./policy.ts";
import { requirePermission } from "./require-permission.ts";

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
export async function checkPath<O extends FsOperation>(wish: PathWish<O>): Promise<CheckedPath<O>> {
  let place = await walkTo(wish);
  while (await requireOperations(wish, place)) {
    const asked = place;
    place = await walkTo(wish);
    if (place.path === asked.path && place.existing?.inode === asked.existing?.inode) break;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one mint of the brand: the policy has just been asked
  return place as CheckedPath<O>;
}

/** The same, failing with ENOENT when there is no file. */
export async function checkFile<O extends FsOperation>(wish: PathWish<O>): Promise<CheckedFile<O>> {
  const place = await checkPath(wish);
  if (!isFile(place)) throw new KernelError("ENOENT", textOf(wish.path));
  return place;
}

function isFile<O extends FsOperation>(place: CheckedPath<O>): place is CheckedFile<O> {
  return place.existing !== undefined;
}

function walkTo(wish: PathWish<FsOperation>): Promise<NamePlace> {
  const { process, path, followsLast = true } = wish;
  return process.kernel.vfs.walkFrom(process, path, followsLast, wish);
}

/** Whether the host was asked about any of them. */
async function requireOperations(wish: PathWish<FsOperation>, place: NamePlace): Promise<boolean> {
  const { process, call, operation } = wish;
  const operations = typeof operation === "function" ? operation(place) : [operation];
  const scope = "fs";
  let wasAsked = false;
  for (const subject of pathsOf(place)) {
    for (const wanted of operations) {
      const wanting = { process, call, scope, operation: wanted, subject } as const;
      const asking = requirePermission(wanting);
      if (asking !== false && (await asking)) wasAsked = true;
    }
  }
  return wasAsked;
}

function textOf(path: PathArg): string {
  return typeof path === "string" ? path : path.path;
}
