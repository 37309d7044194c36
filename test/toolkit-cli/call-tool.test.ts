import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callTool, type ToolCall } from "../../src/toolkit-cli/call-tool.ts";
import { type ToolOptions, tool } from "../../src/toolkit-cli/define-tool.ts";
import { type AnySchema } from "../../src/toolkit-cli/schemas/read-schema.ts";
import { ToolError, type ToolEvent } from "../../src/toolkit-cli/tool-event.ts";
import type { Tool } from "../../src/toolkit-cli/toolkit.ts";
import { atOnce, type Turn } from "../../src/toolkit-cli/turn.ts";

const caller = { vm: "main", pid: 7, command: "agentos-x" };

function make<const S extends AnySchema>(options: Omit<ToolOptions<S>, "description">): Tool {
  return { name: "x", ...tool({ description: "x", ...options } as ToolOptions<S>) };
}

async function call(made: Tool, input = {}, options: Partial<ToolCall> = {}): Promise<ToolEvent[]> {
  const events: ToolEvent[] = [];
  for await (const event of callTool(made, input, { ...caller, ...options })) events.push(event);
  return events;
}

/** Never resolves; tells when its signal is aborted. */
function hang(aborted: unknown[]) {
  return (_: unknown, { signal }: { signal: AbortSignal }): Promise<never> =>
    new Promise(() => {
      signal.addEventListener("abort", () => aborted.push(signal.reason.code));
    });
}

describe("a call", () => {
  it("gives the handler its input with defaults, and who calls", async () => {
    const made = make({
      input: z.object({ n: z.number().default(3) }),
      handler: (input, { vm, pid, command, signal }) => [input, vm, pid, command, signal.aborted],
    });
    expect(await call(made)).toEqual([
      { type: "result", value: { kind: "json", json: [{ n: 3 }, "main", 7, "agentos-x", false] } },
    ]);
  });

  it("does not run with a wrong input, and says all that is wrong with it", async () => {
    const made = make({
      input: z.object({ n: z.number(), s: z.string() }),
      handler: () => expect.unreachable(),
    });
    expect(await call(made, { n: "1" })).toEqual([
      {
        type: "error",
        code: "usage",
        message: "n: must be a number, not a string; s: is required",
        issues: [
          { path: ["n"], message: "must be a number, not a string" },
          { path: ["s"], message: "is required" },
        ],
      },
    ]);
  });

  it("speaks of an input that is wrong as a whole", async () => {
    const made = make({ handler: () => expect.unreachable() });
    expect(await call(made, [])).toMatchObject([{ message: "It must be an object, not a list" }]);
    const input = z.object({}).refine(() => false, "Nothing fits.");
    const refined = make({ input, handler: () => expect.unreachable() });
    expect(await call(refined)).toMatchObject([{ message: "Nothing fits." }]);
  });

  it("tells progress and hints in order, and bounds both", async () => {
    const made = make({
      handler: (_, { progress, hint }) => {
        for (let n = 0; n < 100_000; n += 1) progress(`step ${n}`, n, Number.NaN);
        progress("x".repeat(5000));
        for (let n = 0; n < 20; n += 1) hint(`hint ${n}`);
      },
    });
    const events = await call(made);
    expect(events.length).toBe(65);
    expect(events.at(0)).toEqual({ type: "progress", message: "step 99945", done: 99945 });
    expect(events.at(-10)).toMatchObject({
      message: `${"x".repeat(1024)}… (3976 more characters)`,
    });
    expect(events.at(-2)).toEqual({ type: "hint", message: "hint 7" });
    expect(events.at(-1)).toEqual({ type: "result" });
  });

  it("checks the result where the tool promised something", async () => {
    const made = make({ output: z.object({ n: z.number() }), handler: () => ({ n: "1" }) });
    expect(await call(made)).toEqual([
      {
        type: "error",
        code: "failed",
        message: "The tool's result is not what it promises: n: must be a number, not a string.",
      },
    ]);
  });
});

describe("a call that must stop", () => {
  it("ends after its time, whatever the handler does, and logs what comes late", async () => {
    const aborted: unknown[] = [];
    expect(await call(make({ timeoutMs: 5, handler: hang(aborted) }))).toEqual([
      {
        type: "error",
        code: "timeout",
        message: "The tool took longer than 5 ms and was stopped.",
      },
    ]);
    expect(aborted).toEqual(["timeout"]);
    const { promise, reject } = Promise.withResolvers<never>();
    const lines: string[] = [];
    const late = make({ timeoutMs: 5, handler: () => promise });
    const events = await call(late, {}, { log: (line) => lines.push(line) });
    reject(new Error("too late"));
    await new Promise(setImmediate);
    expect(events).toHaveLength(1);
    expect(lines).toEqual([expect.stringContaining("failed late: Error: too late")]);
  });

  it("counts a validation that hangs, too", async () => {
    const input = z.object({}).refine(() => new Promise(() => {}));
    const made = make({ input, timeoutMs: 5, handler: () => expect.unreachable() });
    expect(await call(made)).toMatchObject([{ code: "timeout" }]);
  });

  it("is cancelled by its caller's signal, before and while it runs", async () => {
    const aborted: unknown[] = [];
    const cancelled = [{ type: "error", code: "cancelled", message: "The call was cancelled." }];
    const made = make({ handler: hang(aborted) });
    expect(await call(made, {}, { signal: AbortSignal.abort() })).toEqual(cancelled);
    expect(aborted).toEqual([]);
    const controller = new AbortController();
    const events = call(made, {}, { signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort();
    expect(await events).toEqual(cancelled);
    expect(aborted).toEqual(["cancelled"]);
  });

  it("is cancelled by return() while a next() waits", async () => {
    const aborted: unknown[] = [];
    const events = callTool(make({ handler: hang(aborted) }), {}, caller);
    const next = events.next();
    await new Promise(setImmediate);
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
    expect((await next).value).toMatchObject({ code: "cancelled" });
    expect(aborted).toEqual(["cancelled"]);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("runs nothing before its first next()", async () => {
    const made = make({ handler: () => expect.unreachable() });
    const events = callTool(made, {}, caller);
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
  });

  it("tells the handler that its call is over when it is", async () => {
    const signals: AbortSignal[] = [];
    await call(make({ handler: (_, { signal }) => signals.push(signal) }));
    expect(signals[0]?.aborted).toBe(true);
  });

  it("is over when its last event is taken, and has nothing left to cancel", async () => {
    const signals: AbortSignal[] = [];
    const made = make({ handler: (_, { signal }) => signals.push(signal) });
    for await (const event of callTool(made, {}, caller)) {
      expect(event.type).toBe("result");
      break;
    }
    expect(signals[0]?.reason).toMatchObject({ code: "cancelled", message: "The call is over." });
  });
});

describe("a streamed result", () => {
  it("comes as it is made: text, bytes and data", async () => {
    const made = make({
      async *handler() {
        yield "a";
        yield Buffer.from("b");
        yield { c: 1 };
        yield undefined;
      },
    });
    expect(await call(made)).toEqual([
      { type: "chunk", value: { kind: "text", text: "a" } },
      { type: "chunk", value: { kind: "bytes", base64: "Yg==" } },
      { type: "chunk", value: { kind: "json", json: { c: 1 } } },
      { type: "result" },
    ]);
  });

  it("goes no faster than it is read, and ends with its reader", async () => {
    const made: number[] = [];
    let isClosed = false;
    const endless = make({
      async *handler() {
        try {
          for (let n = 0; ; n += 1) {
            made.push(n);
            yield { n };
          }
        } finally {
          isClosed = true;
        }
      },
    });
    const events = callTool(endless, {}, caller);
    for (let n = 0; n < 3; n += 1) await events.next();
    await new Promise(setImmediate);
    expect(made).toEqual([0, 1, 2]);
    await events.return?.();
    await new Promise(setImmediate);
    expect(isClosed).toBe(true);
  });

  it("stops at its limit, at a failure, and in the middle of a wait", async () => {
    const flood = make({
      async *handler() {
        for (;;) yield "x".repeat(1000);
      },
    });
    const flooded = await call(flood, {}, { limits: { streamBytes: 5000 } });
    expect(flooded).toHaveLength(6);
    expect(flooded.at(-1)).toMatchObject({ code: "failed", message: /larger than 5000 bytes/ });
    const failing = make({
      async *handler() {
        yield 1;
        throw new ToolError("unavailable", "gone");
      },
    });
    expect(await call(failing)).toMatchObject([
      { type: "chunk" },
      { code: "unavailable", message: "gone" },
    ]);
    const waiting = make({
      timeoutMs: 5,
      async *handler() {
        yield 1;
        await new Promise(() => {});
      },
    });
    expect(await call(waiting)).toMatchObject([{ type: "chunk" }, { code: "timeout" }]);
  });
});

describe("approval", () => {
  const careful = make({ approval: true, timeoutMs: 5, handler: () => "done" });

  it("is asked for after validation, and its wait counts for no timeout", async () => {
    const approve: ToolCall["approve"] = async ({ tool: asked, input, pending }) => {
      pending("a1", `may ${asked.name} run with ${JSON.stringify(input)}?`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { allowed: true };
    };
    expect(await call(careful, {}, { approve })).toEqual([
      { type: "pending", approval: "a1", message: "may x run with {}?" },
      { type: "result", value: { kind: "text", text: "done" } },
    ]);
    const asked = await call(careful, { wrong: 1 }, { approve: () => expect.unreachable() });
    expect(asked).toMatchObject([{ code: "usage" }]);
  });

  it("denies where somebody says no, where nobody is there, and where asking fails", async () => {
    const no = await call(
      careful,
      {},
      { approve: async () => ({ allowed: false, message: "no" }) },
    );
    expect(no).toEqual([{ type: "error", code: "denied", message: "no" }]);
    expect(await call(careful)).toMatchObject([{ code: "denied" }]);
    const broken = await call(careful, {}, { approve: () => Promise.reject(new Error("broken")) });
    expect(broken).toMatchObject([{ code: "failed", message: "broken" }]);
  });

  it("lets the tool run with what was asked, whatever becomes of the input meanwhile", async () => {
    const got: unknown[] = [];
    const anything = { type: "object" } as const;
    const careful = make({ input: anything, approval: true, handler: (given) => got.push(given) });
    const input = { command: "status", parts: ["a"] };
    const approve: ToolCall["approve"] = async ({ input: asked, exact }) => {
      expect([asked, exact]).toEqual([input, JSON.stringify(input)]);
      input.command = "rm -rf /";
      input.parts.push("b");
      Object.assign(asked as object, { command: "reboot" });
      return { allowed: true };
    };
    await call(careful, input, { approve });
    expect(got).toEqual([{ command: "status", parts: ["a"] }]);
  });

  it("is given up with the call", async () => {
    const approve: ToolCall["approve"] = () => new Promise(() => {});
    const controller = new AbortController();
    const events = call(careful, {}, { approve, signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort();
    expect(await events).toMatchObject([{ code: "cancelled" }]);
  });
});

describe("the turn of a call", () => {
  const quick = make({ handler: () => "done" });

  it("comes before its input is checked and before it runs", async () => {
    const turns: string[] = [];
    const watched: Tool = {
      ...quick,
      validate: (input) => {
        turns.push("checked");
        return quick.validate(input);
      },
      run: (input, context) => {
        turns.push("run");
        return quick.run(input, context);
      },
    };
    const turn: Turn = async <T>(work: () => T): Promise<Awaited<T>> => {
      turns.push("turn");
      return await atOnce(work);
    };
    expect(await call(watched, {}, { turn })).toMatchObject([{ type: "result" }]);
    expect(turns).toEqual(["turn", "checked", "turn", "run"]);
  });

  it("is given up with the call, without a word in the log", async () => {
    const controller = new AbortController();
    const log: string[] = [];
    const turn: Turn = async <T>(work: () => T, signal?: AbortSignal): Promise<Awaited<T>> => {
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      signal?.throwIfAborted();
      return await atOnce(work);
    };
    const options = { turn, signal: controller.signal, log: (line: string) => log.push(line) };
    const events = call(quick, {}, options);
    await new Promise(setImmediate);
    controller.abort();
    expect(await events).toMatchObject([{ code: "cancelled" }]);
    await new Promise(setImmediate);
    expect(log).toEqual([]);
  });
});
