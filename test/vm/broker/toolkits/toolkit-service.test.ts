import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ToolEvent } from "../../../../src/toolkit-cli/index.ts";
import { ThreadShare } from "../../../../src/vm/broker/toolkits/thread-share.ts";
import {
  ToolkitService,
  type ToolkitServiceParts,
} from "../../../../src/vm/broker/toolkits/toolkit-service.ts";
import { CHUNK_BYTES } from "../../../../src/vm/wire/messages.ts";

const done: ToolEvent = { type: "result", value: { kind: "json", json: 1 } };
const text = (size: number): ToolEvent => ({
  type: "chunk",
  value: { kind: "text", text: "x".repeat(size) },
});

class Server {
  readonly distrusted: string[] = [];
  readonly signals: AbortSignal[] = [];
  readonly service: ToolkitService;

  constructor(serve: ToolkitServiceParts["serve"], maxToolCalls = 4) {
    this.service = new ToolkitService({
      thread: new ThreadShare(),
      maxToolCalls,
      serve: (request, caller, signal) => {
        this.signals.push(signal);
        return serve(request, caller, signal);
      },
      distrust: (what) => this.distrusted.push(what),
      log: () => undefined,
    });
  }

  open(call: number, line: string | Uint8Array = requestOf(call)) {
    const body = typeof line === "string" ? new TextEncoder().encode(line) : line;
    return this.service.openToolCall({ call, id: call, pid: 3, command: "c", audited: 0 }, body);
  }

  async rest(call: number, first: { value: { isEnd: boolean }; body: Uint8Array }) {
    const parts = [first.body];
    for (let isEnd = first.value.isEnd; !isEnd; ) {
      const next = await this.service.nextToolEvents({ call });
      parts.push(next.body);
      isEnd = next.value.isEnd;
    }
    return Buffer.concat(parts).toString();
  }
}

const requestOf = (id: number, input: unknown = {}): string =>
  JSON.stringify({ id, op: "call", toolkit: "demo", tool: "echo", input });

async function* just(...events: ToolEvent[]): AsyncGenerator<ToolEvent> {
  yield* events;
}

async function* never(signal: AbortSignal): AsyncGenerator<ToolEvent> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  yield done;
}

describe("ToolkitService", () => {
  it("answers a quick call with all of its events at once", async () => {
    const server = new Server((request, caller) => {
      expect([request, caller.pid]).toEqual([JSON.parse(requestOf(1)), 3]);
      return just(done);
    });
    const { value, body } = await server.open(1);
    expect([value, JSON.parse(Buffer.from(body).toString())]).toEqual([
      { isEnd: true },
      { id: 1, ...done },
    ]);
  });

  it("counts what a tool gave, not what is put around it", async () => {
    let counted = (): number => 0;
    const server = new Server((_, caller) => {
      counted = caller.resultBytes;
      return just(
        { type: "progress", message: "half of it" },
        { type: "chunk", value: { kind: "text", text: 'é"\n' } },
        { type: "chunk", value: { kind: "json", json: { name: "é", list: [1, null] } } },
        { type: "chunk", value: { kind: "bytes", base64: "AAEC/w==", mimeType: "image/png" } },
        { type: "result" },
      );
    });
    await server.rest(1, await server.open(1));
    const json = Buffer.byteLength('{"name":"é","list":[1,null]}');
    expect(counted()).toBe(4 + json + 8);
  });

  it("makes events no faster than they are taken, and cuts them into parts", async () => {
    let made = 0;
    const server = new Server(async function* () {
      for (; made < 100; made++) yield text(CHUNK_BYTES / 2);
      yield done;
    });
    const first = await server.open(1);
    await turn();
    expect(made).toBeLessThan(6);
    const lines = (await server.rest(1, first)).trim().split("\n");
    expect([lines.length, made]).toEqual([101, 100]);
    expect(JSON.parse(lines[100] ?? "")).toEqual({ id: 1, ...done });
  });

  it("puts a long request together from its pieces", async () => {
    const input = "x".repeat(3 << 20);
    const server = new Server((request) => {
      expect(request).toEqual(JSON.parse(requestOf(1, input)));
      return just(done);
    });
    const line = new TextEncoder().encode(requestOf(1, input));
    const last = 8 * CHUNK_BYTES;
    for (let at = 0; at < last; at += CHUNK_BYTES) {
      await server.service.putToolRequest({ call: 1 }, line.subarray(at, at + CHUNK_BYTES));
    }
    expect((await server.open(1, line.subarray(last))).value).toEqual({ isEnd: true });
  });

  it("cancels at once, whatever the tool does, and finishes a line that was begun", async () => {
    const server = new Server(async function* () {
      yield text(2 * CHUNK_BYTES);
      yield text(10);
      await new Promise(() => undefined);
    });
    const first = await server.open(1);
    await server.service.cancelToolCall({ call: 1 });
    const lines = (await server.rest(1, first)).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(["chunk", "error"]);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ code: "cancelled" });
    expect(server.signals[0]?.aborted).toBe(true);
    await server.service.cancelToolCall({ call: 1 });
    await server.service.cancelToolCall({ call: 99 });
  });

  it("gives up every call when the VM is gone", async () => {
    const server = new Server((_, __, signal) => never(signal));
    const calls = [server.open(1), server.open(2)];
    await turn();
    server.service.close();
    await Promise.all(calls);
    expect(server.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await expect(server.open(3)).rejects.toMatchObject({ errno: "EPIPE" });
  });

  it("tells of a tool whose events end too early or break", async () => {
    const server = new Server((request) => (request.id === 1 ? just() : broken()));
    expect(await server.rest(1, await server.open(1))).toContain("ended without a result");
    const second = await server.rest(2, await server.open(2));
    expect(JSON.parse(second.split("\n")[1] ?? "")).toMatchObject({ code: "failed" });
    expect(second).not.toContain("secret");
  });

  it.each<[string, (server: Server) => Promise<unknown>]>([
    ["a call too many", (server) => server.open(1)],
    ["a call that is none", (server) => server.service.nextToolEvents({ call: 9 })],
    [
      "a piece of a request that is none",
      (server) => server.service.putToolRequest({ call: 2 }, new Uint8Array(0)),
    ],
    [
      "a piece of a request that is none",
      (server) => server.service.putToolRequest({ call: 2 }, new Uint8Array(1)),
    ],
    ["a request to toolkits that is none", (server) => server.open(2, "{}")],
    ["a request to toolkits that is none", (server) => server.open(2, '{"id":1,"op":"call"}')],
  ])("gives up a cell that sends %s", async (what, send) => {
    const server = new Server((_, __, signal) => never(signal));
    const first = server.open(1);
    await expect(send(server)).rejects.toMatchObject({ errno: "EINVAL" });
    expect(server.distrusted).toEqual([what]);
    server.service.close();
    await first;
  });

  it("gives up a cell that has more calls under way than it may, or sends too long a request", async () => {
    const server = new Server((_, __, signal) => never(signal), 2);
    const calls = [server.open(1), server.open(2)];
    await expect(server.open(3)).rejects.toMatchObject({ errno: "EINVAL" });
    const piece = new Uint8Array(CHUNK_BYTES);
    const put = async (): Promise<void> => {
      for (let pieces = 0; pieces <= 64; pieces++) {
        await server.service.putToolRequest({ call: 4 }, piece);
      }
    };
    await expect(put()).rejects.toMatchObject({ errno: "EINVAL" });
    expect(server.distrusted).toEqual(["a call too many", "a request that is too long"]);
    server.service.close();
    await Promise.all(calls);
  });

  it("fails calls whose inputs would take too much memory together, and takes more later", async () => {
    const server = new Server((_, __, signal) => never(signal), 64);
    // Small on the wire, large once it is read: half a million lists.
    const input = `[${"[],".repeat(500_000)}1]`;
    const line = (id: number): string =>
      `{"id":${id},"op":"call","toolkit":"demo","tool":"echo","input":${input}}`;
    const calls = [server.open(1, line(1)), server.open(2, line(2))];
    const refused = await server.open(3, line(3));
    expect(Buffer.from(refused.body).toString()).toContain("take too much memory");
    await server.service.cancelToolCall({ call: 1 });
    await calls[0];
    calls.push(server.open(4, line(4)));
    await turn();
    expect(server.distrusted).toEqual([]);
    server.service.close();
    await Promise.allSettled(calls);
  });

  it("fails calls whose results nobody takes, before they fill the server", async () => {
    const size = 15 << 20;
    const server = new Server(() => just(text(size), done), 64);
    const firsts = await Promise.all([1, 2, 3, 4, 5, 6].map((call) => server.open(call)));
    const ends = await Promise.all(firsts.map((first, at) => server.rest(at + 1, first)));
    const failed = ends.filter((end) => end.includes("nobody has read"));
    expect([failed.length > 0, failed.length < 6]).toEqual([true, true]);
    expect(await server.rest(7, await server.open(7))).toContain('"type":"result"');
  });
});

async function* broken(): AsyncGenerator<ToolEvent> {
  yield { type: "progress", message: "x" };
  throw new Error("secret of the host");
}
