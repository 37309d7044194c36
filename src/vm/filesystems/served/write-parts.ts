import { CHUNK_BYTES } from "../../wire/messages.ts";

/** Writes bytes somewhere and answers the offset after them. */
export type Put = (bytes: Uint8Array, offset: number | "end") => Promise<number>;

/** Writes what may be more than a request carries: parts at known places go together, at the end in order. */
export async function writeParts(
  put: Put,
  from: Uint8Array,
  offset: number | "end",
): Promise<number> {
  const parts: Uint8Array[] = [from.subarray(0, CHUNK_BYTES)];
  for (let at = CHUNK_BYTES; at < from.length; at += CHUNK_BYTES) {
    parts.push(from.subarray(at, at + CHUNK_BYTES));
  }
  let end = 0;
  if (offset === "end") {
    for (const part of parts) end = await put(part, "end");
    return end;
  }
  const ends = await Promise.all(parts.map((part, i) => put(part, offset + i * CHUNK_BYTES)));
  return ends.at(-1) ?? offset;
}
