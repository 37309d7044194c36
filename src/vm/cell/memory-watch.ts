/** Sees when a cell's memory is nearly full, before V8 or the server ends the cell and the VM with it. */
import { MEMORY_LIMIT } from "../programs/memory-limit.ts";
import { type EngineMemory, type MemoryUse, V8Memory } from "./engine-memory.ts";

/**
 * Parts of V8's limit, of which old objects may take no more than 0.7: above the first the heap is
 * cleaned up, above the second after that it is short.
 */
const FULL = 0.55;
const SHORT = 0.45;
/** The heap and the buffers outside it together; the watchdog allows 1.4 of everything. */
const FULL_WITH_BUFFERS = 0.5;
const SHORT_WITH_BUFFERS = 0.7;
/** What must come up after a cleaning before there is another. */
const STEP_BYTES = 48 * 1024 * 1024;
/** The same where memory was short after it: whoever grows then pays soon. */
const SHORT_STEP_BYTES = 8 * 1024 * 1024;
/** Between two looks. */
const LOOK_MS = 20;
/** Without a look for this long, guests rest: what they left is given back to the host. */
const REST_MS = 250;
/** How long a shortage that nobody has paid for is believed. */
const SHORTAGE_MS = 250;

export interface MemoryWatchClock {
  now(): number;
  /** Calls back once; does not keep the cell alive. */
  after(delayMs: number, callback: () => void): void;
}

export class MemoryWatch {
  readonly #memory: EngineMemory;
  readonly #clock: MemoryWatchClock;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** Bytes in use after the last cleaning. */
  #kept = 0;
  /** The most that a look has found since memory was last given back, and what was left then. */
  #most = 0;
  #left = 0;
  #isRestAwaited = false;
  /** How many processes have yet to pay for the shortage, and until when it is believed. */
  #payers = 0;
  #shortUntilMs = 0;
  /** Ends the largest program; false where nobody says that it holds much. */
  onShort: () => boolean = () => false;

  constructor(memory: EngineMemory = new V8Memory(), clock: MemoryWatchClock = hostClock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  /** Looks at most every few milliseconds; for loops that run while guests do. */
  look(): void {
    const now = this.#clock.now();
    if (now < this.#lookedMs + LOOK_MS) return;
    this.#lookedMs = now;
    const found = this.#memory.measure();
    this.#most = Math.max(this.#most, found.all);
    if (this.#most > this.#left + STEP_BYTES) this.#awaitRest();
    if (!this.#isFull(found)) return;
    const use = this.#cleanUp();
    if (isShort(use) && !this.onShort()) this.declareShort(payersOf(use));
  }

  /** The kernel's heap, garbage included, and the buffers outside it. */
  usedBytes(): number {
    return this.#memory.measure().all;
  }

  /** Gives back to the host all that is not in use. */
  relieve(): void {
    this.#memory.collectThoroughly();
    this.#left = this.#keep().all;
    this.#most = this.#left;
  }

  /** From now on memory is short, until so many processes have paid for it. */
  declareShort(payers = 1): void {
    this.#payers = payers;
    this.#shortUntilMs = this.#clock.now() + SHORTAGE_MS;
  }

  /** Whether the caller must pay for a shortage. */
  takeShortage(): boolean {
    if (this.#payers === 0 || this.#clock.now() >= this.#shortUntilMs) return false;
    this.#payers -= 1;
    return true;
  }

  #isFull({ limit, heap, all }: MemoryUse): boolean {
    if (heap > limit * FULL) return true;
    const step = this.#kept > limit * SHORT_WITH_BUFFERS ? SHORT_STEP_BYTES : STEP_BYTES;
    return all > limit * FULL_WITH_BUFFERS && all > this.#kept + step;
  }

  #cleanUp(): MemoryUse {
    this.#memory.collect();
    const use = this.#keep();
    // Buffers are freed on another thread after the collection: that only they are short is proved.
    if (isHeapShort(use) || !isShort(use)) return use;
    this.relieve();
    return this.#keep();
  }

  #keep(): MemoryUse {
    const use = this.#memory.measure();
    this.#kept = use.all;
    return use;
  }

  #awaitRest(): void {
    if (this.#isRestAwaited) return;
    this.#isRestAwaited = true;
    this.#clock.after(REST_MS, () => {
      this.#isRestAwaited = false;
      if (this.#most <= this.#left + STEP_BYTES) return;
      if (this.#clock.now() < this.#lookedMs + REST_MS) this.#awaitRest();
      else this.relieve();
    });
  }
}

/** One, and one more for each program's worth of memory that there is too much of. */
function payersOf({ limit, all }: MemoryUse): number {
  const excess = Math.max(0, all - limit * SHORT_WITH_BUFFERS);
  return 1 + Math.floor(excess / MEMORY_LIMIT);
}

function isHeapShort({ limit, heap }: MemoryUse): boolean {
  return heap > limit * SHORT;
}

function isShort(use: MemoryUse): boolean {
  return isHeapShort(use) || use.all > use.limit * SHORT_WITH_BUFFERS;
}

const hostClock: MemoryWatchClock = {
  now: () => performance.now(),
  after: (delayMs, callback) => void setTimeout(callback, delayMs).unref(),
};
