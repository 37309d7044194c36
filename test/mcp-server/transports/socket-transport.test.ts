import { once } from "node:events";
import type { Socket } from "node:net";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SocketTransport } from "../../../src/mcp-server/transports/socket-transport.ts";
import { socketPair } from "../support/socket-pair.ts";

let client: Socket;
let socket: Socket;
let transport: SocketTransport;
let received: JSONRPCMessage[];
let firstSends: number;
beforeEach(async () => {
  [client, socket] = await socketPair();
  socket.on("error", () => socket.destroy());
  received = [];
  firstSends = 0;
  transport = new SocketTransport(socket, {
    serverRun: "run1",
    onFirstSend: () => (firstSends += 1),
  });
  transport.onmessage = (message) => received.push(message);
  await transport.start();
});
afterEach(() => {
  client.destroy();
  socket.destroy();
});

/** What the client reads until the server's side ends. */
async function readAll(): Promise<unknown[]> {
  const chunks: Buffer[] = [];
  client.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(client, "end");
  const lines = Buffer.concat(chunks).toString().split("\n").filter(Boolean);
  return lines.map((line): unknown => JSON.parse(line));
}

describe("SocketTransport", () => {
  it("listens once for all senders that wait for a slow client", async () => {
    const message = { jsonrpc: "2.0", id: 1, result: { text: "x".repeat(1_000_000) } } as const;
    const before = socket.listenerCount("drain");
    const sent = Array.from({ length: 30 }, () => transport.send(message));
    expect(socket.listenerCount("drain")).toBe(before + 1);
    client.resume();
    await Promise.all(sent);
    expect(socket.listenerCount("drain")).toBe(before);
  });

  it("does not listen to a client that does not read its answers, until it does", async () => {
    const lines = 300_000;
    // More answers than the kernel holds for a socket.
    client.write("x\n".repeat(lines));
    await expect.poll(() => socket.isPaused()).toBe(true);
    expect(socket.writableLength).toBeLessThan(8 * 1024 * 1024);
    const reading = readAll();
    transport.onclose = () => socket.end();
    client.end();
    expect(await reading).toHaveLength(lines);
  });

  it("marks the ids of the server's requests, and leaves everything else as it is", async () => {
    const reading = readAll();
    await transport.send({ jsonrpc: "2.0", id: 0, method: "roots/list" });
    await transport.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 0, reason: "r" },
    });
    await transport.send({ jsonrpc: "2.0", id: 5, result: {} });
    await transport.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 0, progress: 1 },
    });
    await transport.close();
    expect(await reading).toEqual([
      { jsonrpc: "2.0", id: "run1:0", method: "roots/list" },
      {
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: "run1:0", reason: "r" },
      },
      { jsonrpc: "2.0", id: 5, result: {} },
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: 0, progress: 1 },
      },
    ]);
    expect(firstSends).toBe(1);
  });

  it("takes answers to its own requests only", async () => {
    for (const id of ["run0:0", 0, "run1:0"])
      client.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n`);
    client.end(`${JSON.stringify({ jsonrpc: "2.0", id: "run0:0", method: "ping" })}\n`);
    await once(socket, "close");
    expect(received).toEqual([
      { jsonrpc: "2.0", id: 0, result: {} },
      { jsonrpc: "2.0", id: "run0:0", method: "ping" },
    ]);
  });

  it("reports the end of the client once, and refuses to send to it", async () => {
    let closes = 0;
    transport.onclose = () => {
      closes += 1;
    };
    client.end();
    await once(socket, "close");
    await transport.close();
    expect(closes).toBe(1);
    await expect(transport.send({ jsonrpc: "2.0", id: 1, result: {} })).rejects.toThrow(
      "The client has left.",
    );
  });

  it("waits to send while the client does not read, and no longer than the client stays", async () => {
    const large = { jsonrpc: "2.0" as const, id: 1, result: { text: "x".repeat(8_000_000) } };
    const sends = Promise.all([transport.send(large), transport.send(large)]);
    const first = await Promise.race([
      sends,
      new Promise((resolve) => setImmediate(resolve, "waits")),
    ]);
    expect(first).toBe("waits");
    client.destroy();
    await sends;
  });
});
