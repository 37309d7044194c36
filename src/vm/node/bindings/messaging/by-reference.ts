// Objects of the bindings that never change (a blob's bytes, a key): a clone holds the same one.
import { privateSymbol, staticsOf } from "../../statics.ts";

const { privateSymbols, constants } = staticsOf("util");
const transferMode: symbol = privateSymbols["transfer_mode_private_symbol"];
const mark = privateSymbol("node:by_reference");

/** Lets messages within a thread carry this object itself. */
export function travelsByReference(object: object): void {
  Reflect.set(object, transferMode, constants.kCloneable);
  Reflect.set(object, mark, true);
}

export function isByReference(object: object): boolean {
  return Reflect.get(object, mark) === true;
}
