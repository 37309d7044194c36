// Text that goes into Node's crypto, and comes out of it.
import { bytesOf, encode, toBuffer } from "../buffer.ts";

const known = /^(?:hex|base64|base64url|latin1|binary|ascii|utf-?8|ucs-?2|utf-?16le)$/iu;

/** Data of an update: bytes, or text in some encoding. */
export function dataOf(data: unknown, encoding: unknown): Uint8Array {
  if (typeof data !== "string") return bytesOf(data as ArrayBufferView);
  const name =
    typeof encoding === "string" && known.test(encoding) ? encoding.toLowerCase() : "utf8";
  return encode(data, name);
}

/** A digest as text, or as it is: for an encoding that is none, as Node's ParseEncoding has it. */
export function inEncoding(bytes: Uint8Array, encoding: unknown): any {
  if (typeof encoding !== "string" || !known.test(encoding)) return toBuffer(bytes);
  return (toBuffer(bytes) as any).toString(encoding);
}
