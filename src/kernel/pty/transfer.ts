import type { Errno } from "../abi/errno.ts";
import { isKernelError, KernelError } from "../abi/kernel-error.ts";

/** What a transfer that cannot go on answers: its count, or the errno when nothing was moved. */
export function countOr(count: number, errno: Errno): number {
  if (count === 0) throw new KernelError(errno);
  return count;
}

/** Waits; false when a signal or limit ends a transfer that has moved something: no error then. */
export async function goOn(wait: Promise<boolean>, done: number): Promise<boolean> {
  try {
    await wait;
    return true;
  } catch (error) {
    if (done > 0 && isKernelError(error)) return false;
    throw error;
  }
}
