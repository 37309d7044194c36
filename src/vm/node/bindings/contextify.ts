import { interruptedWord } from "../channel.ts";
import { lateAll, lateClass } from "../late.ts";
import {
  hasInterrupt,
  startInterrupts,
  stopInterrupts,
  takeInterrupt,
} from "../loop/interrupts.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { fetchSignals, isHandled } from "./signal-wrap.ts";

const SIGINT = 2;

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
  startSigintWatchdog: (): boolean => {
    watchInterrupts();
    return true;
  },
  stopSigintWatchdog: () => stopInterrupts(isHandled(SIGINT)),
  watchdogHasPendingSigint: hasInterrupt,
  ContextifyScript: scriptClass(),
});

function watchInterrupts(): void {
  startInterrupts();
  fetchSignals();
}

/** Node's class; a script with `breakOnSigint` ends when SIGINT comes. */
function scriptClass(): unknown {
  const made = lateClass("ContextifyScript", ["createCachedData"]);
  Object.defineProperty(made.prototype, "runInContext", {
    configurable: true,
    writable: true,
    value(this: unknown, ...args: unknown[]): unknown {
      const { runInContext } = native["ContextifyScript"].prototype;
      const [object, timeout, displayErrors, breaksOnSigint, breaksOnFirstLine] = args;
      if (breaksOnSigint !== true) return Reflect.apply(runInContext, this, args.slice(0, 5));
      watchInterrupts();
      try {
        const bounds = [true, breaksOnFirstLine, interruptedWord()];
        return Reflect.apply(runInContext, this, [object, timeout, displayErrors, ...bounds]);
      } catch (error) {
        if (isInterruption(error)) takeInterrupt();
        throw error;
      } finally {
        stopInterrupts(isHandled(SIGINT));
      }
    },
  });
  return made;
}

function isInterruption(error: unknown): boolean {
  return (
    native["types"].isNativeError(error) &&
    (error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_INTERRUPTED"
  );
}
