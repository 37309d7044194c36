import { randomUUID } from "node:crypto";
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { closedOrigin, fromFetch, type Handler, serveHttp } from "./http-server.ts";
import { call, mcpToolkit, textResult } from "./mcp-under-test.ts";

const echoInput = { text: z.string() };

function oldServer(): OldServer {
  const server = new OldServer({ name: "old", version: "1" });
  server.registerTool("echo", { description: "Echo", inputSchema: echoInput }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
}

/** Sessions as 2025-03-26 has them; a `forget` makes the server lose them all. */
function streamable(): { handler: Handler; forget: () => void; sessions: () => number } {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let opened = 0;
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    opened++;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
    });
    await oldServer().connect(transport as never);
    return transport;
  };
  const serve: Handler = (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known !== undefined) {
      known.handleRequest(request, response).catch(() => response.destroy());
    } else if (id === undefined) {
      open()
        .then((transport) => transport.handleRequest(request, response))
        .catch(() => response.destroy());
    } else {
      response.writeHead(404).end();
    }
  };
  return { handler: serve, forget: () => sessions.clear(), sessions: () => opened };
}

describe("an MCP server over HTTP", () => {
  it("is spoken to as 2026-07-28 has it", async () => {
    const createServer = (): McpServer => {
      const server = new McpServer({ name: "modern", version: "1" });
      server.registerTool(
        "echo",
        { description: "Echo", inputSchema: z.object(echoInput) },
        ({ text }) => ({
          content: [{ type: "text", text }],
        }),
      );
      return server;
    };
    const handler = createMcpHandler(createServer, { legacy: "reject" });
    const origin = await serveHttp(fromFetch(async (request) => await handler.fetch(request)));
    const { toolkit } = mcpToolkit({ type: "http", url: `${origin}/mcp` });
    expect(await call(toolkit, "echo", { text: "modern" })).toEqual(textResult("modern"));
  });

  it("is spoken to with sessions, and opens another when the server has forgotten one", async () => {
    const { handler, forget } = streamable();
    const origin = await serveHttp(handler);
    const { toolkit } = mcpToolkit({ url: `${origin}/mcp` });
    expect(await call(toolkit, "echo", { text: "one" })).toEqual(textResult("one"));
    forget();
    expect(await call(toolkit, "echo", { text: "two" })).toEqual(textResult("two"));
  });

  it("is spoken to over server-sent events where it is that old", async () => {
    const transports = new Map<string, SSEServerTransport>();
    const origin = await serveHttp((request, response) => {
      const url = new URL(request.url ?? "/", "http://x");
      if (request.method === "GET" && url.pathname === "/sse") {
        const transport = new SSEServerTransport("/messages", response);
        transports.set(transport.sessionId, transport);
        oldServer()
          .connect(transport as never)
          .catch(() => response.destroy());
      } else if (url.pathname === "/messages") {
        const transport = transports.get(url.searchParams.get("sessionId") ?? "");
        transport?.handlePostMessage(request, response).catch(() => response.destroy());
      } else {
        response.writeHead(404).end();
      }
    });
    for (const config of [{ url: `${origin}/sse` }, { url: `${origin}/sse`, type: "sse" }]) {
      const { toolkit } = mcpToolkit(config);
      expect(await call(toolkit, "echo", { text: "old" })).toEqual(textResult("old"));
    }
  });

  it("gets the headers of the configuration, which come from the environment", async () => {
    const { handler } = streamable();
    const seen = new Set<string | undefined>();
    const origin = await serveHttp((request, response) => {
      seen.add(request.headers.authorization);
      handler(request, response);
    });
    const headers = { Authorization: "Bearer ${MCP_TOKEN}" };
    const { toolkit } = mcpToolkit({ url: origin, headers }, { env: { MCP_TOKEN: "t0ken" } });
    await toolkit.tools();
    expect([...seen]).toEqual(["Bearer t0ken"]);
  });
});

describe("an MCP server over HTTP that cannot be used", () => {
  const problemOf = async (config: Parameters<typeof mcpToolkit>[0]): Promise<unknown> => {
    const { toolkit } = mcpToolkit(config, { startMs: 1000, env: { TOKEN: "secret-token" } });
    return await toolkit.tools().then(
      () => "it works",
      (error: unknown) =>
        error instanceof Error && "code" in error ? [error.code, error.message] : error,
    );
  };

  it("says what to do about credentials", async () => {
    const origin = await serveHttp((_, response) =>
      response.writeHead(401).end("secret-token is wrong"),
    );
    const headers = { Authorization: "Bearer ${TOKEN}" };
    expect(await problemOf({ url: `${origin}/mcp`, headers })).toEqual([
      "unavailable",
      `The MCP server "odd" is not available: ${origin} answers 401: it wants credentials. Set "headers" in mcpServers.odd, for example { "Authorization": "Bearer \${TOKEN}" }.`,
    ]);
  });

  it("says that nobody is there", async () => {
    const origin = await closedOrigin();
    expect(await problemOf({ url: `${origin}/mcp` })).toEqual([
      "unavailable",
      `The MCP server "odd" is not available: ${origin} cannot be reached (connect ECONNREFUSED ${origin.slice(7)}). Check "url" in mcpServers.odd, and that the server runs.`,
    ]);
  });

  it("says that there is no MCP", async () => {
    const origin = await serveHttp((_, response) => response.writeHead(404).end("nothing here"));
    expect(await problemOf({ url: origin })).toEqual([
      "unavailable",
      `The MCP server "odd" is not available: ${origin} answers 404. Check "url" in mcpServers.odd.`,
    ]);
  });

  it("gives up on silence", async () => {
    const origin = await serveHttp(() => undefined);
    expect(await problemOf({ url: origin, type: "http" })).toEqual([
      "unavailable",
      'The MCP server "odd" is not available: it did not answer within 1 s.',
    ]);
  });

  it("sends no headers to where it is redirected", async () => {
    let visits = 0;
    const elsewhere = await serveHttp((_, response) => {
      visits++;
      response.end();
    });
    const origin = await serveHttp((_, response) =>
      response.writeHead(307, { location: elsewhere }).end(),
    );
    const problem = await problemOf({ url: origin, headers: { "X-Key": "${TOKEN}" } });
    expect(problem).toMatchObject(["unavailable", expect.any(String)]);
    expect(visits).toBe(0);
  });

  it("reads no answer without end", async () => {
    const origin = await serveHttp((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const block = Buffer.alloc(1024 * 1024, "x");
      const pour = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on("drain", pour).write('{"jsonrpc":"2.0","id":0,"result":"');
      pour();
    });
    const { toolkit } = mcpToolkit({ url: origin, type: "http" }, { startMs: 20_000 });
    await expect(toolkit.tools()).rejects.toMatchObject({ code: "unavailable" });
  });
});
