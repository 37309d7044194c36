// What an attack is, and the ways it may end.

/**
 * error: the guest's process ended by itself, with a status that is not 0. killed: by a signal or its time
 * limit. exit: it ran through; what it tried did no harm. cell restart: its VM was lost and started anew.
 */
export type Ending = "error" | "killed" | "exit" | "cell restart";

export interface Attack {
  readonly name: string;
  readonly kind: string;
  /** JavaScript for `node`; CommonJS unless `isModule`. */
  readonly code: string;
  readonly isModule?: boolean;
  readonly ends: readonly Ending[];
  /** All that it may print, where it looks for something of the host's. */
  readonly prints?: string;
  /** Its time, in milliseconds; 1000 unless said otherwise: most would run for ever. */
  readonly limitMs?: number;
}

/** The guest's process must die; that its VM dies with it is the worst that may be. */
export const dies: readonly Ending[] = ["error", "killed", "cell restart"];

/** Nothing but the time limit ends it. */
export const runsForEver: readonly Ending[] = ["killed", "cell restart"];

/** It may be survived, refused or deadly, but only for its own VM. */
export const any: readonly Ending[] = ["exit", "error", "killed", "cell restart"];

/** It must be harmless: it ends by itself. */
export const harmless: readonly Ending[] = ["exit", "error"];
