import { copyText } from "../abi/text.ts";
import type { Scope } from "./policy.ts";

/** One decision of the policy. `sequence` counts up from 1 and never repeats in a VM. */
export interface AuditRecord {
  readonly sequence: number;
  readonly timeMs: number;
  readonly pid: number;
  readonly command: string;
  /** The system call that asked. */
  readonly call: string;
  readonly scope: Scope;
  readonly operation: string;
  readonly subject: string;
  readonly outcome: "allow" | "deny";
  /** What decided: `fs.rules[2]`, `fs.default`, `fs`, or `ask: …` when the host did. */
  readonly rule: string;
}

/** The most of a subject that is kept: a path may have 4095 bytes, a variable's name a million. */
const SUBJECT_CHARACTERS = 1024;

/** The newest decisions, up to the limit; the oldest leave. */
export class AuditLog {
  readonly #records: AuditRecord[] = [];
  readonly #capacity: number;
  #sequence = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(record: Omit<AuditRecord, "sequence">): void {
    this.#sequence += 1;
    const slot = (this.#sequence - 1) % this.#capacity;
    this.#records[slot] = {
      sequence: this.#sequence,
      ...record,
      command: copyText(record.command),
      subject: clip(record.subject),
    };
  }

  /** How many there have been. */
  get lastSequence(): number {
    return this.#sequence;
  }

  /** The records kept after `sequence`, oldest first, at most `limit`. */
  after(sequence: number, limit: number): AuditRecord[] {
    const oldest = Math.max(1, this.#sequence - this.#records.length + 1);
    const found: AuditRecord[] = [];
    for (let next = Math.max(sequence + 1, oldest); next <= this.#sequence; next++) {
      const record = this.#records[(next - 1) % this.#capacity];
      if (record === undefined || found.length === limit) break;
      found.push(record);
    }
    return found;
  }
}

function clip(subject: string): string {
  if (subject.length <= SUBJECT_CHARACTERS) return copyText(subject);
  return `${copyText(subject.slice(0, SUBJECT_CHARACTERS - 1))}…`;
}
