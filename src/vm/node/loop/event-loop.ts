// The event loop of a process: timers, completions, immediates, as libuv and Node order them.
import { call } from "../channel.ts";
import { hasPending, hasRefs, pollCompletions } from "../requests.ts";
import { inCallbackScope } from "./callback-scope.ts";

/** Node's own timers and immediates, and what they tell the loop. */
export const timers = {
  processImmediate: (): void => undefined,
  processTimers: (_now: number): number => 0,
  /** [count, refCount, hasOutstanding] */
  immediateInfo: new Uint32Array(3),
  timeoutInfo: new Int32Array(1),
};

let timerAt: number | undefined;
let isTimerRef = true;
let originMs = 0;
let handleRefs = 0;
let isStopped = false;
/** The loop's time: it moves once a turn, as uv_now. */
let nowMs = 0;

export function startClock(): void {
  originMs = monotonicMs();
  nowMs = 0;
}

/** Milliseconds of a clock that only goes forward. */
export function monotonicMs(): number {
  return performanceNow();
}

let performanceNow: () => number = () => 0;

export function setMonotonic(clock: () => number): void {
  performanceNow = clock;
}

export function loopNow(): number {
  return nowMs;
}

export function updateTime(): void {
  nowMs = Math.floor(monotonicMs() - originMs);
}

export function scheduleTimer(delayMs: number): void {
  updateTime();
  timerAt = nowMs + Math.max(1, delayMs);
}

export function setTimerRef(isRef: boolean): void {
  isTimerRef = isRef;
}

/** A handle that keeps the process alive by itself, without a call under way. */
export function addHandleRef(count: number): void {
  handleRefs += count;
}

/** Ends the loop after the present callback. */
export function stopLoop(): void {
  isStopped = true;
}

export function isAlive(): boolean {
  if (isStopped) return false;
  if (timerAt !== undefined && isTimerRef) return true;
  return hasRefs() || handleRefs > 0 || (timers.immediateInfo[1] ?? 0) > 0;
}

/** Runs until nothing keeps the process alive. */
export function runLoop(): void {
  while (isAlive()) {
    updateTime();
    runTimers();
    if (isStopped) return;
    pollOnce(waitMs());
    if (isStopped) return;
    if ((timers.immediateInfo[0] ?? 0) > 0) inCallbackScope(() => timers.processImmediate());
  }
}

function runTimers(): void {
  if (timerAt === undefined || timerAt > nowMs) return;
  timerAt = undefined;
  let next = 0;
  inCallbackScope(() => {
    next = timers.processTimers(nowMs);
  });
  if (next === 0) return;
  updateTime();
  timerAt = Math.max(nowMs + 1, Math.abs(next));
  isTimerRef = next > 0;
}

function waitMs(): number {
  if ((timers.immediateInfo[1] ?? 0) > 0 || !isAlive()) return 0;
  if (timerAt === undefined) return -1;
  return Math.max(0, timerAt - Math.floor(monotonicMs() - originMs));
}

function pollOnce(timeoutMs: number): void {
  if (timeoutMs === 0 && !hasPending()) return;
  if (!hasPending() && timeoutMs > 0) {
    call("poll", timeoutMs);
    updateTime();
    return;
  }
  pollCompletions(timeoutMs, (complete) => {
    if (isStopped) return;
    updateTime();
    inCallbackScope(complete);
  });
}
