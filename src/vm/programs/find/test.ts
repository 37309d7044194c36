import type { Answer } from "../../../kernel/index.ts";
import type { NameDatabase } from "../name-database.ts";
import type { Run } from "../program.ts";
import type { FindFile } from "./file.ts";

/** Something that is asked of a file. */
export type Test = (file: FindFile) => Answer<boolean>;

/** What words change for those behind them. */
export interface ParserState {
  /** Of `-regex`. */
  syntax: "emacs" | "basic" | "extended";
  /** Days are counted from midnight on. */
  isFromDayStart: boolean;
}

/** What a test may need while it is made. */
export interface TestContext {
  readonly run: Run;
  readonly nowMs: number;
  readonly names: NameDatabase;
  readonly state: ParserState;
  /** Takes the word after the test. Fails with a UsageError where there is none. */
  readonly value: () => string;
}
