// HTTP servers on loopback, for tests; closed with the test.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Resolves to its origin. */
export async function serveHttp(handler: Handler): Promise<string> {
  const server = createServer(handler);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return originOf(server);
}

/** Where nobody listens any more. */
export async function closedOrigin(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = originOf(server);
  await once(server.close(), "close");
  return origin;
}

function originOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** A handler of web requests as one of Node's. */
export function fromFetch(fetch: (request: Request) => Promise<Response>): Handler {
  return (request, response) => {
    answer(request, response, fetch).catch((error: unknown) =>
      response.destroy(new Error(String(error))),
    );
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const { method = "GET", url = "/", headers } = request;
  const body = method === "GET" || method === "HEAD" ? {} : { body: await text(request) };
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const init: RequestInit = { method, headers: pairs, ...body };
  const answered = await fetch(new Request(`http://${headers.host}${url}`, init));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  for await (const chunk of answered.body ?? []) response.write(chunk);
  response.end();
}
