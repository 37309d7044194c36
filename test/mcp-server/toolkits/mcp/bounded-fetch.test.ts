import { describe, expect, it } from "vitest";
import { boundedFetch } from "../../../../src/mcp-server/toolkits/mcp/bounded-fetch.ts";
import { messageLimitBytes } from "../../../../src/mcp-server/toolkits/mcp/message-limit.ts";
import { serveHttp } from "./http-server.ts";

/** Sends a text many times, at least twice the limit, and tells how many bytes came through. */
async function pour(type: string, piece: string): Promise<{ bytes: number; isWhole: boolean }> {
  const block = Buffer.from(piece.repeat(Math.ceil((1024 * 1024) / piece.length)));
  const blocks = Math.ceil((2 * messageLimitBytes) / block.length);
  const origin = await serveHttp((_, response) => {
    response.writeHead(200, { "content-type": type });
    let left = blocks;
    const write = (): void => {
      while (left > 0 && !response.destroyed) {
        left--;
        if (!response.write(block)) return;
      }
      response.end();
    };
    response.on("drain", write);
    write();
  });
  const { body } = await boundedFetch(origin);
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) bytes += chunk.length;
    return { bytes, isWhole: true };
  } catch {
    return { bytes, isWhole: false };
  }
}

describe("an answer of an MCP server", () => {
  it.each([
    ["a body", "application/json", "x"],
    ["a line", "text/event-stream", "x"],
    ["an event of many lines", "text/event-stream", "data: x\n"],
    ["an event of many lines of a Windows server", "text/event-stream", "data: x\r\n"],
    ["comments", "text/event-stream", ":\n"],
    ["lines that end otherwise", "text/event-stream", "data: x\r\r"],
  ])("ends with an error where %s has no end", async (_, type, piece) => {
    const { bytes, isWhole } = await pour(type, piece);
    expect(isWhole).toBe(false);
    expect(bytes).toBeLessThanOrEqual(messageLimitBytes);
  });

  it.each([
    ["events", "data: x\n\n"],
    ["events of a Windows server", "event: m\r\ndata: x\r\n\r\n"],
  ])("may have %s without end", async (_, piece) => {
    const { bytes, isWhole } = await pour("text/event-stream", piece);
    expect(isWhole).toBe(true);
    expect(bytes).toBeGreaterThanOrEqual(2 * messageLimitBytes);
  });
});
