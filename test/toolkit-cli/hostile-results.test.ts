/** Whatever handlers return or throw, through call-tool.ts. */
/* oxlint-disable typescript/only-throw-error, unicorn/no-thenable -- handlers do what they like */
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { callTool } from "../../src/toolkit-cli/call-tool.ts";
import { tool } from "../../src/toolkit-cli/define-tool.ts";
import { output } from "../../src/toolkit-cli/exact-output.ts";
import { ToolError, type ToolEvent } from "../../src/toolkit-cli/tool-event.ts";

async function last(handler: () => unknown, resultBytes = 16 * 1024 * 1024): Promise<unknown> {
  const made = { name: "x", ...tool({ description: "x", handler }) };
  const call = { vm: "v", pid: 1, command: "c", limits: { resultBytes } };
  const events: ToolEvent[] = [];
  for await (const event of callTool(made, {}, call)) events.push(event);
  return events.length === 1 ? events[0] : events;
}

async function json(value: unknown): Promise<unknown> {
  const event = await last(() => value);
  return (event as { value?: { json?: unknown } }).value?.json;
}

const failed = (message: unknown): object => ({ type: "error", code: "failed", message });

describe("a handler that returns", () => {
  it("nothing, text, bytes or data gives just that", async () => {
    expect(await last(() => undefined)).toEqual({ type: "result" });
    expect(await last(() => null)).toEqual({ type: "result", value: { kind: "json", json: null } });
    expect(await last(() => "text\u0000")).toMatchObject({
      value: { kind: "text", text: "text\u0000" },
    });
    const bytes = { kind: "bytes", base64: "AQI=" };
    for (const value of [
      Buffer.from([1, 2]),
      new Uint8Array([1, 2]).buffer,
      new Uint8Array([0, 1, 2]).subarray(1),
    ]) {
      expect(await last(() => value)).toEqual({ type: "result", value: bytes });
    }
    expect(await last(() => output({ ...bytes, kind: "bytes", mimeType: "image/png" }))).toEqual({
      type: "result",
      value: { ...bytes, mimeType: "image/png" },
    });
  });

  it("what JSON has no word for loses nothing that can be kept", async () => {
    const when = new Date(0);
    expect(await json({ when, never: new Date(Number.NaN) })).toEqual({
      when: when.toJSON(),
      never: null,
    });
    expect(await json({ small: 5n, big: 2n ** 70n })).toEqual({
      small: 5,
      big: "1180591620717411303424",
    });
    expect(await json({ map: new Map([["a", new Set([1])]]), pairs: new Map([[1, 2]]) })).toEqual({
      map: { a: [1] },
      pairs: [[1, 2]],
    });
    expect(await json({ error: new TypeError("x"), bytes: Buffer.from("hi"), inf: 1 / 0 })).toEqual(
      {
        error: { name: "TypeError", message: "x" },
        bytes: "aGk=",
        inf: null,
      },
    );
    expect(await json({ f() {}, u: undefined, list: [undefined, () => 1] })).toEqual({
      list: [null, null],
    });
    expect(
      await json(
        new (class {
          a = 1;
          #b = 2;
          toString = () => this.#b;
        })(),
      ),
    ).toEqual({ a: 1 });
    const proto = await json(JSON.parse('{"__proto__": {"x": 1}}'));
    expect([Object.keys(proto as object), (proto as { x?: 1 }).x]).toEqual([
      ["__proto__"],
      undefined,
    ]);
  });

  it("a response gives its body, or fails with its status", async () => {
    expect(await last(() => Response.json({ a: 1 }))).toMatchObject({ value: { json: { a: 1 } } });
    expect(await last(() => Response.json("text"))).toMatchObject({
      value: { kind: "json", json: "text" },
    });
    expect(await last(() => new Response("hi"))).toMatchObject({
      value: { kind: "text", text: "hi" },
    });
    const png = { headers: { "content-type": "image/png" } };
    expect(await last(() => new Response(Buffer.from("x"), png))).toMatchObject({
      value: { kind: "bytes", base64: "eA==", mimeType: "image/png" },
    });
    expect(
      await last(() => new Response("no such thing", { status: 404, statusText: "Not Found" })),
    ).toEqual(failed("HTTP 404 Not Found: no such thing"));
    const lie = { headers: { "content-type": "application/json" } };
    expect(await last(() => new Response("{", lie))).toEqual(
      failed("The answer says it is JSON and is not."),
    );
    expect(await last(() => new Response("x".repeat(2000)), 1000)).toMatchObject({
      code: "failed",
    });
    expect(await last(() => new Blob(["hi"], { type: "text/css" }))).toMatchObject({
      value: { kind: "bytes", mimeType: "text/css" },
    });
  });

  it("a stream or a generator streams", async () => {
    const end = { type: "result" };
    const text = (piece: string): object => ({
      type: "chunk",
      value: { kind: "text", text: piece },
    });
    expect(await last(() => Readable.from(["a", "b"]))).toEqual([text("a"), text("b"), end]);
    expect(await last(() => new Blob(["a"]).stream())).toEqual([
      { type: "chunk", value: { kind: "bytes", base64: "YQ==" } },
      end,
    ]);
    function* count(): Generator<string> {
      yield "1";
    }
    expect(await last(count)).toEqual([text("1"), end]);
    const pieces = (await last(() => Readable.from([`${"x".repeat(262_143)}😀!`]))) as ToolEvent[];
    expect(pieces).toEqual([text("x".repeat(262_143)), text("😀!"), end]);
  });

  it("too much is refused before it is built", async () => {
    const tooLarge = failed("The tool's result is larger than 1000 bytes. Ask for less at a time.");
    expect(await last(() => "x".repeat(1001), 1000)).toEqual(tooLarge);
    expect(await last(() => "ü".repeat(501), 1000)).toEqual(tooLarge);
    expect(await last(() => Buffer.alloc(1001), 1000)).toEqual(tooLarge);
    expect(await last(() => output({ kind: "text", text: "x".repeat(1001) }), 1000)).toEqual(
      tooLarge,
    );
    expect(await last(() => ({ list: Array(1000).fill("x") }), 1000)).toEqual(tooLarge);
    let reads = 0;
    const bomb = new Proxy(
      {},
      {
        ownKeys: () => Array.from({ length: 1000 }, (_, n) => `k${n}`),
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
        get: (_, key) =>
          key === "then" || typeof key === "symbol" ? undefined : "x".repeat(400) + (reads += 1),
      },
    );
    expect(await last(() => bomb, 1000)).toEqual(tooLarge);
    expect(reads).toBeLessThan(10);
    const gigabyte = Array(64).fill("x".repeat(16 * 1024 * 1024));
    expect(await last(() => gigabyte)).toEqual(
      failed("The tool's result is larger than 16 MiB. Ask for less at a time."),
    );
  });

  it("what contains itself, has no end or cannot be read fails and says so", async () => {
    const loop: Record<string, unknown> = { a: {} };
    (loop["a"] as Record<string, unknown>)["b"] = loop;
    expect(await last(() => loop)).toEqual(failed("The tool's result contains itself at a.b."));
    const twice = { x: 1 };
    expect(await json([twice, twice])).toEqual([twice, twice]);
    const endless = (): object =>
      new Proxy(
        {},
        {
          ownKeys: () => ["in"],
          getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
          get: (_, key) => (key === "in" ? endless() : undefined),
        },
      );
    expect(await last(endless)).toEqual(
      failed("The tool's result is nested deeper than 200 levels."),
    );
    const unreadable = failed("The tool's result cannot be read as data.");
    expect(
      await last(() => ({
        get bomb() {
          throw new Error("boom");
        },
      })),
    ).toEqual(unreadable);
    expect(
      await last(() => ({
        toJSON() {
          throw undefined;
        },
      })),
    ).toEqual(unreadable);
    expect(await last(() => () => 1)).toEqual(
      failed("The tool returned a function, which is no data."),
    );
    expect(
      await last(() => ({
        then() {
          throw new Error("no");
        },
      })),
    ).toEqual(failed("no"));
  });
});

describe("a handler that throws", () => {
  it.each([
    ["an error", new Error("kaboom"), "kaboom"],
    ["an error without words", new RangeError(), "RangeError"],
    ["text", "just text", "just text"],
    ["a number", 5, "5"],
    ["undefined", undefined, "The tool failed without saying why."],
    ["null", null, "The tool failed without saying why."],
    ["an object", {}, "The tool failed without saying why."],
    [
      "a getter that throws",
      {
        get message() {
          throw new Error("x");
        },
      },
      "The tool failed without saying why.",
    ],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          get() {
            throw 1;
          },
          has() {
            throw 1;
          },
          getPrototypeOf() {
            throw 1;
          },
        },
      ),
      "The tool failed without saying why.",
    ],
    ["a revoked proxy", revoked(), "The tool failed without saying why."],
    [
      "a message that is no text",
      {
        message: {
          toString() {
            throw 1;
          },
        },
      },
      "The tool failed without saying why.",
    ],
    [
      "a huge message",
      new Error("x".repeat(10_000)),
      `${"x".repeat(8192)}… (1808 more characters)`,
    ],
  ])("%s fails with words", async (_, thrown, message) => {
    const made = async (): Promise<never> => {
      throw thrown;
    };
    expect(await last(made)).toEqual(failed(message));
  });

  it("a ToolError chooses the code, of whatever copy of the package", async () => {
    const thrower = (error: unknown) => (): never => {
      throw error;
    };
    expect(await last(thrower(new ToolError("denied", "no")))).toEqual({
      type: "error",
      code: "denied",
      message: "no",
    });
    const issues = [{ path: ["a"], message: "is wrong" }];
    expect(await last(thrower(new ToolError("usage", "no", { issues })))).toEqual({
      type: "error",
      code: "usage",
      message: "no",
      issues,
    });
    const other = Object.assign(new Error("x"), { name: "ToolError", code: "unavailable" });
    expect(await last(thrower(other))).toMatchObject({ code: "unavailable" });
    const strange = Object.assign(new Error("x"), { name: "ToolError", code: "constructor" });
    expect(await last(thrower(strange))).toMatchObject({ code: "failed" });
    expect(await last(thrower(Object.assign(new Error("x"), { code: "denied" })))).toMatchObject({
      code: "failed",
    });
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
