import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  call,
  callAll,
  callText,
  getTool,
  jsonResult,
  mcpToolkit,
  oddToolkit,
  textResult,
  waitUntilGone,
} from "./mcp-under-test.ts";

describe("an MCP server as a toolkit", () => {
  it("has the server's tools, by their kebab-case names, with its schemas", async () => {
    const { toolkit, log } = oddToolkit("good");
    const echo = await getTool(toolkit, "echo");
    expect(echo).toMatchObject({
      description: "Tool echo",
      input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      isReadOnly: true,
      needsApproval: false,
    });
    expect((await getTool(toolkit, "ask-client")).isReadOnly).toBe(false);
    expect(log).toEqual([]);
  });

  it("gives text as text, also where it looks like data", async () => {
    const { toolkit } = oddToolkit("good");
    expect(await call(toolkit, "echo", { text: "hello" })).toEqual(textResult("hello"));
    expect(await call(toolkit, "json-text")).toEqual(textResult('{"a":1}'));
    expect(await call(toolkit, "parts")).toEqual(textResult("one\ntwo"));
    expect(await call(toolkit, "nothing")).toEqual({ type: "result" });
  });

  it("gives images as bytes, and parts of several kinds as data", async () => {
    const { toolkit } = oddToolkit("good");
    const value = { kind: "bytes", base64: "AAEC", mimeType: "image/png" };
    expect(await call(toolkit, "image")).toEqual({ type: "result", value });
    const links = await call(toolkit, "links");
    expect(links).toEqual(
      jsonResult([
        { type: "text", text: "see" },
        { type: "resource_link", uri: "x://1", name: "one" },
      ]),
    );
  });

  it("tells a wrong input from a failed tool", async () => {
    const { toolkit } = oddToolkit("good");
    const codes = async (name: string): Promise<unknown> => {
      const event = await call(toolkit, name);
      return event?.type === "error" ? [event.code, event.message] : event;
    };
    expect(await codes("echo")).toEqual(["usage", "text: is required"]);
    expect(await codes("fail")).toEqual(["failed", "it went wrong"]);
    expect(await codes("wrong-params")).toEqual(["usage", "no such issue"]);
    expect(await codes("internal-error")).toEqual(["failed", "broken inside"]);
  });

  it("gives the server only the environment that MCP hosts give, and its own", async () => {
    process.env["AGENTOS_TEST_SECRET"] = "do-not-pass-on";
    const { toolkit } = oddToolkit("good", { env: { OWN: "1" } });
    const said = await callText(toolkit, "environment");
    delete process.env["AGENTOS_TEST_SECRET"];
    const allowed = ["HOME", "LOGNAME", "OWN", "PATH", "SHELL", "TERM", "USER"];
    expect(Object.keys(JSON.parse(said)).filter((name) => !allowed.includes(name))).toEqual([]);
    expect(JSON.parse(said)).toMatchObject({ OWN: "1" });
  });

  it("passes progress on, and lets it prolong the call", async () => {
    const { toolkit } = oddToolkit("good", { timeoutMs: 500 });
    const events = await callAll(toolkit, "work");
    expect(events.at(0)).toEqual({ type: "progress", message: "step 1", done: 1, total: 8 });
    expect(events.at(-1)).toEqual(textResult("worked"));
  });

  it("tells the server of a cancelled call, and goes on with the next", async () => {
    const { toolkit } = oddToolkit("good");
    const controller = new AbortController();
    await toolkit.tools();
    const waiting = callAll(toolkit, "wait", {}, controller.signal);
    await call(toolkit, "echo", { text: "the wait has arrived before this" });
    controller.abort();
    expect((await waiting).at(-1)).toMatchObject({ type: "error", code: "cancelled" });
    const event = await call(toolkit, "cancelled");
    expect(event).toMatchObject({ type: "result", value: { kind: "text" } });
    expect(event).not.toEqual(textResult("[]"));
  });

  it("refuses sampling and elicitation, and has no roots", async () => {
    const { toolkit } = oddToolkit("good");
    expect(await call(toolkit, "ask-client")).toEqual(
      textResult('{"sampling":-32601,"elicitation":-32601,"roots":{"roots":[]}}'),
    );
  });

  it("offers resources and prompts as tools", async () => {
    const { toolkit } = oddToolkit("resources");
    expect(await call(toolkit, "list-resources")).toEqual(
      jsonResult({
        resources: [
          { uri: "x://text", name: "text" },
          { uri: "x://bytes", name: "bytes" },
        ],
        resourceTemplates: [{ uriTemplate: "x://{id}", name: "any" }],
      }),
    );
    expect(await call(toolkit, "read-resource", { uri: "x://text" })).toEqual(
      textResult("the text"),
    );
    expect(await call(toolkit, "read-resource", { uri: "x://bytes" })).toMatchObject({
      value: { kind: "bytes", base64: "AAEC", mimeType: "application/x-odd" },
    });
    expect(await call(toolkit, "read-resource", { uri: "x://no" })).toMatchObject({
      code: "failed",
      message: "no resource x://no",
    });
    expect(await call(toolkit, "list-prompts")).toMatchObject({
      value: { json: { prompts: [{ name: "greet" }] } },
    });
    expect(await call(toolkit, "get-prompt", { name: "greet", arguments: { who: "Ada" } })).toEqual(
      jsonResult({
        description: "A greeting",
        messages: [{ role: "user", content: { type: "text", text: "Greet Ada" } }],
      }),
    );
  });

  it("asks about resources and prompts, too, where the configuration says so", async () => {
    const { toolkit, log } = oddToolkit("resources", {
      tools: { include: ["echo", "read-resource", "get-prompt"] },
      approval: ["*-resource"],
    });
    const tools = await toolkit.tools();
    expect(tools.map(({ name, needsApproval }) => [name, needsApproval])).toEqual([
      ["echo", false],
      ["read-resource", true],
      ["get-prompt", false],
    ]);
    expect(log).toEqual([]);
  });

  it("says when its tools have changed, and has the new ones", async () => {
    const { toolkit } = oddToolkit("grows");
    const changed = new Promise<void>((resolve) => {
      toolkit.onChange(resolve);
    });
    await call(toolkit, "grow");
    await changed;
    expect((await toolkit.tools()).map(({ name }) => name)).toEqual(["grow", "grown"]);
  });

  it("offers what the configuration includes, and asks where it says so", async () => {
    const { toolkit, log } = oddToolkit("good", {
      tools: { include: ["e*", "ask-client", "fial"], exclude: ["environment"] },
      approval: ["askClient"],
    });
    const tools = await toolkit.tools();
    expect(tools.map(({ name, needsApproval }) => [name, needsApproval])).toEqual([
      ["echo", false],
      ["ask-client", true],
    ]);
    expect(log).toEqual(['mcp odd: it has no tool "fial"']);
  });

  it("speaks to servers of every revision since 2024-11-05", async () => {
    for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
      const { toolkit } = oddToolkit("good", { args: [revision] });
      expect(await call(toolkit, "echo", { text: revision })).toEqual(textResult(revision));
    }
  });

  it("starts nothing before its tools are asked for", async () => {
    const { toolkit, log } = mcpToolkit({ command: "/nowhere/at-all" });
    expect([toolkit.name, toolkit.description]).toEqual(["odd", 'Tools of the MCP server "odd".']);
    await toolkit.close();
    expect(log).toEqual([]);
    await expect(toolkit.tools()).rejects.toThrow('The MCP server "odd" is being ended.');
  });

  it("stops a server that nobody uses, and starts it again for the next call", async () => {
    const { toolkit, log } = oddToolkit("good", { idleMs: 1 });
    const first = await callText(toolkit, "pid");
    await waitUntilGone(Number(first));
    let changes = 0;
    toolkit.onChange(() => changes++);
    expect(await callText(toolkit, "pid")).not.toBe(first);
    expect(changes).toBe(1);
    expect(log).toEqual([]);
  });
});

describe("an MCP server that speaks 2026-07-28 alone", () => {
  it("is spoken to over stdio, and refused what it asks back", async () => {
    const file = fileURLToPath(new URL("fixtures/modern-server.mjs", import.meta.url));
    const { toolkit, log } = mcpToolkit({ command: process.execPath, args: [file] });
    expect(await call(toolkit, "echo", { text: "modern" })).toEqual(textResult("modern"));
    expect(await call(toolkit, "ask")).toMatchObject({ type: "error", code: "failed" });
    expect(log).toEqual([]);
  });
});
