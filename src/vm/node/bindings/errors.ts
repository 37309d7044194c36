import { hooks } from "../loop/callback-scope.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { tidyCallSites } from "./errors/call-sites.ts";

type Callback = (...args: unknown[]) => unknown;

/** What Node's library gave for showing errors. */
export const errorHooks: {
  prepareStackTrace?: Callback;
  beforeInspect?: Callback;
  afterInspect?: Callback;
  sourceMapErrorSource?: Callback;
  areSourceMapsOn: boolean;
} = { areSourceMapsOn: false };

export const errors = (): Binding => ({
  ...staticsOf("errors"),
  setPrepareStackTraceCallback(callback: Callback): void {
    errorHooks.prepareStackTrace = callback;
  },
  setGetSourceMapErrorSource(callback: Callback): void {
    errorHooks.sourceMapErrorSource = callback;
  },
  setSourceMapsEnabled(isOn: boolean): void {
    errorHooks.areSourceMapsOn = isOn;
  },
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

/** Lets Node's library make the text of stacks, once the natives are there. */
export function showStacksAsNode(): void {
  native["setPrepareStackTraceCallback"]((global: unknown, error: unknown, trace: unknown) =>
    errorHooks.prepareStackTrace?.(global, error, tidyCallSites(trace)),
  );
}
