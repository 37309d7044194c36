// V8 about itself: sizes of the heap. Profiles and flags are the server's.
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import { type Binding, unavailable } from "./base.ts";

const values = staticsOf("v8");
const heap: Float64Array = values["heapStatisticsBuffer"];
const code: Float64Array = values["heapCodeStatisticsBuffer"];
const space: Float64Array = values["heapSpaceStatisticsBuffer"];
const OLD_SPACE = "old_space";

const refuse = (what: string) => (): never => {
  throw unavailable(what);
};

export const v8 = (): Binding => ({
  ...values,
  updateHeapStatisticsBuffer(): void {
    heap.set(native["heapStatistics"]().slice(0, heap.length));
  },
  updateHeapCodeStatisticsBuffer(): void {
    code.fill(0);
  },
  /** All of the heap is shown as one space. */
  updateHeapSpaceStatisticsBuffer(index: number): void {
    const isOld = values["kHeapSpaces"][index] === OLD_SPACE;
    const [total, , physical, available, used] = native["heapStatistics"]();
    space.set(isOld ? [total, used, available, physical] : [0, 0, 0, 0]);
  },
  getCppHeapStatistics: () => ({
    committed_size_bytes: 0,
    resident_size_bytes: 0,
    used_size_bytes: 0,
    space_statistics: [],
    type_names: [],
    detail_level: "brief",
  }),
  cachedDataVersionTag: () => native["cachedDataVersionTag"]?.() ?? VERSION_TAG,
  isStringOneByteRepresentation: (text: string) => !/[^\0-\xff]/.test(text),
  getHashSeed: () => 0,
  /** The VM's V8 has its flags from the server. */
  setFlagsFromString: () => undefined,
  setHeapSnapshotNearHeapLimit: refuse("v8.setHeapSnapshotNearHeapLimit()"),
  setHeapProfileNearHeapLimit: refuse("v8.setHeapProfileNearHeapLimit()"),
  startCpuProfile: refuse("v8.startCpuProfile()"),
  stopCpuProfile: refuse("v8.stopCpuProfile()"),
  startHeapProfile: refuse("v8.startHeapProfile()"),
  stopHeapProfile: refuse("v8.stopHeapProfile()"),
  GCProfiler,
});

/** Stands for this V8 and its flags, which are the same in all processes of a VM. */
const VERSION_TAG = 0x26_10_00_01;

/** Sees no collections: V8 reports them to the server alone. */
class GCProfiler {
  #startMs: number | undefined;

  start(): void {
    this.#startMs ??= Date.now();
  }

  stop(): string | undefined {
    if (this.#startMs === undefined) return undefined;
    const startTime = this.#startMs;
    this.#startMs = undefined;
    return JSON.stringify({ version: 1, startTime, statistics: [], endTime: Date.now() });
  }
}
