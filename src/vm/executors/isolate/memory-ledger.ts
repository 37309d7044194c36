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

  constructor(ledger: NativeLedger) {
    lastAccount += 1;
    this.number = lastAccount;
    this.#ledger = ledger;
  }

  /** Isolates that have ended are not in it. */
  use(): ProcessUse & { readonly isKilled: boolean } {
    const numbers = this.#ledger.accounts();
    let [memoryBytes, cpuMs, isKilled] = [0, 0, false];
    for (let at = 0; at < numbers.length; at += 4) {
      if (numbers[at] !== this.number) continue;
      memoryBytes += numbers[at + 1] ?? 0;
      cpuMs += numbers[at + 2] ?? 0;
      isKilled ||= numbers[at + 3] === 1;
    }
    return { memoryBytes, cpuMs, isKilled };
  }
}
