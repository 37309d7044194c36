import type { IncomingMessage, ServerResponse } from "node:http";

export function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = body === undefined ? "" : JSON.stringify(body);
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, text === "" ? {} : { "Content-Type": "application/json" });
  response.end(text);
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}
