import { lateAll } from "../late.ts";
import { encodeUtf8, native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const buffer = (): Binding => ({
  ...staticsOf("buffer"),
  ...lateAll(
    [
      ..."atob btoa byteLengthUtf8 copy compare compareOffset fill indexOfBuffer indexOfNumber".split(" "),
      ..."indexOfString copyArrayBuffer swap16 swap32 swap64 isUtf8 isAscii asciiSlice base64Slice".split(" "),
      ..."base64urlSlice latin1Slice hexSlice ucs2Slice utf8Slice base64Write base64urlWrite".split(" "),
      ..."hexWrite ucs2Write asciiWriteStatic latin1WriteStatic utf8WriteStatic createFromString".split(" "),
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

/** Text in one of Node's encodings as bytes. */
export function encode(text: string, encoding = "utf8"): Uint8Array {
  if (encoding === "utf8" || encoding === "utf-8") return encodeUtf8(text);
  const into = new Uint8Array(text.length * 2);
  return into.subarray(0, writeAs(encoding, into, text));
}

function writeAs(encoding: string, into: Uint8Array, text: string): number {
  const { buffer: functions } = native;
  if (encoding === "latin1" || encoding === "binary" || encoding === "ascii")
    return functions.latin1WriteStatic(into, text, 0, into.length);
  const name = { hex: "hexWrite", base64: "base64Write", base64url: "base64urlWrite" }[encoding];
  return functions[name ?? "ucs2Write"](into, text, 0, into.length);
}
