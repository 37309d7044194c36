// The event loop of a process: timers, completions, immediates, as libuv and Node order them.

import { emitDestroyed, hasDestroyed } from "../bindings/async-wrap.ts";
import { call } from "../channel.ts";
import { hasPending, hasRefs, pollCompletions } from "../requests.ts";
import { hooks, inCallbackScope } from "./callback-scope.ts";
import { catchThrown } from "./catch-thrown.ts";
import { hasClosing, hasWakeups, runClosing, runWakeups } from "./wakeups.ts";

/** Node's own timers and immediates, and what they tell the loop. */
export const timers = {
  processImmediate: (): void => undefined,
  processTimers: (_now: number): number => 0,
  /** [count, refCount, hasOutstanding] */
  immediateInfo: new Uint32Array(3),
  timeoutInfo: new Int32Array(1),
};

let timerAt: number | undefined;
/** Whether one of Node's timers keeps the process alive. As in Node, none does until its library says so. */
let isTimerRef = false;
let originMs = 0;
let handleRefs = 0;
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
  timerAt = nowMs + Math.max(1, delayMs);
}

export function setTimerRef(isRef: boolean): void {
  isTimerRef = isRef;
}

/** A handle that keeps the process alive by itself, without a call under way. */
export function addHandleRef(count: number): void {
  handleRefs += count;
}

export function isAlive(): boolean {
  if (timerAt !== undefined && isTimerRef) return true;
  return hasRefs() || handleRefs > 0 || hasClosing() || (timers.immediateInfo[1] ?? 0) > 0;
}

let idleMs = 0;
let started: (() => void) | undefined;

/** Milliseconds for which the loop has waited. */
export function loopIdleTime(): number {
  return idleMs;
}

/** Has `run` called when the loop first turns. */
export function onLoopStart(run: () => void): void {
  started = run;
}

/** Runs until nothing keeps the process alive, in the order of libuv's uv_run. */
export function runLoop(): void {
  started?.();
  started = undefined;
  updateTime();
  runTimers();
  while (isAlive()) {
    // Both are run from here, since a stack's limit counts our frames, too.
    const timeoutMs = waitMs();
    runWakeups();
    for (const complete of pollOnce(timeoutMs)) {
      updateTime();
      inCallbackScope(complete);
    }
    runImmediates();
    runClosing();
    updateTime();
    runTimers();
  }
  if (hasDestroyed()) inCallbackScope(emitDestroyed);
}

function runTimers(): void {
  if (timerAt === undefined || timerAt > nowMs) return;
  timerAt = undefined;
  inCallbackScope(() => {
    const next = processDueTimers(nowMs);
    isTimerRef = next > 0;
    if (next !== 0) timerAt = nowMs + Math.max(1, Math.abs(next) - nowMs);
  });
}

/** Runs all that are due, whatever they throw; when the next one is (0: none, negative: it is unref'd). */
function processDueTimers(now: number): number {
  for (;;) {
    let next = 0;
    const thrown = catchThrown(() => {
      next = timers.processTimers(now);
    });
    if (thrown === undefined) return next;
    hooks.uncaught(thrown.error, false);
  }
}

function runImmediates(): void {
  if (hasDestroyed()) inCallbackScope(emitDestroyed);
  if ((timers.immediateInfo[0] ?? 0) === 0) return;
  do inCallbackScope(() => timers.processImmediate());
  while (timers.immediateInfo[2] !== 0);
}

function waitMs(): number {
  if ((timers.immediateInfo[1] ?? 0) > 0 || hasWakeups() || hasClosing() || !isAlive()) return 0;
  if (timerAt === undefined) return -1;
  return Math.max(0, timerAt - Math.floor(monotonicMs() - originMs));
}

/** What has come to its end meanwhile. */
function* pollOnce(timeoutMs: number): Generator<() => void, void> {
  if (timeoutMs === 0 && !hasPending()) return;
  const sinceMs = monotonicMs();
  const waited = (): void => {
    if (timeoutMs !== 0) idleMs += monotonicMs() - sinceMs;
  };
  if (!hasPending() && timeoutMs > 0) {
    call("poll", timeoutMs);
    waited();
    updateTime();
    return;
  }
  yield* pollCompletions(timeoutMs, waited);
}
