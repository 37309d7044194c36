/** The memory of this cell's V8: how much there is, and how garbage is given back. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface MemoryUse {
  /** V8's limit for the heap. */
  readonly limit: number;
  /** Objects, garbage among them. */
  readonly heap: number;
  /** Objects and the buffers outside the heap: files, pipes, what programs read. */
  readonly all: number;
}

/** What MemoryWatch needs of V8; tests have one of their own. */
export interface EngineMemory {
  measure(): MemoryUse;
  /** Collects garbage. Buffers are freed soon after; pages stay for the next objects. */
  collect(): void;
  /** Collects all there is, buffers included, and gives the pages back to the host: several times the work. */
  collectThoroughly(): void;
}

type Collect = (options: { type: "major"; flavor: "regular" | "last-resort" }) => void;

export class V8Memory implements EngineMemory {
  #gc: Collect | undefined;

  measure(): MemoryUse {
    const {
      used_heap_size: heap,
      heap_size_limit: limit,
      external_memory: outside,
    } = getHeapStatistics();
    return { limit, heap, all: heap + outside };
  }

  collect(): void {
    this.#gc ??= findCollector();
    this.#gc({ type: "major", flavor: "regular" });
  }

  collectThoroughly(): void {
    this.#gc ??= findCollector();
    // V8 keeps freed pages for 8 s but for collections of this flavour (--memory-pool-timeout).
    this.#gc({ type: "major", flavor: "last-resort" });
  }
}

/** V8's own collector, which a context has only where a flag says so. */
function findCollector(): Collect {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return (options) => {
    if (typeof found === "function") found(options);
  };
}
