import { KernelError } from "../abi/kernel-error.ts";
import type { WaitQueue } from "../fd/wait-queue.ts";
import type { ConnectionEnd } from "./connection-end.ts";
import type { Listener } from "./listener.ts";

/** Whom a connect calls. */
export interface StreamTarget {
  /** Undefined where nobody listens. */
  readonly listener: Listener | undefined;
  /** Makes both ends; answers the caller's and the listener's. Fails with EAGAIN at the limit. */
  makeEnds(changed: WaitQueue): {
    readonly caller: ConnectionEnd;
    readonly listener: ConnectionEnd;
  };
}

/** ECONNREFUSED where nobody listens; EAGAIN for a caller that may not wait for a place. */
export function requireOpen({ listener }: StreamTarget, isNonBlocking: boolean): void {
  if (listener === undefined) throw new KernelError("ECONNREFUSED");
  if (isNonBlocking && listener.isFull) throw new KernelError("EAGAIN");
}
