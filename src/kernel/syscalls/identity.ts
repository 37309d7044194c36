/** Who a process acts as, see credentials(7). */
import { KernelError } from "../abi/kernel-error.ts";
import type { Credentials } from "../permissions/credentials.ts";
import type { Process } from "../process/process.ts";

// Deviation: a process has at most 64 further groups; Linux's NGROUPS_MAX is 65,536.
const GROUPS_MAX = 64;

/** Real, effective and saved ids, and the further groups. */
export async function getcredentials(process: Process): Promise<Credentials> {
  return process.credentials;
}

/** As root all three ids, else the effective one among the own. EPERM, EINVAL. */
export async function setuid(process: Process, uid: number): Promise<void> {
  checkId(uid);
  const { credentials } = process;
  if (credentials.euid === 0) {
    process.credentials = { ...credentials, uid, euid: uid, suid: uid };
    return;
  }
  if (uid !== credentials.uid && uid !== credentials.suid) throw new KernelError("EPERM");
  process.credentials = { ...credentials, euid: uid };
}

/** The same for the group. */
export async function setgid(process: Process, gid: number): Promise<void> {
  checkId(gid);
  const { credentials } = process;
  if (credentials.euid === 0) {
    process.credentials = { ...credentials, gid, egid: gid, sgid: gid };
    return;
  }
  if (gid !== credentials.gid && gid !== credentials.sgid) throw new KernelError("EPERM");
  process.credentials = { ...credentials, egid: gid };
}

/** Changes the further groups; root only, at most 64. */
export async function setgroups(process: Process, groups: readonly number[]): Promise<void> {
  if (process.credentials.euid !== 0) throw new KernelError("EPERM");
  if (groups.length > GROUPS_MAX) throw new KernelError("EINVAL");
  for (const gid of groups) checkId(gid);
  process.credentials = { ...process.credentials, groups: [...groups] };
}

/** EINVAL for what is no uid or gid. */
export function checkId(id: number): void {
  if (!Number.isInteger(id) || id < 0 || id > 0xffff_fffe)
    throw new KernelError("EINVAL", String(id));
}
