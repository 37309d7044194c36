/** What a row of the table of system calls is made of. */
import type { Errno } from "../abi/errno.ts";
import type { Process } from "../process/process.ts";

type Handler = (process: Process, ...args: never[]) => Promise<unknown>;

export interface Syscall {
  readonly handler: Handler;
  readonly support: "full" | "partial";
  readonly errnos: readonly Errno[];
  readonly note?: string;
}

/** What a walk fails with: EBADF and ENOTDIR for the directory fd of a path, EACCES by the policy, too. */
export const walk = [
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "ELOOP",
  "ENAMETOOLONG",
  "EINVAL",
  "EBADF",
] as const;

/** What reading from an open file of any kind fails with. */
export const reading = [
  "EBADF",
  "EISDIR",
  "EAGAIN",
  "EINTR",
  "EINVAL",
  "EIO",
  "ENOTCONN",
  "ECONNRESET",
  "ECONNREFUSED",
] as const;

export interface Row<H> {
  readonly handler: H;
  readonly support: "full" | "partial";
  readonly errnos: readonly Errno[];
  readonly note?: string;
}

export function full<H>(handler: H, errnos: readonly Errno[]): Row<H> {
  return { handler, support: "full", errnos };
}

export function partial<H>(handler: H, errnos: readonly Errno[], note: string): Row<H> {
  return { handler, support: "partial", errnos, note };
}
