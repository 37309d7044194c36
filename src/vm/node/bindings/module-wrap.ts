import { lateAll, lateClass } from "../late.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

type Callback = (...args: unknown[]) => unknown;

/** What Node's library gave before the natives were there; `setModuleCallbacks` gives it to them. */
const early = new Map<string, Callback>();

/** A setter of the native module that can be called before it is there. */
function setter(name: string): (callback: Callback) => void {
  return (callback) => {
    if (native[name] === undefined) early.set(name, callback);
    else native[name](callback);
  };
}

export const moduleWrap = (): Binding => ({
  ...staticsOf("module_wrap"),
  ModuleWrap: lateClass("ModuleWrap", [
    ..."link getModuleRequests instantiate evaluateSync evaluate setExport setModuleSourceObject".split(
      " ",
    ),
    ..."getModuleSourceObject createCachedData getNamespace getStatus getError".split(" "),
  ]),
  setImportModuleDynamicallyCallback: setter("setImportModuleDynamicallyCallback"),
  setInitializeImportMetaObjectCallback: setter("setInitializeImportMetaObjectCallback"),
  setImportMetaResolveInitializer: setter("setImportMetaResolveInitializer"),
  ...lateAll(["createRequiredModuleFacade", "throwIfPromiseRejected"]),
});

export function setModuleCallbacks(): void {
  for (const [name, callback] of early) native[name](callback);
}
