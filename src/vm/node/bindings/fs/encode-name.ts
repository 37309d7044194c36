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

/** A name as lib gets it: text, or bytes for "buffer". */
export function encodeName(name: string, encoding: unknown): unknown {
  if (typeof encoding !== "string" || encoding === "utf8" || encoding === "utf-8") return name;
  const wished = encoding.toLowerCase();
  const bytes = (): Uint8Array => encodeUtf8(name);
  if (wished === "buffer") return toBuffer(bytes());
  const slice = slices[wished];
  return slice === undefined ? name : native["buffer"][slice](bytes());
}

/** UTF-8 as text. */
export function textOf(bytes: Uint8Array): string {
  return native["buffer"].utf8Slice(bytes, 0, bytes.length);
}
