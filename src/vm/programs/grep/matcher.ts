import type { Text } from "../regexp/surroundings.ts";

/** What grep looks for. */
export interface Matcher {
  /** A place in the first line with a match from `from` on, or at its end; -1 where there is none. */
  findLine(block: Uint8Array, from: number): number;
  /** Finds the first match in a line that starts at `from` or later. */
  search(line: Text, from: number): boolean;
  /** The match found last. */
  readonly matchStart: number;
  readonly matchEnd: number;
}
