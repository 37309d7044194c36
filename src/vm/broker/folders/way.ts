/** The way to a directory from one that is held: so a request names many directories without holding each of them. */
import { KernelError } from "../../../kernel/index.ts";
import { codeOf, type FileFacts, type Reach } from "./reach.ts";

/** A name, and which file must have it. */
export interface Step {
  readonly name: string;
  readonly identity: string;
}

export interface Way {
  readonly held: number;
  readonly steps: readonly Step[];
}

/** Files of one directory. */
export interface FilesAt {
  readonly way: Way;
  readonly files: readonly Step[];
}

/** Calls with what is at the end of the way, held, and its facts after the last step. Undefined where the way leads elsewhere by now, or the call fails. */
export function atWay<T>(
  reach: Reach,
  { held, steps }: Way,
  act: (at: number, facts: FileFacts | undefined) => T,
): T | undefined {
  let at = held;
  let last: FileFacts | undefined;
  try {
    for (const { name, identity } of steps) {
      const { fd, facts } = reach.hold(at, name);
      if (at !== held) reach.close(at);
      at = fd;
      if (facts.identity !== identity) return undefined;
      last = facts;
    }
    return act(at, last);
  } catch (error) {
    if (error instanceof KernelError || codeOf(error) !== "") return undefined;
    throw error;
  } finally {
    if (at !== held) reach.close(at);
  }
}
