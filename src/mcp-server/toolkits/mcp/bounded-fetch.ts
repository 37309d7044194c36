import { messageLimitBytes } from "./message-limit.ts";

/**
 * fetch, whose answers end with an error once one message in them is too long. In a stream of events a
 * message ends with its line; elsewhere the whole body is one.
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
  let sinceLine = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? chunk.lastIndexOf(0x0a) : -1;
      sinceLine = end === -1 ? sinceLine + chunk.length : chunk.length - end - 1;
      if (sinceLine > messageLimitBytes) {
        throw new Error(`The MCP server sent a message longer than ${messageLimitBytes} bytes.`);
      }
      controller.enqueue(chunk);
    },
  });
}
