import {
  loopNow,
  scheduleTimer,
  setTimerRef,
  timers as loop,
  updateTime,
} from "../loop/event-loop.ts";
import type { Binding } from "./base.ts";

export const timers = (): Binding => ({
  setupTimers(processImmediate: () => void, processTimers: (now: number) => number): void {
    loop.processImmediate = processImmediate;
    loop.processTimers = processTimers;
  },
  getLibuvNow(): number {
    updateTime();
    return loopNow();
  },
  scheduleTimer,
  toggleTimerRef: setTimerRef,
  toggleImmediateRef: () => undefined,
  immediateInfo: loop.immediateInfo,
  timeoutInfo: loop.timeoutInfo,
  updateTime,
});
