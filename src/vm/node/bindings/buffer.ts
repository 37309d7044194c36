import { lateAll } from "../late.ts";
import { encodeUtf8, native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const buffer = (): Binding => ({
  ...staticsOf("buffer"),
  ...lateAll(
    [
      ..."atob btoa byteLengthUtf8 copy compare compareOffset fill indexOfBuffer indexOfNumber".split(
        " ",
      ),
      ..."indexOfString copyArrayBuffer swap16 swap32 swap64 isUtf8 isAscii asciiSlice base64Slice".split(
        " ",
      ),
      ..."base64urlSlice latin1Slice hexSlice ucs2Slice utf8Slice base64Write base64urlWrite".split(
        " ",
      ),
      ..."hexWrite ucs2Write asciiWriteStatic latin1WriteStatic utf8WriteStatic createFromString".split(
        " ",
      ),
    ],
    "buffer",
  ),
  setBufferPrototype(prototype: object): void {
    bufferPrototype = prototype;
  },
  getZeroFillToggle: () => undefined,
  createUnsafeArrayBuffer: (bytes: number) => new ArrayBuffer(bytes),
  arrayBufferAlignedOffset: () => 0,
  setDetachKey: () => undefined,
});

let bufferPrototype: object = Uint8Array.prototype;

/** Lets the native functions make Buffers, once they are there. */
export function shareBufferPrototype(): void {
  native["buffer"].setBufferPrototype(bufferPrototype);
}

/** These bytes as a Buffer, as the C++ side of Node makes one. */
export function toBuffer(bytes: Uint8Array): Uint8Array {
  return Object.setPrototypeOf(bytes, bufferPrototype);
}

/** A view's bytes. */
export function bytesOf(view: ArrayBufferView | ArrayBufferLike): Uint8Array {
  return ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    : new Uint8Array(view);
}

/** Text in one of Node's encodings as bytes; their names as node::ParseEncoding takes them. */
export function encode(text: string, encoding = "utf8"): Uint8Array {
  const write = writers[encoding.toLowerCase()];
  if (write === undefined) return encodeUtf8(text);
  const into = new Uint8Array(text.length * 2);
  return into.subarray(0, native["buffer"][write](into, text, 0, into.length));
}

const writers: Readonly<Record<string, string>> = {
  latin1: "latin1WriteStatic",
  binary: "latin1WriteStatic",
  ascii: "latin1WriteStatic",
  hex: "hexWrite",
  base64: "base64Write",
  base64url: "base64urlWrite",
  ucs2: "ucs2Write",
  "ucs-2": "ucs2Write",
  utf16le: "ucs2Write",
  "utf-16le": "ucs2Write",
};
