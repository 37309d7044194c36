import { lateAll, lateClass } from "../late.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

// TEMPORARY (founder): until native/guest-binding has the code part.
const fallback: Binding = {
  containsModuleSyntax: () => false,
  compileFunctionForCJSLoader: (content: string, filename: string) => ({
    canParseAsESM: false,
    cachedDataRejected: false,
    sourceMapURL: undefined,
    function: native["compileBuiltin"](content.replace(/^#!/, "//"), filename, [
      "exports",
      "require",
      "module",
      "__filename",
      "__dirname",
    ]),
  }),
};

class FallbackScript {
  #code: string;
  constructor(code: string) {
    this.#code = code;
  }
  runInContext(): unknown {
    return (0, eval)(this.#code);
  }
}

export const contextify = (): Binding => ({
  ...staticsOf("contextify"),
  ...lateAll([
    "makeContext",
    "compileFunction",
    "shouldRetryAsESM",
    "startSigintWatchdog",
    "stopSigintWatchdog",
    "watchdogHasPendingSigint",
    "measureMemory",
  ]),
  containsModuleSyntax: (...args: unknown[]) =>
    (native["containsModuleSyntax"] ?? fallback["containsModuleSyntax"])(...args),
  compileFunctionForCJSLoader: (...args: unknown[]) =>
    (native["compileFunctionForCJSLoader"] ?? fallback["compileFunctionForCJSLoader"])(...args),
  ContextifyScript: FallbackScript,
});
void lateClass;
