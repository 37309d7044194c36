// An entry point whose top-level await nothing settles any more, see Environment::CheckUnsettledTopLevelAwait.
import { optionValues } from "../bindings/options.ts";
import { native } from "../native.ts";
import type { Node } from "./bootstrap.ts";
import { printError } from "./report-fatal.ts";

const PENDING = 0;

/** Whether there is one; says where, unless warnings are off. */
export function warnOfUnsettledAwait({ internalBinding }: Node): boolean {
  const { entry_point_promise_private_symbol, entry_point_module_private_symbol } =
    internalBinding("util").privateSymbols;
  const global = globalThis as any;
  const promise = global[entry_point_promise_private_symbol];
  if (promise === undefined || native["getPromiseDetails"](promise)[0] !== PENDING) return false;
  const module = global[entry_point_module_private_symbol];
  if (module === undefined) return false;
  const places: readonly string[] = native["ModuleWrap"].prototype.getUnsettledAwaits.call(module);
  if (optionValues.get("--warnings") !== false)
    for (const place of places)
      printError(`Warning: Detected unsettled top-level await at ${place}\n\n\n`);
  return places.length > 0;
}
