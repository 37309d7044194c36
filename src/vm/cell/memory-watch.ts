/** Sees when the heap of the cell is nearly full, before V8 ends the cell and the VM with it. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Parts of V8's limit, of which old objects may take no more than 0.7: above the first the heap is
 * cleaned up, above the second after that it is short.
 */
const FULL = 0.55;
const SHORT = 0.45;
/** The heap and the buffers outside it together; the watchdog allows 1.4 of everything. */
const FULL_WITH_BUFFERS = 0.5;
const SHORT_WITH_BUFFERS = 0.9;
/** What must come up after a cleaning before there is another. */
const STEP_BYTES = 48 * 1024 * 1024;
/** Between two looks. */
const LOOK_MS = 20;

export class MemoryWatch {
  #collect: (() => void) | undefined;
  #nextMs = 0;
  /** Bytes in use after the last cleaning. */
  #kept = 0;
  #isShort = false;

  /** Looks at most every few milliseconds; for loops that run while guests do. */
  look(nowMs: number): void {
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + LOOK_MS;
    const { limit, heap, all } = measure();
    const isFull = heap > limit * FULL;
    if (!isFull && (all < limit * FULL_WITH_BUFFERS || all < this.#kept + STEP_BYTES)) return;
    this.#collect ??= findCollector();
    this.#collect();
    const after = measure();
    this.#kept = after.all;
    this.#isShort = after.heap > limit * SHORT || after.all > limit * SHORT_WITH_BUFFERS;
  }

  /** Whether memory is short; once for each time it is found to be. */
  takeShortage(): boolean {
    const isShort = this.#isShort;
    this.#isShort = false;
    return isShort;
  }
}

function measure(): { readonly limit: number; readonly heap: number; readonly all: number } {
  const {
    used_heap_size: heap,
    heap_size_limit: limit,
    external_memory: outside,
  } = getHeapStatistics();
  return { limit, heap, all: heap + outside };
}

/** V8's own collector: what is garbage must not count. */
function findCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return () => {
    if (typeof found === "function") found();
  };
}
