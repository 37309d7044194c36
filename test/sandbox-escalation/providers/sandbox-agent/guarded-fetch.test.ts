// A server that is not what it says it is.
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { guardedFetch } from "../../../../src/sandbox-escalation/providers/sandbox-agent/guarded-fetch.ts";

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const limits = { answerMs: 5000, silenceMs: 5000, answerBytes: 100_000, eventBytes: 10_000 };
const events = { headers: { Accept: "text/event-stream" } };

describe("a guarded fetch", () => {
  it("answers what the server says", async () => {
    const url = await serve((_, response) => response.writeHead(201).end("hello"));
    const response = await guardedFetch(undefined, limits)(url);
    expect([response.status, await response.text()]).toEqual([201, "hello"]);
  });

  it("follows no redirect, so the token goes nowhere else", async () => {
    const elsewhere: string[] = [];
    const target = await serve((request, response) => {
      elsewhere.push(request.url ?? "");
      response.end();
    });
    const url = await serve((_, response) => response.writeHead(307, { Location: target }).end());
    await expect(guardedFetch(undefined, limits)(url)).rejects.toThrow();
    expect(elsewhere).toEqual([]);
  });

  it("refuses an answer without end", async () => {
    const url = await serve((_, response) => pour(response, "x".repeat(1000)));
    const response = await guardedFetch(undefined, limits)(url);
    await expect(response.text()).rejects.toThrow(/too long/);
  });

  it("refuses an event without end, and takes any number of short ones", async () => {
    const long = await serve((_, response) => pour(response, "data: x\n"));
    await expect(drain(await guardedFetch(undefined, limits)(long, events))).rejects.toThrow(
      /too long/,
    );
    const many = await serve((_, response) => {
      for (let n = 0; n < 500; n++) response.write(`data: ${"x".repeat(1000)}\n\n`);
      response.end();
    });
    expect(await drain(await guardedFetch(undefined, limits)(many, events))).toBe(504_000);
  });

  it("ends where the server says nothing", async () => {
    const mute = await serve(() => {});
    const short = { ...limits, answerMs: 50, silenceMs: 50 };
    await expect(guardedFetch(undefined, short)(mute)).rejects.toThrow(/in time/);
    const half = await serve((_, response) => response.write("data: x\n\n"));
    await expect(drain(await guardedFetch(undefined, short)(half, events))).rejects.toThrow(
      /in time/,
    );
  });

  it("ends with its signal", async () => {
    const url = await serve((_, response) => response.write("data: x\n\n"));
    const abort = new AbortController();
    const response = await guardedFetch(abort.signal, limits)(url, events);
    abort.abort(new Error("enough"));
    await expect(drain(response)).rejects.toThrow("enough");
  });
});

function pour(response: { write(text: string): boolean; destroyed: boolean }, text: string): void {
  if (response.destroyed) return;
  response.write(text);
  setImmediate(() => pour(response, text));
}

async function drain(response: Response): Promise<number> {
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
}
