import { loopIdleTime, monotonicMs, onLoopStart } from "../loop/event-loop.ts";
import { staticsOf } from "../statics.ts";
import { type Binding, unavailable } from "./base.ts";
import { Histogram } from "./performance/histogram.ts";
import { LoopDelay } from "./performance/loop-delay.ts";

const values = staticsOf("performance");
const milestones: Float64Array = values["milestones"];
let originMs = 0;
let originWallMs = 0;

/** The origin in both clocks, for this process's threads. */
export function performanceOrigin(): [number, number] {
  return [originWallMs, originMs];
}

export const performance = (): Binding => ({
  ...values,
  milestones,
  now: () => monotonicMs() - originMs,
  setupObservers: () => undefined,
  installGarbageCollectionTracking: () => undefined,
  removeGarbageCollectionTracking: () => undefined,
  notify: () => undefined,
  loopIdleTime,
  markBootstrapComplete: () => mark("BOOTSTRAP_COMPLETE"),
  uvMetricsInfo: () => {
    values["uvMetricsBuffer"]?.fill(0);
  },
  createELDHistogram: (resolutionMs: number) => new LoopDelay(resolutionMs),
  Histogram,
  SlidingWindowHistogram: class SlidingWindowHistogram {
    constructor() {
      throw unavailable("createSlidingWindowHistogram()");
    }
  },
});

/** A moment of the start, in the nanoseconds of the clock. */
function mark(name: string): void {
  milestones[values["constants"][`NODE_PERFORMANCE_MILESTONE_${name}`]] = monotonicMs() * 1e6;
}

/** The loop is over. */
export function markLoopExit(): void {
  mark("LOOP_EXIT");
}

/** Sets the origin of performance.now() and timeOrigin to this moment, in a thread to its process's. */
export function startPerformance(wallMs: number, processOriginMs = monotonicMs()): void {
  originMs = processOriginMs;
  originWallMs = wallMs;
  const { constants } = values;
  const set = (name: string, ns: number): void => {
    milestones[constants[`NODE_PERFORMANCE_MILESTONE_${name}`]] = ns;
  };
  milestones.fill(-1);
  set("TIME_ORIGIN", originMs * 1e6);
  set("TIME_ORIGIN_TIMESTAMP", wallMs * 1000);
  for (const [index, name] of ["NODE_START", "V8_START", "ENVIRONMENT"].entries())
    set(name, originMs * 1e6 + (index + 1) * 1000);
  onLoopStart(() => mark("LOOP_START"));
}
