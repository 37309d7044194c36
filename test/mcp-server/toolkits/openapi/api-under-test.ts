// A real HTTP API on loopback, and toolkits made of documents that describe it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenapiOptions } from "../../../../src/mcp-server/toolkits/openapi/openapi-options.ts";
import { OpenapiToolkit } from "../../../../src/mcp-server/toolkits/openapi/openapi-toolkit.ts";
import { callTool, type JsonValue, type ToolEvent } from "../../../../src/toolkit-cli/index.ts";

export interface Seen {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Answer = (seen: Seen, response: ServerResponse) => void;

export class ApiUnderTest {
  readonly seen: Seen[] = [];
  readonly directory = mkdtempSync(join(tmpdir(), "agentos-mcp-openapi-"));
  readonly logged: string[] = [];
  readonly #server: Server;
  answer: Answer = (_, response) => sendJson(response, { ok: true });

  constructor() {
    this.#server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const { method = "", url = "", headers } = request;
        const seen = { method, url, headers, body: Buffer.concat(pieces).toString("latin1") };
        this.seen.push(seen);
        this.answer(seen, response);
      });
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A toolkit of a document with these paths, served by this API. */
  toolkit(
    document: { paths: object; [key: string]: unknown },
    options: Partial<OpenapiOptions> & { env?: NodeJS.ProcessEnv } = {},
  ): OpenapiToolkit {
    const { env = {}, ...own } = options;
    const whole = {
      openapi: "3.1.0",
      info: {},
      servers: [{ url: `${this.origin}/v1` }],
      ...document,
    };
    writeFileSync(join(this.directory, "api.json"), JSON.stringify(whole));
    const log = (line: string): void => void this.logged.push(line);
    const context = { directory: this.directory, env, log };
    return new OpenapiToolkit("api", { openapi: "api.json", ...own }, context);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
    rmSync(this.directory, { recursive: true });
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** All events of one call. */
export async function events(
  toolkit: OpenapiToolkit,
  name: string,
  input: JsonValue = {},
): Promise<ToolEvent[]> {
  const tool = (await toolkit.tools()).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const all: ToolEvent[] = [];
  for await (const event of callTool(tool, input, { vm: "v", pid: 1, command: "c" }))
    all.push(event);
  return all;
}

/** The last event: the result or the error. */
export async function call(
  toolkit: OpenapiToolkit,
  name: string,
  input: JsonValue = {},
): Promise<ToolEvent | undefined> {
  return (await events(toolkit, name, input)).at(-1);
}
