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
    "startSigintWatchdog",
    "stopSigintWatchdog",
    "watchdogHasPendingSigint",
    "measureMemory",
  ]),
  ContextifyScript: lateClass("ContextifyScript", ["createCachedData", "runInContext"]),
});
