import { lateAll, lateClass } from "../late.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const contextify = (): Binding => ({
  ...staticsOf("contextify"),
  ...lateAll([
    "makeContext",
    "compileFunction",
    "compileFunctionForCJSLoader",
    "containsModuleSyntax",
    "shouldRetryAsESM",
    "measureMemory",
  ]),
  // Deviation: SIGINT does not break off what runs; it ends the process, or waits for the event loop.
  startSigintWatchdog: () => true,
  stopSigintWatchdog: () => false,
  watchdogHasPendingSigint: () => false,
  ContextifyScript: lateClass("ContextifyScript", ["createCachedData", "runInContext"]),
});
