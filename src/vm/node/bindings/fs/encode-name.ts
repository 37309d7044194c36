// Names that the kernel gives, in the encoding that was asked for.
import { encodeUtf8, native } from "../../native.ts";
import { toBuffer } from "../buffer.ts";

type Slice =
  | "asciiSlice"
  | "base64Slice"
  | "base64urlSlice"
  | "latin1Slice"
  | "hexSlice"
  | "ucs2Slice";

const slices: Readonly<Record<string, Slice>> = {
  ascii: "latin1Slice",
  latin1: "latin1Slice",
  binary: "latin1Slice",
  base64: "base64Slice",
  base64url: "base64urlSlice",
  hex: "hexSlice",
  ucs2: "ucs2Slice",
  "ucs-2": "ucs2Slice",
  utf16le: "ucs2Slice",
  "utf-16le": "ucs2Slice",
};

/** A name as lib gets it: text, or bytes for "buffer". Names that are no UTF-8 come as bytes. */
export function encodeName(name: string | Uint8Array, encoding: unknown): unknown {
  const isUtf8 = typeof encoding !== "string" || encoding === "utf8" || encoding === "utf-8";
  if (isUtf8) return typeof name === "string" ? name : textOf(name);
  const wished = encoding.toLowerCase();
  const bytes = typeof name === "string" ? encodeUtf8(name) : name.slice();
  if (wished === "buffer") return toBuffer(bytes);
  const slice = slices[wished] ?? "utf8Slice";
  return native["buffer"][slice](bytes, 0, bytes.length);
}

/** UTF-8 as text. */
export function textOf(bytes: Uint8Array): string {
  return native["buffer"].utf8Slice(bytes, 0, bytes.length);
}
