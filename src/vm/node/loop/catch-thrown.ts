// Catches what a callback throws, and knows where it was thrown: JavaScript's own catch does not.
import { native } from "../native.ts";
import { isOurs, placeInLibrary } from "./visible-place.ts";

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
  const [error, place] = caught;
  const isThrownOn = last !== undefined && Object.is(last.error, error) && isOurs(place);
  if (!isThrownOn || last === undefined) last = { error, place };
  return last;
}

/** Where the error was thrown that was caught last; undefined for another. */
export function placeThrown(error: unknown): string | undefined {
  if (last === undefined || !Object.is(last.error, error)) return undefined;
  if (!isOurs(last.place)) return last.place;
  return native["types"].isNativeError(error) ? placeInLibrary((error as Error).stack) : "";
}
