/** How a statement ends. */
export const NORMAL = 0;
export const BREAK = 1;
export const CONTINUE = 2;
export const NEXT = 3;
export const NEXT_FILE = 4;
export const EXIT = 5;
export const RETURN = 6;

export type Signal = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** A statement: it answers at once, or with a promise where it had to wait. */
export type Exec = () => Signal | Promise<Signal>;

/** `next`, `nextfile` and `exit` within a function leave the expression that called it. */
export class Unwind extends Error {
  readonly signal: Signal;

  constructor(signal: Signal) {
    super("unwind");
    this.signal = signal;
  }
}
