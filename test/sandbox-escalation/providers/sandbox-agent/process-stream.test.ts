// A log that leaves pieces out, as the server's does where its reader is slow.
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { ProcessStream } from "../../../../src/sandbox-escalation/providers/sandbox-agent/process-stream.ts";
import { ServerClient } from "../../../../src/sandbox-escalation/providers/sandbox-agent/server-client.ts";

function entry(sequence: number) {
  const data = Buffer.from(`${sequence};`).toString("base64");
  return { sequence, stream: "stdout", data, encoding: "base64", timestampMs: 0 };
}

/** A server with one process that has said `said`, of which followers hear `heard`, and which knows `kept`. */
class LossyServer {
  readonly inputs: string[] = [];
  kept: number[] = [];
  heard: number[] = [];
  status = "running";
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://x");
      const since = Number(url.searchParams.get("since") ?? 0);
      if (request.method === "POST") {
        this.#takeInput(request, response).catch(() => response.destroy());
        return;
      }
      if (url.searchParams.get("follow") === "true") return this.#follow(response, since);
      const entries = this.kept.filter((one) => one > since).map(entry);
      const isLog = url.pathname.endsWith("/logs");
      response.end(JSON.stringify(isLog ? { entries } : { id: "p", status: this.status }));
    });
  }

  async start(): Promise<ServerClient> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    const url = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
    return await ServerClient.open({ url, token: "t" });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #follow(response: ServerResponse, since: number): void {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    for (const one of this.heard.filter((sequence) => sequence > since))
      response.write(`event: log\nid: ${one}\ndata: ${JSON.stringify(entry(one))}\n\n`);
  }

  async #takeInput(request: AsyncIterable<Uint8Array>, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    this.inputs.push(Buffer.concat(chunks).toString());
    if (this.status === "exited") response.writeHead(409);
    response.end("{}");
  }
}

let server: LossyServer;
let closed = 0;
let stream: ProcessStream | undefined;

async function open(prepare: (lossy: LossyServer) => void): Promise<ProcessStream> {
  server = new LossyServer();
  prepare(server);
  closed = 0;
  stream = new ProcessStream(await server.start(), "p", () => (closed += 1));
  return stream;
}

afterEach(() => {
  stream?.destroy();
  server.stop();
});

async function readUntil(process: ProcessStream, text: string): Promise<string> {
  let seen = "";
  for await (const bytes of process) {
    seen += String(bytes);
    if (seen.endsWith(text)) return seen;
  }
  throw new Error(`it ended after ${seen}`);
}

describe("a process's stream", () => {
  it("asks for what its log left out", async () => {
    const process = await open((lossy) => {
      lossy.kept = [1, 2, 3, 4, 5, 6];
      lossy.heard = [1, 3, 6];
    });
    expect(await readUntil(process, "6;")).toBe("1;2;3;4;5;6;");
  });

  it("asks once for what nobody told it of", async () => {
    const process = await open((lossy) => {
      lossy.kept = [1, 2];
    });
    expect(await readUntil(process, "2;")).toBe("1;2;");
  });

  it("ends where the server has dropped what is missing", async () => {
    const process = await open((lossy) => {
      lossy.kept = [4, 5];
      lossy.heard = [5];
    });
    await expect(readUntil(process, "5;")).rejects.toThrow(
      "The sandbox-agent server has lost output.",
    );
    expect(closed).toBe(1);
  });

  it("carries input in parts that the server takes, and ends when the process has", async () => {
    const process = await open(() => {});
    const bytes = Buffer.alloc(100_000, "x");
    await new Promise((resolve) => process.write(bytes, resolve));
    const parts = server.inputs.map((text) => Buffer.from(JSON.parse(text).data, "base64").length);
    expect(parts).toEqual([49_152, 49_152, 1696]);
    server.status = "exited";
    const failed = once(process, "error");
    process.write("y");
    expect(await failed).toMatchObject([{ message: "The sandbox's agent has ended." }]);
    expect(closed).toBe(1);
  });
});
