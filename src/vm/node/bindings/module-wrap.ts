import { lateAll, lateClass } from "../late.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

type Callback = (...args: unknown[]) => unknown;

/** Given by Node's library before the natives are there. */
export const moduleCallbacks: { importDynamically?: Callback; importMeta?: Callback; metaResolve?: Callback } = {};

export const moduleWrap = (): Binding => ({
  ...staticsOf("module_wrap"),
  ModuleWrap: lateClass("ModuleWrap", [
    ..."link getModuleRequests instantiate evaluateSync evaluate setExport setModuleSourceObject".split(" "),
    ..."getModuleSourceObject createCachedData getNamespace getStatus getError".split(" "),
    ..."isGraphAsync hasTopLevelAwait".split(" "),
  ]),
  setImportModuleDynamicallyCallback(callback: Callback): void {
    moduleCallbacks.importDynamically = callback;
  },
  setInitializeImportMetaObjectCallback(callback: Callback): void {
    moduleCallbacks.importMeta = callback;
  },
  setImportMetaResolveInitializer(callback: Callback): void {
    moduleCallbacks.metaResolve = callback;
  },
  ...lateAll(["createRequiredModuleFacade", "throwIfPromiseRejected"]),
});
