// The 'advanced' messages between processes, as node_ipc_serdes.cc writes them.
import { codedError } from "../errors.ts";
import { native } from "../native.ts";
import type { Binding } from "./base.ts";
import { bytesOf } from "./buffer.ts";
import { loaders } from "./builtins.ts";

const tag = { view: 0, other: 1 } as const;
/** Of Node's Buffer among the kinds of view. */
const BUFFER = 10;

/** By the numbers of arrayBufferViewTypeToIndex in lib/v8.js. */
const kinds: readonly any[] = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  DataView,
  undefined,
  BigInt64Array,
  BigUint64Array,
  (globalThis as any).Float16Array,
];

export const ipcSerdes = (): Binding => ({ serialize, deserialize });

function serialize(message: unknown, Buffer: unknown): Uint8Array {
  const serializer = new native["Serializer"]();
  serializer._setTreatArrayBufferViewsAsHostObjects(true);
  serializer._getDataCloneError = Error;
  serializer._writeHostObject = (object: any): void => {
    if (!ArrayBuffer.isView(object)) {
      serializer.writeUint32(tag.other);
      serializer.writeValue({ ...(object as object) });
      return;
    }
    const kind = (object as any).constructor === Buffer ? BUFFER : kindOf(object);
    if (kind < 0) throw codedError(Error, "ERR_INVALID_STATE", "Unserializable host object");
    serializer.writeUint32(tag.view);
    serializer.writeUint32(kind);
    serializer.writeUint32(object.byteLength);
    serializer.writeRawBytes(bytesOf(object));
  };
  serializer.writeRawBytes(new Uint8Array(4));
  serializer.writeHeader();
  serializer.writeValue(message);
  const bytes: Uint8Array = serializer.releaseBuffer();
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, bytes.length - 4);
  return bytes;
}

function kindOf(view: ArrayBufferView): number {
  return kinds.findIndex((Kind) => Kind !== undefined && view instanceof Kind);
}

function deserialize(bytes: Uint8Array): unknown {
  const deserializer = new native["Deserializer"](bytes);
  deserializer._readHostObject = (): unknown => {
    const kind = deserializer.readUint32();
    if (kind === tag.other) return deserializer.readValue();
    if (kind !== tag.view) throw codedError(Error, "ERR_INVALID_STATE", "Invalid host object tag");
    return readView(deserializer, bytes);
  };
  deserializer.readHeader();
  return deserializer.readValue();
}

function readView(deserializer: any, bytes: Uint8Array): unknown {
  const kind: number = deserializer.readUint32();
  const length: number = deserializer.readUint32();
  const start: number = bytes.byteOffset + deserializer._readRawBytes(length);
  const buffer = bytes.buffer.slice(start, start + length);
  if (kind === BUFFER) return loaders.require("buffer").Buffer.from(buffer);
  const Kind = kinds[kind];
  if (Kind === undefined)
    throw codedError(Error, "ERR_INVALID_STATE", "Invalid host object type index");
  return new Kind(buffer);
}
