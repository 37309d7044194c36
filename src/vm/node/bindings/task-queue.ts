import { hooks } from "../loop/callback-scope.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

/** Set before the natives are there, given to them when they are. */
let onReject: ((type: number, promise: unknown, reason: unknown) => void) | undefined;

export const taskQueue = (): Binding => ({
  ...staticsOf("task_queue"),
  tickInfo: hooks.tickInfo,
  promiseRejectEvents: {
    kPromiseRejectWithNoHandler: 0,
    kPromiseHandlerAddedAfterReject: 1,
    kPromiseResolveAfterResolved: 3,
    kPromiseRejectAfterResolved: 2,
  },
  setTickCallback(callback: () => void): void {
    hooks.tick = callback;
  },
  runMicrotasks: () => native["runMicrotasks"](),
  enqueueMicrotask: (callback: () => void) => native["enqueueMicrotask"](callback),
  setPromiseRejectCallback(callback: typeof onReject): void {
    onReject = callback;
  },
});

/** Has V8 report rejected promises to Node's library, and what microtasks throw to the process. */
export function listenForRejections(): void {
  native["setPromiseRejectCallback"](onReject);
  native["setUncaughtCallback"]?.((error: unknown) => hooks.uncaught(error, false));
}
