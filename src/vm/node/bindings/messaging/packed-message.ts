// A message on its way to another thread: its buffers as bytes, shared memory and ports by their numbers.
import { native } from "../../native.ts";
import type { Packed } from "../../wire/pack.ts";
import type { Message, Travelling } from "./message.ts";
import { dataCloneError } from "./per-context.ts";
import type { PortData } from "./port-data.ts";

export function packMessage({ bytes, buffers, shared, modules, objects }: Message): Packed {
  if (modules.length > 0)
    throw dataCloneError("A WebAssembly.Module can not be sent to another thread of a VM");
  return [
    bytes,
    buffers.map((buffer) => new Uint8Array(buffer)),
    shared.map((buffer) => native["shareBuffer"](buffer)),
    objects.map(packObject),
  ];
}

function packObject(object: Travelling): number | string {
  if ("same" in object)
    throw dataCloneError("Such an object can not be sent to another thread of a VM");
  return "port" in object ? object.port.toEnd() : object.info;
}

type PackedMessage = [Uint8Array, Uint8Array[], string[], (number | string)[]];

/** `openEnd` makes the data of a port by the number of its end. */
export function unpackMessage(
  [bytes, buffers, shared, objects]: PackedMessage,
  openEnd: (end: number) => PortData,
): Message {
  return {
    bytes: bytes.slice(),
    buffers: buffers.map((buffer) => buffer.slice().buffer as ArrayBuffer),
    shared: shared.map(openShared),
    modules: [],
    objects: objects.map(
      (object): Travelling =>
        typeof object === "number" ? { port: openEnd(object) } : { info: object },
    ),
  };
}

function openShared(token: string): SharedArrayBuffer {
  const buffer = native["openSharedBuffer"](token);
  if (buffer === undefined) throw dataCloneError("The shared memory of a message is gone");
  return buffer;
}
