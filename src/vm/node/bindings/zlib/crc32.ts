import { bytesOf, encode } from "../buffer.ts";

const table = new Uint32Array(256).map((_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1)
    value = value & 1 ? 0xedb8_8320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** The CRC-32 of some bytes, or text as UTF-8, after those whose CRC is given. */
export function crc32(data: string | ArrayBufferView, value = 0): number {
  const bytes = typeof data === "string" ? encode(data) : bytesOf(data);
  let crc = ~value;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}
