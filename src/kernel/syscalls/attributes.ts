/** What is known of files, and changing it. */
import { KernelError } from "../abi/kernel-error.ts";
import { R_OK, W_OK, X_OK } from "../abi/open-flags.ts";
import { S_ISGID, S_ISUID, S_IXGRP, type Stat, type StatFs } from "../abi/stat.ts";
import { checkFile, type PathArg } from "../permissions/check-path.ts";
import { canAccess, isMember, requireAccess } from "../permissions/credentials.ts";
import type { Process } from "../process/process.ts";
import type { Place } from "../vfs/place.ts";
import { requireGroup, requireOwner } from "../vfs/vfs.ts";
import { checkId } from "./identity.ts";

/** New times; "now" is the kernel's clock, what is left out stays. */
export interface FileTimes {
  readonly atimeMs?: number | "now";
  readonly mtimeMs?: number | "now";
}

/** What is known of the file that a path leads to. */
export async function stat(process: Process, path: PathArg): Promise<Stat> {
  return process.kernel.vfs.stat(
    await checkFile({ process, call: "stat", path, operation: "stat" }),
  );
}

/** The same of a link itself. */
export async function lstat(process: Process, path: PathArg): Promise<Stat> {
  const at = await checkFile({
    process,
    call: "lstat",
    path,
    operation: "stat",
    followsLast: false,
  });
  return process.kernel.vfs.stat(at);
}

/** The same of an open file. */
export async function fstat(process: Process, fd: number): Promise<Stat> {
  return process.fds.get(fd).stat();
}

/** By the real ids, as access(2) does. EACCES, and EROFS for writing. */
export async function access(process: Process, path: PathArg, mode: number): Promise<void> {
  if ((mode & ~(R_OK | W_OK | X_OK)) !== 0) throw new KernelError("EINVAL");
  const { uid, gid, ...others } = process.credentials;
  const real = { ...others, uid, gid, euid: uid, egid: gid };
  const at = await checkFile({
    process,
    call: "access",
    path,
    operation: "stat",
    credentials: real,
  });
  const file = await process.kernel.vfs.stat(at);
  const isStored = file.kind === "file" || file.kind === "directory";
  if ((mode & W_OK) !== 0 && isStored && at.existing.mount.isReadOnly) {
    throw new KernelError("EROFS", at.path);
  }
  if (!canAccess(real, file, mode)) throw new KernelError("EACCES", at.path);
}

/** What the file system there holds and may hold; one in memory, no more than the VM has left of it. */
export async function statfs(process: Process, path: PathArg): Promise<StatFs> {
  const { vfs, memory } = process.kernel;
  const found = await vfs.statFs(
    await checkFile({ process, call: "statfs", path, operation: "stat" }),
  );
  if (found.type !== "memory" && found.type !== "overlay") return found;
  const leftBytes = Math.max(0, memory.totalBytes - memory.usedBytes());
  return { ...found, freeBytes: Math.min(found.freeBytes, leftBytes) };
}

/**
 * Changes the permission bits; its owner and root may. setgid stays only for a group of one's own.
 */
export async function chmod(process: Process, path: PathArg, mode: number): Promise<void> {
  const at = await checkFile({ process, call: "chmod", path, operation: "chmod" });
  await changeMode(process, at.existing, mode);
}

/** The same for an open file. */
export async function fchmod(process: Process, fd: number, mode: number): Promise<void> {
  await changeMode(process, placeOf(process, fd), mode);
}

/** Changes owner and group, -1 keeps one: root all, others only to a group of theirs. */
export async function chown(
  process: Process,
  path: PathArg,
  uid: number,
  gid: number,
): Promise<void> {
  const at = await checkFile({ process, call: "chown", path, operation: "write" });
  await changeOwner(process, at.existing, { uid, gid });
}

/** The same for a link itself. */
export async function lchown(
  process: Process,
  path: PathArg,
  uid: number,
  gid: number,
): Promise<void> {
  const at = await checkFile({
    process,
    call: "lchown",
    path,
    operation: "write",
    followsLast: false,
  });
  await changeOwner(process, at.existing, { uid, gid });
}

/** The same for an open file. */
export async function fchown(
  process: Process,
  fd: number,
  uid: number,
  gid: number,
): Promise<void> {
  await changeOwner(process, placeOf(process, fd), { uid, gid });
}

/** Changes access and modification time; its owner may, and to "now" who may write it. */
export async function utimes(
  process: Process,
  path: PathArg,
  times: FileTimes,
  { followsLast = true }: { readonly followsLast?: boolean } = {},
): Promise<void> {
  const { atimeMs, mtimeMs } = times;
  for (const time of [atimeMs, mtimeMs]) {
    if (typeof time === "number" && !Number.isFinite(time)) throw new KernelError("EINVAL");
  }
  const at = await checkFile({ process, call: "utimes", path, operation: "write", followsLast });
  if (atimeMs === undefined && mtimeMs === undefined) return;
  await requireTimesChangeable(process, at.existing, atimeMs === "now" && mtimeMs === "now");
  const now = process.kernel.host.now();
  await process.kernel.vfs.setAttributes(at, {
    ...(atimeMs === undefined ? {} : { atimeMs: atimeMs === "now" ? now : atimeMs }),
    ...(mtimeMs === undefined ? {} : { mtimeMs: mtimeMs === "now" ? now : mtimeMs }),
  });
}

/** Whoever may write may say "now"; other times are the owner's. EROFS, EACCES, EPERM. */
async function requireTimesChangeable(
  process: Process,
  place: Place,
  isNow: boolean,
): Promise<void> {
  requireChangeable(place);
  const file = await process.kernel.vfs.statOf(place);
  const isOwner = process.credentials.euid === file.uid;
  if (isNow && !isOwner) requireAccess(process.credentials, file, W_OK, place.path);
  else requireOwner(process, file, place.path);
}

/** EROFS comes before whoever the caller is. */
function requireChangeable({ mount, path }: Place): void {
  if (mount.isReadOnly) throw new KernelError("EROFS", path);
}

async function changeMode(process: Process, place: Place, mode: number): Promise<void> {
  const { vfs } = process.kernel;
  requireChangeable(place);
  const file = await vfs.statOf(place);
  requireOwner(process, file, place.path);
  const { credentials } = process;
  const losesGroupBit = credentials.euid !== 0 && !isMember(credentials, file.gid);
  await vfs.changeAttributes(place, { mode: mode & 0o7777 & (losesGroupBit ? ~S_ISGID : ~0) });
}

async function changeOwner(
  process: Process,
  place: Place,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const { vfs } = process.kernel;
  for (const id of [uid, gid]) if (id !== -1) checkId(id);
  requireChangeable(place);
  const file = await vfs.statOf(place);
  const isRoot = process.credentials.euid === 0;
  if (!isRoot && uid !== -1 && uid !== file.uid) throw new KernelError("EPERM", place.path);
  requireOwner(process, file, place.path);
  if (gid !== -1 && gid !== file.gid) requireGroup(process, gid, place.path);
  const isGroupRun = (file.mode & S_IXGRP) !== 0;
  const keepsSetGid = !isGroupRun && (isRoot || isMember(process.credentials, file.gid));
  const lost = keepsSetGid ? S_ISUID : S_ISUID | S_ISGID;
  await vfs.changeAttributes(place, {
    ...(uid === -1 ? {} : { uid }),
    ...(gid === -1 ? {} : { gid }),
    // A new owner does not get the old one's set-id bits, whoever changes it: see chown(2).
    ...(file.kind === "file" ? { mode: file.mode & ~lost } : {}),
  });
}

function placeOf(process: Process, fd: number): Place {
  const { place } = process.fds.get(fd);
  if (place === undefined) throw new KernelError("EINVAL", String(fd));
  return place;
}
