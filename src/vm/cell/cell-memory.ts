/** The memory of a booted VM: how much it has, what is in use, and who ends when it is used up. */
import {
  findLargestHolder,
  type Kernel,
  killForMemory,
  type VmMemory,
} from "../../kernel/index.ts";
import type { NativeLedger } from "../executors/isolate/memory-ledger.ts";
import type { MemoryWatch } from "./memory-watch.ts";

/** Between two looks at what programs hold. */
const LOOK_MS = 20;

/** A process that was asked to end for the memory of all VMs has ended by then. */
const SHARED_MS = 2_000;

/** See the message `memoryShort`. */
export interface CellShortage {
  readonly residentBytes: number;
  readonly sharedLimitBytes?: number;
}

export interface CellMemoryParts {
  readonly totalBytes: number;
  /** Counts what isolates use, and kills the largest; undefined where there are none. */
  readonly ledger: NativeLedger | undefined;
  /** The kernel's own heap, in which programs are. */
  readonly watch: MemoryWatch;
}

export class CellMemory implements VmMemory {
  readonly totalBytes: number;
  readonly #ledger: NativeLedger | undefined;
  readonly #watch: MemoryWatch;
  #lookedMs = 0;
  #sharedLimitBytes: number | undefined;
  #sharedUntilMs = 0;

  constructor({ totalBytes, ledger, watch }: CellMemoryParts) {
    this.totalBytes = totalBytes;
    this.#ledger = ledger;
    this.#watch = watch;
  }

  usedBytes(): number {
    if (this.#ledger === undefined) return this.#watch.usedBytes();
    this.#ledger.publish();
    return Math.min(this.totalBytes, this.#ledger.usedBytes());
  }

  /** Holds the VM to its limit from now on. */
  start(kernel: Kernel): void {
    this.#ledger?.start(this.totalBytes);
    this.#watch.onShort = () => killLargestProgram(kernel);
  }

  /** Called while guests compute: the ledger cannot see which program is the largest, nor end it. */
  look(kernel: Kernel): void {
    const now = performance.now();
    if (this.#ledger === undefined || now < this.#lookedMs + LOOK_MS) return;
    this.#lookedMs = now;
    this.#tellLargest(this.#ledger, kernel);
    if (this.#ledger.takeProgramShortage()) killLargestProgram(kernel);
  }

  /** What all VMs have together, where the last process was asked to end for that. */
  get sharedLimitBytes(): number | undefined {
    return performance.now() < this.#sharedUntilMs ? this.#sharedLimitBytes : undefined;
  }

  /** The cell has so much of the host's memory, more than its limit or too much beside others: the largest process ends. */
  killLargest(kernel: Kernel, { residentBytes, sharedLimitBytes }: CellShortage): void {
    this.#sharedLimitBytes = sharedLimitBytes;
    this.#sharedUntilMs = performance.now() + SHARED_MS;
    if (this.#ledger !== undefined) {
      this.#tellLargest(this.#ledger, kernel);
      // Above the limit of all, whatever its own is.
      const bytes = sharedLimitBytes === undefined ? residentBytes : Number.MAX_SAFE_INTEGER;
      if (this.#ledger.killLargest(bytes)) return;
    }
    if (!killLargestProgram(kernel)) this.#watch.declareShort();
  }

  #tellLargest(ledger: NativeLedger, kernel: Kernel): void {
    ledger.setLargestProgram(findLargestHolder(kernel)?.heldBytes ?? 0);
  }
}

/** Whether there was one to kill. */
function killLargestProgram(kernel: Kernel): boolean {
  const largest = findLargestHolder(kernel);
  if (largest !== undefined) killForMemory(largest);
  return largest !== undefined;
}
