import type { Stat } from "../../../kernel/index.ts";

/** A file that find looks at. */
export interface FindFile {
  readonly path: string;
  readonly name: string;
  readonly stat: Stat;
  /** How far below the operand. */
  readonly depth: number;
  /** Set by `-prune`: the directory is not entered. */
  isPruned: boolean;
}
