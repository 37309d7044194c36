/** Who agreed to what and when: one JSON value a line, in a file with a limit. */
import { appendFileSync, renameSync, statSync } from "node:fs";
import type { PendingApproval } from "./approval.ts";

/** As much again is kept in `<file>.1`. */
const FILE_LIMIT_BYTES = 5 * 1024 * 1024;

export interface DecisionRecord extends Omit<PendingApproval, "askedAt" | "expiresAt"> {
  /** ISO 8601. */
  readonly at: string;
  /** "withdrawn": who waited is gone. */
  readonly outcome: "allow" | "deny" | "withdrawn";
  readonly scope?: string;
  readonly by: string;
  readonly waitedMs: number;
}

/** Never throws: a disk that is full keeps nobody from answering. Without a file it keeps nothing. */
export class DecisionLog {
  readonly #file: string | undefined;
  readonly #log: (line: string) => void;
  readonly #limitBytes: number;

  constructor(
    file: string | undefined,
    log: (line: string) => void,
    limitBytes: number = FILE_LIMIT_BYTES,
  ) {
    this.#file = file;
    this.#log = log;
    this.#limitBytes = limitBytes;
  }

  add(record: DecisionRecord): void {
    const file = this.#file;
    if (file === undefined) return;
    try {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > this.#limitBytes) renameSync(file, `${file}.1`);
      appendFileSync(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    } catch (error) {
      this.#log(`a decision is not in the record: ${String(error)}: ${JSON.stringify(record)}`);
    }
  }
}
