/** What goes to a sandbox at once: each piece may be a request of its own, and a way there and back. */
const PIECE_BYTES = 256 * 1024;

/** The same bytes in fewer pieces. */
export async function* gather(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    if (size > 0 && size + part.length > PIECE_BYTES) {
      yield Buffer.concat(held);
      held = [];
      size = 0;
    }
    held.push(part);
    size += part.length;
  }
  if (size > 0) yield Buffer.concat(held);
}
