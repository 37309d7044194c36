// Catches what a callback throws, and knows where it was thrown: JavaScript's own catch does not.
import { native } from "../native.ts";

interface Thrown {
  readonly error: unknown;
  /** The lines that Node prints above an uncaught error. */
  readonly place: string;
}

let last: Thrown | undefined;

/** Calls `run`; undefined when it returned. */
export function catchThrown(run: () => void): Thrown | undefined {
  const caught: readonly [unknown, string] | undefined = native["callCatching"](run);
  if (caught === undefined) return undefined;
  last = { error: caught[0], place: caught[1] };
  return last;
}

/** Where the error was thrown that was caught last; undefined for another. */
export function placeThrown(error: unknown): string | undefined {
  return last !== undefined && Object.is(last.error, error) ? last.place : undefined;
}
