// The transferList of postMessage and structuredClone.
import { codedError } from "../../errors.ts";
import { staticsOf } from "../../statics.ts";
import { dataCloneError } from "./per-context.ts";
import { portOf } from "./port-of.ts";

type Any = any;

const { privateSymbols, constants } = staticsOf("util");
export const transferMode: symbol = privateSymbols["transfer_mode_private_symbol"];
const untransferable: symbol = privateSymbols["untransferable_object_private_symbol"];
const listSymbol: symbol = staticsOf("symbols")["messaging_transfer_list_symbol"];
const TRANSFERABLE: number = constants.kTransferable;

/** What a message takes from its sender. */
export interface Transfers {
  readonly buffers: ArrayBuffer[];
  /** Ports and other objects with a transfer mode. */
  readonly objects: object[];
}

/** As GetTransferList of node_messaging.cc: an iterable, or an object with `transfer`. */
export function readTransferList(given: Any): unknown[] {
  if (given === undefined || given === null) return [];
  const list = readIterable(given);
  if (typeof given !== "object" && typeof given !== "function")
    throw invalid("Optional transferList argument must be an iterable");
  if (list !== undefined) return list;
  const option = given.transfer;
  if (option === undefined) return [];
  const entries = readIterable(option);
  if (entries === undefined)
    throw invalid("Optional options.transfer argument must be an iterable");
  return entries;
}

function invalid(message: string): Error {
  return codedError(TypeError, "ERR_INVALID_ARG_TYPE", message);
}

function readIterable(given: Any): unknown[] | undefined {
  if ((typeof given !== "object" && typeof given !== "function") || given === null)
    return undefined;
  if (Array.isArray(given)) return [...given];
  return typeof given[Symbol.iterator] === "function" ? readIterator(given) : undefined;
}

function readIterator(given: Any): unknown[] | undefined {
  const iterator = given[Symbol.iterator]();
  if (typeof iterator?.next !== "function") return undefined;
  const { next } = iterator;
  const entries: unknown[] = [];
  for (;;) {
    const result = next.call(iterator);
    if (typeof result !== "object" || result === null) return undefined;
    if (result.done) return entries;
    entries.push(result.value);
  }
}

/** Sorts a transfer list; throws for what can not be transferred. */
export function sortTransfers(list: readonly unknown[], source: object | undefined): Transfers {
  const transfers: Transfers = { buffers: [], objects: [] };
  for (const entry of list) addTransfer(transfers, entry, source);
  for (const object of [...transfers.objects]) addNested(transfers.objects, object);
  return transfers;
}

function addTransfer(
  { buffers, objects }: Transfers,
  entry: Any,
  source: object | undefined,
): void {
  if ((typeof entry !== "object" && typeof entry !== "function") || entry === null)
    throw dataCloneError("Found invalid value in transferList.");
  if (untransferable in entry) throw dataCloneError("Cannot transfer object of unsupported type.");
  if (isArrayBuffer(entry)) {
    if (entry.detached) throw dataCloneError("Cannot transfer object of unsupported type.");
    if (buffers.includes(entry))
      throw dataCloneError("Transfer list contains duplicate ArrayBuffer");
    buffers.push(entry);
    return;
  }
  if (entry === source) throw dataCloneError("Transfer list contains source port");
  if (!(transferMode in entry)) throw dataCloneError("Found invalid value in transferList.");
  if (portOf(entry)?.isDetached === true)
    throw dataCloneError("MessagePort in transfer list is already detached");
  if (objects.includes(entry))
    throw dataCloneError(`Transfer list contains duplicate ${entry.constructor?.name}`);
  if (modeOf(entry) !== TRANSFERABLE) throw dataCloneError("Found invalid value in transferList.");
  objects.push(entry);
}

function addNested(objects: object[], object: Any): void {
  const nested = object[listSymbol]?.();
  if (!Array.isArray(nested)) return;
  for (const one of nested) {
    if (typeof one !== "object" || one === null || !(transferMode in one)) continue;
    if (objects.includes(one)) throw dataCloneError("The transfer list is invalid.");
    objects.push(one);
    addNested(objects, one);
  }
}

/** kDisallowCloneAndTransfer, kTransferable, kCloneable or both. */
export function modeOf(object: Any): number {
  const state = portOf(object);
  if (state !== undefined) return state.isDetached ? 0 : TRANSFERABLE;
  return object[transferMode];
}

const byteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")?.get;

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  try {
    byteLength?.call(value);
    return true;
  } catch {
    return false;
  }
}
