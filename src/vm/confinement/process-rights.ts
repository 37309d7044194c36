// prctl(2) and prlimit(2) as verbs. Each throws LibcError.
import type { Libc } from "./libc.ts";

/** No program started from this thread gains rights by setuid or file capabilities; asked by seccomp and Landlock. */
export function setNoNewPrivileges(libc: Libc): void {
  prctl(libc, PR_SET_NO_NEW_PRIVS, 1);
}

/** The kernel kills this process when the thread that started it ends. */
export function dieWithParent(libc: Libc): void {
  prctl(libc, PR_SET_PDEATHSIG, SIGKILL);
}

/** No core dump, and no same-user process may trace this one or read its memory. */
export function setNotDumpable(libc: Libc): void {
  prctl(libc, PR_SET_DUMPABLE, 0);
}

export function parentPid(libc: Libc): number {
  return libc.syscall("getppid", numbers.getppid);
}

export type Resource = keyof typeof resources;

/** Sets the soft and the hard limit of this process. */
export function setResourceLimit(libc: Libc, resource: Resource, value: number): void {
  const limit = new BigUint64Array([BigInt(value), BigInt(value)]);
  const bytes = new Uint8Array(limit.buffer);
  libc.syscall("prlimit64", numbers.prlimit64, 0, resources[resource], bytes, 0);
}

function prctl(libc: Libc, option: number, value: number): void {
  libc.syscall("prctl", numbers.prctl, option, value, 0, 0, 0);
}

/** linux/prctl.h, asm-generic/resource.h, signal(7) */
const PR_SET_PDEATHSIG = 1;
const PR_SET_DUMPABLE = 4;
const PR_SET_NO_NEW_PRIVS = 38;
const SIGKILL = 9;
const resources = { core: 4, openFiles: 7 } as const;
const numbers =
  process.arch === "arm64"
    ? { prctl: 167, getppid: 173, prlimit64: 261 }
    : { prctl: 157, getppid: 110, prlimit64: 302 };
