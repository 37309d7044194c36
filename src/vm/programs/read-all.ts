import type { Sys } from "../../kernel/index.ts";
import { grownSize } from "./memory-limit.ts";

const CHUNK_BYTES = 65_536;
/** From this on a buffer is worth a call that says what the program holds. */
const TOLD_BYTES = 1024 * 1024;

/**
 * Everything that comes out of a fd, for programs that cannot begin before the end. Fails with a
 * MemoryLimitError.
 */
export async function readAllBytes(sys: Sys, fd: number): Promise<Uint8Array> {
  const { kind, size } = await sys.fstat(fd);
  let buffer = new Uint8Array(kind === "file" ? grownSize(size + 1, 0) : CHUNK_BYTES);
  let length = 0;
  if (buffer.length >= TOLD_BYTES) await sys.hold(buffer.length);
  for (;;) {
    if (length === buffer.length) {
      const larger = new Uint8Array(grownSize(length + CHUNK_BYTES, length));
      larger.set(buffer);
      buffer = larger;
      if (buffer.length >= TOLD_BYTES) await sys.hold(buffer.length);
    }
    const count = await sys.read(fd, buffer.subarray(length, length + CHUNK_BYTES * 4));
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
}
