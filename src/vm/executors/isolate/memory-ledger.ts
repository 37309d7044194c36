// What the processes of isolates use, counted by native/guest-binding: it also kills the largest of them, on a thread
// of its own, where all use more than the VM has.
import type { ProcessUse } from "../../../kernel/index.ts";

/** The kernel's end of native/guest-binding, see its ledger.h. */
export interface NativeLedger {
  start(limitBytes: number): void;
  publish(): void;
  setLargestProgram(bytes: number): void;
  /** False where a program must end instead. */
  killLargest(residentBytes: number): boolean;
  takeProgramShortage(): boolean;
  usedBytes(): number;
  /** Four numbers for each isolate: its account, bytes, milliseconds computed, 1 where it is killed. */
  accounts(): readonly number[];
}

/** The kernel's own account. */
const KERNEL = 0;

let lastAccount = KERNEL;

/** The account of one process, which its threads share. */
export class MemoryAccount {
  readonly number: number;
  readonly #ledger: NativeLedger;
  /** CPU time of the isolates that were seen last, and of those that had ended before. */
  #seenMs = 0;
  #endedMs = 0;

  constructor(ledger: NativeLedger) {
    lastAccount += 1;
    this.number = lastAccount;
    this.#ledger = ledger;
  }

  /** Memory is of the isolates there are. CPU time is of those that ended, too, as far as they were seen. */
  use(): ProcessUse & { readonly isKilled: boolean } {
    const numbers = this.#ledger.accounts();
    let [memoryBytes, cpuMs, isKilled] = [0, 0, false];
    for (let at = 0; at < numbers.length; at += 4) {
      if (numbers[at] !== this.number) continue;
      memoryBytes += numbers[at + 1] ?? 0;
      cpuMs += numbers[at + 2] ?? 0;
      isKilled ||= numbers[at + 3] === 1;
    }
    this.#endedMs += Math.max(0, this.#seenMs - cpuMs);
    this.#seenMs = cpuMs;
    return { memoryBytes, cpuMs: cpuMs + this.#endedMs, isKilled };
  }
}
