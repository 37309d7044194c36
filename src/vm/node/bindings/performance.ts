import { monotonicMs } from "../loop/event-loop.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

const values = staticsOf("performance");
const milestones: Float64Array = values["milestones"];
let originMs = 0;

export const performance = (): Binding => ({
  ...values,
  milestones,
  now: () => monotonicMs() - originMs,
  setupObservers: () => undefined,
  installGarbageCollectionTracking: () => undefined,
  removeGarbageCollectionTracking: () => undefined,
  notify: () => undefined,
  loopIdleTime: () => 0,
  markBootstrapComplete: () => undefined,
  uvMetricsInfo: () => undefined,
  createELDHistogram: () => {
    throw new Error("monitorEventLoopDelay is not supported in a VM");
  },
});

/** Sets the origin of performance.now() and timeOrigin to this moment. */
export function startPerformance(wallMs: number): void {
  originMs = monotonicMs();
  const { constants } = values;
  milestones.fill(originMs * 1e6);
  milestones[constants.NODE_PERFORMANCE_MILESTONE_TIME_ORIGIN_TIMESTAMP] = wallMs * 1000;
}
