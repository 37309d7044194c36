// MCP servers that misbehave: each costs its own calls, and nothing else.
import { describe, expect, it } from "vitest";
import type { ToolEvent } from "../../../../src/toolkit-cli/index.ts";
import {
  call,
  callText,
  getTool,
  isAlive,
  jsonResult,
  oddToolkit,
  textResult,
  waitUntilGone,
} from "./mcp-under-test.ts";

function failure(event: ToolEvent | undefined): [string, string] | ToolEvent | undefined {
  return event?.type === "error" ? [event.code, event.message] : event;
}

describe("an MCP server that dies", () => {
  it("fails the call under way, and is started again for the next", async () => {
    const { toolkit } = oddToolkit("die");
    expect(failure(await call(toolkit, "die"))).toEqual([
      "unavailable",
      'The MCP server "odd" was lost during the call (it exited with code 7). Whether the call took effect is unknown; the next call starts it again.',
    ]);
    expect(await call(toolkit, "echo", { text: "back" })).toEqual(textResult("back"));
  });

  it("is left alone for a while when it keeps dying", async () => {
    let clockMs = 0;
    const { toolkit, log } = oddToolkit("die", {}, { now: () => clockMs });
    const failedTimes = (times: number, seconds: number): string =>
      `The MCP server "odd" ended unexpectedly.\nIt has failed ${times} times and can be tried again in ${seconds} s.`;
    await call(toolkit, "die");
    await call(toolkit, "die");
    await expect(toolkit.tools()).rejects.toThrow(failedTimes(2, 1));
    clockMs += 1000;
    await call(toolkit, "die");
    await expect(toolkit.tools()).rejects.toThrow(failedTimes(3, 2));
    expect(log).toEqual(Array.from({ length: 3 }, () => "mcp odd: it exited with code 7"));
    clockMs += 2000;
    expect(await call(toolkit, "echo", { text: "back" })).toEqual(textResult("back"));
    // A server that has lived for a minute is no longer one that keeps dying.
    clockMs += 60_000;
    await call(toolkit, "die");
    expect(await call(toolkit, "echo", { text: "at once" })).toEqual(textResult("at once"));
  });

  it("says what a server said that exits at once, without its secrets", async () => {
    const env = { TOKEN: "secret-token", HOME: process.env["HOME"] ?? "" };
    const { toolkit, log } = oddToolkit("exit", { env });
    await expect(toolkit.tools()).rejects.toMatchObject({
      code: "unavailable",
      message: [
        'The MCP server "odd" is not available: it exited with code 3 before it answered. Run its command in a terminal to see why.',
        "It said last:",
        "fatal: cannot log in with *** in ~/x",
      ].join("\n"),
    });
    expect(log.join("\n")).toContain("cannot log in with secret-token");
  });
});

describe("an MCP server that is not there", () => {
  it("says that there is no such command, and what to do", async () => {
    const { toolkit } = oddToolkit("good", { command: "no-such-command-at-all" });
    await expect(toolkit.tools()).rejects.toMatchObject({
      code: "unavailable",
      message:
        'The MCP server "odd" is not available: there is no command "no-such-command-at-all" (or its "cwd" is missing). Install it, or give its full path as "command" in mcpServers.odd; a desktop program may have a shorter PATH than your shell.',
    });
  });
});

describe("an MCP server that does not answer", () => {
  it("fails at its start once its time is over, and is gone", async () => {
    const { toolkit } = oddToolkit("no-start", {}, { startMs: 500 });
    await expect(toolkit.tools()).rejects.toMatchObject({
      code: "unavailable",
      message: 'The MCP server "odd" is not available: it did not answer within 0.5 s.',
    });
  });

  it("is ended while it starts", async () => {
    const { toolkit } = oddToolkit("no-start", {}, { startMs: 600_000 });
    const listing = expect(toolkit.tools()).rejects.toMatchObject({ code: "unavailable" });
    await new Promise((resolve) => setImmediate(resolve));
    await toolkit.close();
    await listing;
  });

  it("fails a call with timeout, and serves the next", async () => {
    const { toolkit } = oddToolkit("good", { timeoutMs: 300 });
    expect(failure(await call(toolkit, "wait"))).toEqual([
      "timeout",
      'The MCP server "odd" did not answer within 0.3 s. Raise timeoutMs in mcpServers.odd if it needs longer.',
    ]);
    expect(await call(toolkit, "echo", { text: "still here" })).toEqual(textResult("still here"));
  });

  it("fails a call whose answer has another call's id", async () => {
    const { toolkit } = oddToolkit("wrong_id", { timeoutMs: 300 });
    expect(await call(toolkit, "wrong-id")).toMatchObject({ type: "error", code: "timeout" });
  });

  it("fails a call whose answer is no result", async () => {
    const { toolkit } = oddToolkit("no_result");
    expect(failure(await call(toolkit, "no-result"))).toEqual([
      "failed",
      "The server's answer is not what JSON-RPC allows.",
    ]);
    expect(await call(toolkit, "echo", { text: "next" })).toEqual(textResult("next"));
  });
});

describe("an MCP server that says too much", () => {
  it("is understood among banners and garbage", async () => {
    const { toolkit } = oddToolkit("garbage");
    expect(await call(toolkit, "echo", { text: "clear" })).toEqual(textResult("clear"));
  });

  it("is ended at a line without end", async () => {
    const { toolkit, log } = oddToolkit("huge");
    expect(failure(await call(toolkit, "huge"))).toEqual([
      "unavailable",
      'The MCP server "odd" was lost during the call (it was ended: it sent more than 32 MiB in one line). Whether the call took effect is unknown; the next call starts it again.',
    ]);
    expect(log).toEqual(["mcp odd: it was ended: it sent more than 32 MiB in one line"]);
    expect(await call(toolkit, "echo", { text: "new" })).toEqual(textResult("new"));
  });

  it("fails a call with a result over the limit", async () => {
    const { toolkit } = oddToolkit("large_text");
    expect(await call(toolkit, "large-text")).toMatchObject({ type: "error", code: "failed" });
    expect(await call(toolkit, "echo", { text: "same" })).toEqual(textResult("same"));
  });

  it("is answered and answers in a flood of notifications", async () => {
    const { toolkit } = oddToolkit("flood");
    expect(await call(toolkit, "echo", { text: "dry" })).toEqual(textResult("dry"));
  });

  it("has no more than 1,000 tools", async () => {
    const { toolkit, log } = oddToolkit("many");
    expect(await toolkit.tools()).toHaveLength(1000);
    expect(log).toEqual(["mcp odd: it has too many tools: the first 1000 are offered"]);
  });

  it("has no more than 100 pages of tools", async () => {
    const { toolkit, log } = oddToolkit("endless");
    expect(await toolkit.tools()).toHaveLength(100);
    expect(log).toEqual(["mcp odd: it has too many tools: the first 100 are offered"]);
  });
});

describe("an MCP server that lists what is no tool", () => {
  it("keeps the tools that can be used, and notes the others", async () => {
    const { toolkit, log } = oddToolkit("schemas");
    const names = (await toolkit.tools()).map(({ name }) => name);
    expect(names).toEqual([
      "no-schema",
      "null-schema",
      "cycle",
      "slow-pattern",
      "lies",
      "breaks-promise",
      "old-promise",
      "wrapped",
      "bad-output",
      "no-description",
      "long-description",
    ]);
    expect(log.map((line) => line.split(": ", 2).join(": "))).toEqual([
      "mcp odd: 4 of its tools are no tools and are left out",
      'mcp odd: its tool "text_input" is left out',
      'mcp odd: its tool "array_schema" is left out',
      'mcp odd: its tool "remote" is left out',
      'mcp odd: its tool "deep" is left out',
      'mcp odd: its tool "large" is left out',
      'mcp odd: the outputSchema of its tool "bad_output" cannot be used',
    ]);
    expect((await getTool(toolkit, "long-description")).description).toHaveLength(4001);
  });

  it("has no tools where its list is none", async () => {
    const { toolkit } = oddToolkit("no-list");
    expect(await toolkit.tools()).toEqual([]);
  });

  it("gives clashing names a number, and its own tools the first choice", async () => {
    const { toolkit } = oddToolkit("clashes");
    const names = (await toolkit.tools()).map(({ name }) => name);
    expect(names).toEqual([
      "list-issues",
      "list-issues-2",
      "list-issues-3",
      "tool",
      "x".repeat(55),
      "list-resources",
      "a1",
      "a-1-2",
      "mcp-list-resources",
      "read-resource",
      "list-prompts",
      "get-prompt",
    ]);
  });

  it("fails a result that is not what its schema promises", async () => {
    const { toolkit } = oddToolkit("schemas");
    expect(await call(toolkit, "lies")).toMatchObject({ type: "error", code: "failed" });
    expect(failure(await call(toolkit, "breaks-promise"))).toEqual([
      "failed",
      "The tool promises data (outputSchema) and gave none.",
    ]);
    expect(await call(toolkit, "old-promise")).toEqual(jsonResult({ count: 3 }));
    expect(await call(toolkit, "wrapped")).toEqual(jsonResult([1, 2]));
  });

  it("answers input for a pattern that backtracks without end", async () => {
    const { toolkit } = oddToolkit("schemas");
    const event = await call(toolkit, "slow-pattern", { a: `${"a".repeat(50)}!` });
    expect(event).toMatchObject({ type: "error" });
  });
});

describe("an MCP server that will not leave", () => {
  it("is killed, and what it started with it", async () => {
    const { toolkit } = oddToolkit("stubborn");
    const pids: number[] = JSON.parse(await callText(toolkit, "echo", { text: "" }));
    expect(pids.map(isAlive)).toEqual([true, true]);
    await toolkit.close();
    await Promise.all(pids.map(waitUntilGone));
  });
});
