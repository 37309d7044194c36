// The buffer a guest process shares with the kernel: some words, then a window of bytes.
// Both sides compile this file. The kernel treats all of it as the guest's input.

/** Words of the control part (Int32). */
export const word = {
  /** Whose turn it is: one of `turn`. The guest waits on this word. */
  turn: 0,
  /** 0 for a call that is waited for, else the number its completion will carry. */
  request: 1,
  /** Bytes in the window. */
  length: 2,
  /** 1 when more of the message follows in the next window. */
  more: 3,
  /** 1 while the kernel looks at `turn` by itself and need not be rung for. */
  isLooking: 4,
  /** 0 when the call succeeded. */
  failed: 5,
  /** The core each side was on when it last looked for the other: on one core, one must yield for the other to run. */
  guestCore: 6,
  kernelCore: 7,
  /** The kernel sets it when SIGINT has come for a guest that watches for it, see `loop/interrupts.ts`. */
  interrupted: 8,
} as const;

/** Looks for the other side between two looks at the cores. */
export const LOOKS_PER_CORE_CHECK = 4;

export const turn = { guest: 0, kernel: 1 } as const;

export const CONTROL_BYTES = 64;
/** The most that one call reads or writes of a file. */
export const CONTENT_BYTES = 1024 * 1024;
/** Holds that and what is said about it; pages that are never touched cost nothing. */
export const WINDOW_BYTES = CONTENT_BYTES + 16 * 1024;

/** The most one message may have, as a sum of windows. */
export const MESSAGE_LIMIT_BYTES = 256 * 1024 * 1024;
