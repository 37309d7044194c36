import { hooks } from "../loop/callback-scope.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

type Callback = (...args: unknown[]) => unknown;

/** What Node's library gave for showing errors. */
export const errorHooks: { prepareStackTrace?: Callback; beforeInspect?: Callback; afterInspect?: Callback } = {};

export const errors = (): Binding => ({
  ...staticsOf("errors"),
  setPrepareStackTraceCallback(callback: Callback): void {
    errorHooks.prepareStackTrace = callback;
  },
  setGetSourceMapErrorSource: () => undefined,
  setSourceMapsEnabled: () => undefined,
  setMaybeCacheGeneratedSourceMap: () => undefined,
  setEnhanceStackForFatalException(before: Callback, after: Callback): void {
    errorHooks.beforeInspect = before;
    errorHooks.afterInspect = after;
  },
  noSideEffectsToString: (value: unknown) => native["noSideEffectsToString"](value),
  triggerUncaughtException: (error: unknown, isFromPromise: boolean) =>
    hooks.uncaught(error, isFromPromise),
  getErrorSourcePositions: (error: unknown) => native["getErrorSourcePositions"](error),
});
