import { KernelError } from "../abi/kernel-error.ts";
import { type Rights, S_ISVTX, type Stat } from "../abi/stat.ts";

/** Who a process acts as, see credentials(7). File access goes by the effective ids. */
export interface Credentials {
  readonly uid: number;
  readonly euid: number;
  readonly suid: number;
  readonly gid: number;
  readonly egid: number;
  readonly sgid: number;
  readonly groups: readonly number[];
}

export const ROOT: Credentials = makeCredentials(0, 0);

export function makeCredentials(
  uid: number,
  gid: number,
  groups: readonly number[] = [],
): Credentials {
  return { uid, euid: uid, suid: uid, gid, egid: gid, sgid: gid, groups };
}

/** Whether the mode bits give `wanted` (R_OK | W_OK | X_OK) to the holder of the credentials. */
export function canAccess(who: Credentials, stat: Rights, wanted: number): boolean {
  if (who.euid === 0) {
    const needsExecute = (wanted & 1) !== 0 && stat.kind !== "directory";
    return !needsExecute || (stat.mode & 0o111) !== 0;
  }
  const shift = who.euid === stat.uid ? 6 : isMember(who, stat.gid) ? 3 : 0;
  return ((stat.mode >> shift) & wanted) === wanted;
}

/** Fails with EACCES unless the mode bits allow it. */
export function requireAccess(who: Credentials, stat: Rights, wanted: number, path: string): void {
  if (!canAccess(who, stat, wanted)) throw new KernelError("EACCES", path);
}

/** In a sticky directory only the owners of file or directory may remove a name: EPERM. */
export function requireUnsticky(who: Credentials, directory: Stat, file: Stat, path: string): void {
  if ((directory.mode & S_ISVTX) === 0 || who.euid === 0) return;
  if (who.euid !== directory.uid && who.euid !== file.uid) throw new KernelError("EPERM", path);
}

export function isMember(who: Credentials, gid: number): boolean {
  return who.egid === gid || who.groups.includes(gid);
}
