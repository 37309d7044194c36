// A message: a value's bytes and what travels beside them. Written and read as node::worker::Message does.
import { native } from "../../native.ts";
import { staticsOf } from "../../statics.ts";
import { isByReference } from "./by-reference.ts";
import { dataCloneError } from "./per-context.ts";
import type { PortData } from "./port-data.ts";
import { portOf } from "./port-of.ts";
import { modeOf, sortTransfers } from "./transfer-list.ts";

type Any = any;

/** An object that is not V8's to write: a port, or what Node's library makes of its description. */
export type Travelling =
  | { readonly port: PortData }
  /** The object itself, in the same thread. */
  | { readonly same: object }
  /** As `module:Class`, for Node's library to make one. */
  | { readonly info: string };

export interface Message {
  readonly bytes: Uint8Array;
  readonly buffers: ArrayBuffer[];
  readonly shared: SharedArrayBuffer[];
  readonly modules: unknown[];
  readonly objects: Travelling[];
}

const { constants } = staticsOf("util");
const symbols = staticsOf("symbols");
const cloneSymbol: symbol = symbols["messaging_clone_symbol"];
const transferSymbol: symbol = symbols["messaging_transfer_symbol"];
const deserializeSymbol: symbol = symbols["messaging_deserialize_symbol"];

let createObject: (info: string) => Any = () => undefined;

export function setCreateObject(create: typeof createObject): void {
  createObject = create;
}

/** Turns a value into a message and takes what is transferred from its owner. */
export function writeMessage(value: unknown, list: readonly unknown[], source?: object): Message {
  const { buffers, objects } = sortTransfers(list, source);
  const transferred = objects.length;
  const travelling: Travelling[] = [];
  const numbers = new Map<object, number>(objects.map((object, index) => [object, index]));
  const write = (object: object): number => {
    const known = numbers.get(object);
    const mode = modeOf(object);
    if (mode === 0) throw dataCloneError("Cannot clone object of unsupported type.");
    if (known !== undefined) return known;
    if ((mode & constants.kTransferable) !== 0)
      throw dataCloneError(
        "Object that needs transfer was found in message but not listed in transferList",
      );
    objects.push(object);
    numbers.set(object, objects.length - 1);
    return objects.length - 1;
  };
  const next = (): [unknown] | undefined => {
    while (travelling.length < objects.length) {
      const at = travelling.length;
      const { part, data } = take(objects[at], at < transferred);
      travelling.push(part);
      if (data !== undefined) return data;
    }
    return undefined;
  };
  const [bytes, moved, shared, modules] = native["serialize"](value, buffers, write, next);
  return { bytes, buffers: moved, shared, modules, objects: travelling };
}

/** How an object travels, and the value that is written for it. */
function take(object: Any, isTransferred: boolean): { part: Travelling; data?: [unknown] } {
  const port = portOf(object);
  if (port !== undefined) return { part: { port: port.transfer() } };
  if (isByReference(object)) return { part: { same: object } };
  const result = object[isTransferred ? transferSymbol : cloneSymbol]?.();
  if (typeof result !== "object" || result === null)
    throw dataCloneError("Cannot clone object of unsupported type.");
  return { part: { info: String(result.deserializeInfo) }, data: [result.data] };
}

/** The message's value; the ports that came with it are given to `ports`. */
export function readMessage(
  { bytes, buffers, shared, modules, objects }: Message,
  openPort: (data: PortData) => object,
  ports: object[] = [],
): unknown {
  const made = objects.map((object): Any => {
    if ("port" in object) {
      const port = openPort(object.port);
      ports.push(port);
      return port;
    }
    return "same" in object ? object.same : createObject(object.info);
  });
  const read = (index: number): object => made[index];
  const filled = made.filter((_, index) => "info" in (objects[index] ?? {}));
  const [value, ...data] = native["deserialize"](
    bytes,
    buffers,
    shared,
    modules,
    read,
    filled.length,
  );
  for (const [index, object] of filled.entries()) object[deserializeSymbol]?.(data[index]);
  return value;
}
