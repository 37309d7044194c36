import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxLineBytes } from "../../../src/mcp-server/lines.ts";
import { eventually } from "../../support/eventually.ts";
import { type Installation, install } from "../support/installation.ts";
import { RawClient } from "../support/raw-client.ts";
import { TestHome } from "../support/test-home.ts";

const died =
  "The agentos-mcp server died before it answered. Its VMs and all that was in them are lost. Call again: a new server starts by itself.";
const stopped = died.replace("died", "was stopped");

let installation: Installation;
let home: TestHome;
beforeAll(() => {
  installation = install();
  home = new TestHome();
});
afterAll(async () => {
  await home.close();
  installation.remove();
});

const serverPid = (): number => home.records()[0]?.pid ?? 0;
const fileIn = (name: string): string => join(home.directory, name);
const isWritten = (file: string, content: string): boolean =>
  existsSync(file) && readFileSync(file, "utf8") === content;

describe("a client of the legacy era, when the server is killed", () => {
  it("gets an error for each request that was open, and goes on with a new server", async () => {
    const client = new RawClient(installation, home);
    await client.initialize();
    const waits = [
      client.start("tools/call", { name: "test_wait", arguments: { file: fileIn("a") } }),
    ];
    waits.push(client.start("tools/call", { name: "test_wait", arguments: { file: fileIn("b") } }));
    await eventually(
      "both calls run",
      () => isWritten(fileIn("a"), "started\n") && isWritten(fileIn("b"), "started\n"),
    );
    const killed = serverPid();
    process.kill(killed, "SIGKILL");
    for (const id of waits) {
      expect(await client.answer(id)).toEqual({
        jsonrpc: "2.0",
        id,
        error: { code: -32603, message: died },
      });
    }
    expect(await client.callText("test_echo", { text: "again" })).toBe("again");
    expect(serverPid()).not.toBe(killed);
    // The introduction to the new server is between the shim and that server.
    expect(client.messages.map(({ id }) => id)).toEqual([1, ...waits, 4]);
    expect(await client.leave()).toEqual({ code: 0, signal: null });
    expect(client.stderr).toBe("");
  });

  it("gets the answer to its initialize from the next server", async () => {
    const client = new RawClient(installation, home);
    await eventually("the server listens", () => home.records().length === 1);
    process.kill(serverPid(), "SIGSTOP");
    const pid = serverPid();
    const id = client.start("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    process.kill(pid, "SIGKILL");
    expect(await client.answer(id)).toMatchObject({
      id,
      result: { serverInfo: { name: "agentos-mcp" } },
    });
    await client.leave();
  });

  it("is told that what the dead server asked is off, and its late answer reaches nobody", async () => {
    const client = new RawClient(installation, home);
    await client.initialize();
    const asking = client.start("tools/call", { name: "test_ask", arguments: {} });
    const question = await client.find("the question", ({ method }) => method === "roots/list");
    process.kill(serverPid(), "SIGKILL");
    expect(await client.answer(asking)).toMatchObject({ error: { message: died } });
    expect(
      await client.find("the cancellation", ({ method }) => method === "notifications/cancelled"),
    ).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: question.id, reason: "The server that asked is gone." },
    });
    const askingAgain = client.start("tools/call", { name: "test_ask", arguments: {} });
    const second = await client.find(
      "the second question",
      ({ id, method }) => method === "roots/list" && id !== question.id,
    );
    client.send({ id: question.id, result: { roots: [{ uri: "file:///old" }] } });
    client.send({ id: second.id, result: { roots: [{ uri: "file:///new" }] } });
    expect(await client.answer(askingAgain)).toMatchObject({
      result: { content: [{ type: "text", text: '[{"uri":"file:///new"}]' }] },
    });
    await client.leave();
  });

  it("is left with a clear message when servers keep dying", async () => {
    const client = new RawClient(installation, home);
    await client.initialize();
    for (let death = 1; death <= 5; death++) {
      expect(await client.call("test_kill_server")).toMatchObject({ error: { message: died } });
    }
    const message = "The agentos-mcp server went away 5 times within a minute; giving up.";
    expect(await client.call("test_echo", { text: "x" })).toMatchObject({
      error: { code: -32603, message },
    });
    expect(await client.exit()).toEqual({ code: 1, signal: null });
    expect(client.stderr).toBe(`agentos-mcp: ${message}\n`);
  });
});

describe("a client of the modern era, when the server is killed", () => {
  it("goes on without an introduction", async () => {
    const client = new RawClient(installation, home);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    await client.request("server/discover", { _meta });
    expect(
      await client.request("tools/call", { _meta, name: "test_kill_server", arguments: {} }),
    ).toMatchObject({
      error: { message: died },
    });
    expect(
      await client.request("tools/call", {
        _meta,
        name: "test_echo",
        arguments: { text: "again" },
      }),
    ).toMatchObject({
      result: { content: [{ type: "text", text: "again" }] },
    });
    await client.leave();
  });
});

describe("the shim", () => {
  it("tells a client of a stopped server so, and starts another with the next request", async () => {
    const client = new RawClient(installation, home);
    await client.initialize();
    const id = client.start("tools/call", { name: "test_wait", arguments: { file: fileIn("c") } });
    await eventually("the call runs", () => isWritten(fileIn("c"), "started\n"));
    const pid = serverPid();
    process.kill(pid, "SIGTERM");
    expect(await client.answer(id)).toMatchObject({ error: { message: stopped } });
    await eventually("the server has left", () => !home.pids().includes(pid));
    expect(home.records()).toEqual([]);
    expect(await client.callText("test_echo", { text: "again" })).toBe("again");
    await client.leave();
  });

  it.each([100_000, 1_000_000, 9_900_000])(
    "carries a line of %i bytes both ways intact",
    async (bytes) => {
      const client = new RawClient(installation, home);
      await client.initialize();
      const text = "é€🙂\n\u2028".repeat(Math.floor(bytes / 13));
      expect((await client.callText("test_echo", { text })) === text).toBe(true);
      await client.leave();
    },
  );

  it("waits for a client that does not read, without holding up others", async () => {
    const slow = new RawClient(installation, home);
    const other = new RawClient(installation, home);
    await Promise.all([slow.initialize(), other.initialize()]);
    slow.child.stdout.pause();
    const ids = Array.from({ length: 8 }, () =>
      slow.start("tools/call", { name: "test_large", arguments: { bytes: 4_000_000 } }),
    );
    expect(await other.callText("test_echo", { text: "quick" })).toBe("quick");
    slow.child.stdout.resume();
    for (const id of ids) expect((await slow.answer(id)).result).toBeDefined();
    await Promise.all([slow.leave(), other.leave()]);
  });

  it("answers what is no JSON and what is no JSON-RPC, and goes on", async () => {
    const client = new RawClient(installation, home);
    client.child.stdin.write("{nonsense\n\r\n[1]\n");
    client.child.stdin.write('{"id":"x"}\n');
    await client.initialize();
    expect(client.messages.slice(0, 3)).toEqual([
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "This is not JSON." } },
      {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: "This is not a JSON-RPC message." },
      },
      {
        jsonrpc: "2.0",
        id: "x",
        error: { code: -32600, message: "This is not a JSON-RPC message." },
      },
    ]);
    await client.leave();
  });

  it("answers messages over its limit, with their ids where they show, and goes on", async () => {
    const client = new RawClient(installation, home);
    await client.initialize();
    const filler = "x".repeat(maxLineBytes);
    const write = (line: string): void => void client.child.stdin.write(`${line}\n`);
    write(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"${filler}"}`);
    write(`{"method":"tools/call","params":"${filler}","jsonrpc":"2.0","id":"eight"}`);
    write(`{"params":"${filler}","id":9,"x":1}`);
    expect(await client.callText("test_echo", { text: "again" })).toBe("again");
    const message = `The message is longer than ${maxLineBytes} bytes, the limit. Send its content in parts.`;
    expect(client.messages.slice(1, 4)).toEqual(
      [7, "eight", null].map((id) => ({ jsonrpc: "2.0", id, error: { code: -32600, message } })),
    );
    expect(await client.leave()).toEqual({ code: 0, signal: null });
    expect(client.stderr).toBe("");
  });

  it("leaves at once on a signal while it waits for such an answer", async () => {
    const client = new RawClient(installation, home);
    await client.initialize();
    const file = fileIn("never");
    client.start("tools/call", { name: "test_wait", arguments: { file } });
    client.child.stdin.end();
    await eventually("the call runs", () => isWritten(file, "started\n"));
    client.child.kill("SIGTERM");
    expect(await client.exit()).toEqual({ code: 0, signal: null });
  });

  it("gives the answers that are due to a client that has ended its input", async () => {
    const client = new RawClient(installation, home);
    const initialized = client.initialize();
    client.child.stdin.end();
    expect(await initialized).toMatchObject({ id: 1, result: {} });
    expect(await client.exit()).toEqual({ code: 0, signal: null });
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "leaves on %s, and the server stays",
    async (signal) => {
      const client = new RawClient(installation, home);
      await client.initialize();
      const pid = serverPid();
      client.child.kill(signal);
      expect(await client.exit()).toEqual({ code: 0, signal: null });
      expect(home.pids()).toEqual([pid]);
    },
  );

  it("leaves quietly when nobody reads its output any more", async () => {
    const client = new RawClient(installation, home);
    await client.initialize();
    client.child.stdout.destroy();
    client.start("tools/call", { name: "test_echo", arguments: { text: "x" } });
    expect(await client.exit()).toEqual({ code: 0, signal: null });
    expect(client.stderr).toBe("");
  });
});
