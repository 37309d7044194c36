import { KernelError } from "../../kernel/index.ts";
import { StreamBreach, type StreamReceiver } from "../../streams/index.ts";

/**
 * Puts together requests that begin with a body and go on by their stream: one at a time for each VM, so that
 * no more than one of the longest is held besides those that are whole.
 */
export class LongRequests {
  #turn: Promise<unknown> = Promise.resolve();

  /** `bytes` in all. EPIPE when the stream ends before, StreamBreach when more comes than was said. */
  async gather(body: Uint8Array, bytes: number, incoming: StreamReceiver): Promise<Uint8Array> {
    if (body.length === bytes) return body;
    const gathered = this.#turn.then(() => gatherRest(body, bytes, incoming));
    this.#turn = gathered.catch(() => undefined);
    return gathered;
  }
}

async function gatherRest(
  body: Uint8Array,
  bytes: number,
  incoming: StreamReceiver,
): Promise<Uint8Array> {
  const pieces = [body];
  let gathered = body.length;
  while (gathered < bytes) {
    const piece = await incoming.next();
    if (piece === undefined) throw new KernelError("EPIPE");
    pieces.push(piece);
    gathered += piece.length;
  }
  if (gathered > bytes) throw new StreamBreach("more of a request than it said");
  return Buffer.concat(pieces);
}
