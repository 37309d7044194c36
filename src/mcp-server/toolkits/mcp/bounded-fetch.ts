import { JsonMeter, MESSAGE_JSON } from "../../../toolkit-cli/index.ts";
import { messageLimitBytes } from "./message-limit.ts";

/**
 * fetch, whose answers end with an error once one message in them is too long, or holds too many values or levels. In a stream of events a
 * message ends with an empty line, however many lines it has; elsewhere the whole body is one.
 */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const body = response.body.pipeThrough(limitBytes(isStream));
  const { status, statusText, headers } = response;
  const bounded = new Response(body, { status, statusText, headers });
  // Whoever follows redirects and checks origins looks at it.
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}

function limitBytes(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  const events = new EventEnds();
  let sinceEnd = 0;
  let meter = new JsonMeter(MESSAGE_JSON);
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? events.lastIn(chunk) : -1;
      sinceEnd = end === -1 ? sinceEnd + chunk.length : chunk.length - end;
      if (sinceEnd > messageLimitBytes) {
        throw new Error(`The MCP server sent a message longer than ${messageLimitBytes} bytes.`);
      }
      if (end !== -1) meter = new JsonMeter(MESSAGE_JSON);
      meter.push(end === -1 ? chunk : chunk.subarray(end));
      controller.enqueue(chunk);
    },
  });
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Finds the ends of events in a stream that comes in pieces. Lines end with LF or CRLF: nobody sends CR alone. */
class EventEnds {
  /** Whether the line that has been begun holds anything. */
  #isEmpty = false;

  /** Where the last event ends that ends in this piece, -1 where none does. */
  lastIn(piece: Uint8Array): number {
    let end = -1;
    let start = 0;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, start)) {
      if (this.#isBlank(piece, start, at)) end = at + 1;
      this.#isEmpty = true;
      start = at + 1;
    }
    if (start < piece.length) this.#isEmpty = this.#isBlank(piece, start, piece.length);
    return end;
  }

  #isBlank(piece: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    return this.#isEmpty && (length === 0 || (length === 1 && piece[start] === CARRIAGE_RETURN));
  }
}
