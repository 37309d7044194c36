/** How calls on a stream wait: for bytes to come, and until all have been taken. */
import { isKernelError, KernelError } from "../abi/kernel-error.ts";
import type { WaitQueue } from "../fd/wait-queue.ts";
import type { TransferOptions } from "./transport.ts";

/** Takes the step until it answers a count. EAGAIN where it may not wait, EINTR. */
export async function receiveWaiting(
  step: () => number | undefined,
  changed: WaitQueue,
  { waiter, isNonBlocking }: TransferOptions,
): Promise<number> {
  for (;;) {
    const count = step();
    if (count !== undefined) return count;
    if (isNonBlocking) throw new KernelError("EAGAIN");
    await waiter.wait(changed);
  }
}

/**
 * Takes the step until `length` bytes are sent; it is given how many were, and answers how many more,
 * undefined when no more can be. Short where it may not wait, or is interrupted: EAGAIN and EINTR
 * come only with nothing sent.
 */
export async function sendWaiting(
  length: number,
  step: (sent: number) => number | undefined,
  changed: WaitQueue,
  { waiter, isNonBlocking }: TransferOptions,
): Promise<number> {
  let sent = 0;
  while (sent < length) {
    const count = step(sent);
    if (count === undefined) return sent;
    sent += count;
    if (sent === length) return sent;
    if (isNonBlocking && sent > 0) return sent;
    if (isNonBlocking) throw new KernelError("EAGAIN");
    try {
      await waiter.wait(changed);
    } catch (error) {
      if (sent > 0 && isKernelError(error, "EINTR")) return sent;
      throw error;
    }
  }
  return sent;
}
