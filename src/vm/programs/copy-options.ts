import type { Stat } from "../../kernel/index.ts";
import type { Backup } from "./backup.ts";

/** How a tree is copied. */
export interface CopyOptions {
  readonly isRecursive: boolean;
  /** Links below operands are copied as links; `operands` follows those on the command line. */
  readonly follows: "all" | "operands" | "none";
  readonly keepsMode: boolean;
  readonly keepsOwner: boolean;
  readonly keepsTimes: boolean;
  readonly isForced: boolean;
  /** Answers whether an existing file may be overwritten. */
  readonly mayOverwrite: (from: Stat, to: Stat, path: string) => Promise<boolean>;
  readonly isVerbose: boolean;
  /** What is replaced is kept under another name. */
  readonly backup?: Backup;
  /** Links to the source instead of copies. */
  readonly linksAs?: "hard" | "symbolic";
  /** The old file goes before the new one is made. */
  readonly removesFirst?: boolean;
  /** Attributes only: the copy stays empty. */
  readonly isEmpty?: boolean;
  /** `--no-preserve=mode`: as a new file is made. */
  readonly usesNewMode?: boolean;
}
