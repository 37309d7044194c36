// Writing buffers: at most as many bytes at once as a message to the kernel should have.
import type { Any } from "./operation.ts";
import { perform } from "./operation.ts";

const LIMIT_BYTES = 128 << 20;

/** Writes the buffers one after another; the bytes written, which may be fewer than there are. */
export function writeBytes(
  req: Any,
  fd: number,
  parts: readonly Uint8Array[],
  offset: number | null,
): unknown {
  const some = limited(parts);
  if (some.length === 1) {
    return perform(req, { call: "write", args: [fd, some[0], offset], syscall: "write" });
  }
  return perform(req, { call: "writeParts", args: [fd, some, offset], syscall: "write" });
}

export function limited(parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const some: Uint8Array[] = [];
  let left = LIMIT_BYTES;
  for (const part of parts) {
    if (left <= 0) break;
    some.push(part.length > left ? part.subarray(0, left) : part);
    left -= part.length;
  }
  return some;
}
