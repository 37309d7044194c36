import { hooks } from "../loop/callback-scope.ts";
import {
  timers as loop,
  loopNow,
  scheduleTimer,
  setTimerRef,
  updateTime,
} from "../loop/event-loop.ts";
import type { Binding } from "./base.ts";

export const timers = (): Binding => ({
  setupTimers(processImmediate: () => void, processTimers: (now: number) => number): void {
    loop.processImmediate = () => Reflect.apply(processImmediate, hooks.process, []);
    loop.processTimers = (now) => Reflect.apply(processTimers, hooks.process, [now]);
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
