import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { StreamBreach } from "../../../../src/streams/index.ts";
import { REQUEST_LIMIT_BYTES, type ToolEvent } from "../../../../src/toolkit-cli/index.ts";
import { ThreadShare } from "../../../../src/vm/broker/toolkits/thread-share.ts";
import {
  ToolkitService,
  type ToolkitServiceParts,
} from "../../../../src/vm/broker/toolkits/toolkit-service.ts";
import { CHUNK_BYTES, eventTags } from "../../../../src/vm/wire/messages.ts";
import { makeOpener, type OpenedStream } from "../../../support/cell-streams.ts";

const done: ToolEvent = { type: "result", value: { kind: "json", json: 1 } };
const text = (size: number): ToolEvent => ({
  type: "chunk",
  value: { kind: "text", text: "x".repeat(size) },
});

interface OpenOptions {
  readonly line?: string;
  /** How much is said to come in all; what the line has unless told. */
  readonly bytes?: number;
  readonly isTaking?: boolean;
}

class Server {
  readonly distrusted: string[] = [];
  readonly signals: AbortSignal[] = [];
  readonly service: ToolkitService;
  readonly #open = makeOpener();

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

  /** A request as a cell sends it; `stream` is there at once. */
  begin(id: number, options: OpenOptions = {}) {
    const line = new TextEncoder().encode(options.line ?? requestOf(id));
    const { bytes = line.length, isTaking = true } = options;
    const stream = this.#open({ isTaking });
    const params = { stream: stream.cell.id, bytes, id, pid: 3, command: "c", audited: 0 };
    const opened = this.service.open(params, line.subarray(0, CHUNK_BYTES), stream.server);
    opened.catch(() => undefined);
    return { stream, opened, rest: line.subarray(CHUNK_BYTES) };
  }

  async open(id: number, options: OpenOptions = {}): Promise<OpenedStream> {
    const { stream, opened, rest } = this.begin(id, options);
    if (rest.length > 0) await stream.cell.outgoing.write(rest);
    await opened;
    return stream;
  }

  cancel(stream: OpenedStream) {
    return this.service.cancel({ stream: stream.cell.id });
  }
}

/** Every event of a call that is taken. */
async function eventsOf(stream: OpenedStream): Promise<Record<string, unknown>[]> {
  await stream.ended;
  const lines = Buffer.concat(stream.pieces.map(({ bytes }) => bytes)).toString();
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
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
  it("sends the events of a call, the last with its own tag, and ends", async () => {
    const server = new Server((request, caller) => {
      expect([request, caller.pid]).toEqual([JSON.parse(requestOf(1)), 3]);
      return just({ type: "progress", message: "half" }, done);
    });
    const stream = await server.open(1);
    expect(await eventsOf(stream)).toEqual([
      { id: 1, type: "progress", message: "half" },
      { id: 1, ...done },
    ]);
    expect(stream.pieces.map(({ tag }) => tag)).toEqual([eventTags.event, eventTags.last]);
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
    await eventsOf(await server.open(1));
    const json = Buffer.byteLength('{"name":"é","list":[1,null]}');
    expect(counted()).toBe(4 + json + 8);
  });

  it("makes events no faster than they are taken, and cuts them into parts", async () => {
    let made = 0;
    const server = new Server(async function* () {
      for (; made < 100; made++) yield text(CHUNK_BYTES / 2);
      yield done;
    });
    const stream = await server.open(1, { isTaking: false });
    for (let i = 0; i < 5; i++) await turn();
    expect(made).toBeLessThan(6);
    const parts: Uint8Array[] = [];
    for await (const part of stream.cell.incoming) parts.push(part);
    const lines = Buffer.concat(parts).toString().trim().split("\n");
    expect([lines.length, made]).toEqual([101, 100]);
    expect(JSON.parse(lines[100] ?? "")).toEqual({ id: 1, ...done });
  });

  it("takes a request that is longer than a body by the stream", async () => {
    const input = "x".repeat(3 << 20);
    const server = new Server((request) => {
      expect(request).toEqual(JSON.parse(requestOf(1, input)));
      return just(done);
    });
    const stream = await server.open(1, { line: requestOf(1, input) });
    expect(await eventsOf(stream)).toEqual([{ id: 1, ...done }]);
  });

  it("cancels at once, whatever the tool does, and finishes a line that was begun", async () => {
    const server = new Server(async function* () {
      yield text(4 * CHUNK_BYTES);
      yield text(10);
      await new Promise(() => undefined);
    });
    const stream = await server.open(1, { isTaking: false });
    await turn();
    await server.cancel(stream);
    expect(server.signals[0]?.aborted).toBe(true);
    const parts: Uint8Array[] = [];
    for await (const part of stream.cell.incoming) parts.push(part);
    const lines = Buffer.concat(parts).toString().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(["chunk", "error"]);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ code: "cancelled" });
    await server.cancel(stream);
    await server.service.cancel({ stream: 99 });
  });

  it("gives up every call when the VM is gone", async () => {
    const server = new Server((_, __, signal) => never(signal));
    await Promise.all([server.open(1), server.open(2)]);
    server.service.close();
    expect(server.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await expect(server.open(3)).rejects.toMatchObject({ errno: "EPIPE" });
  });

  it("tells of a tool whose events end too early or break", async () => {
    const server = new Server((request) => (request.id === 1 ? just() : broken()));
    expect(await eventsOf(await server.open(1))).toMatchObject([
      { code: "failed", message: expect.stringContaining("ended without a result") },
    ]);
    const second = await eventsOf(await server.open(2));
    expect(second[1]).toMatchObject({ code: "failed" });
    expect(JSON.stringify(second)).not.toContain("secret");
  });

  it.each<[string, OpenOptions]>([
    ["an invalid request to toolkits", { line: "{}" }],
    ["an invalid request to toolkits", { line: '{"id":1,"op":"call"}' }],
    ["a request that is too long", { bytes: REQUEST_LIMIT_BYTES + 1 }],
  ])("gives up a cell that sends %s (%j)", async (what, options) => {
    const server = new Server(() => just(done));
    await expect(server.open(2, options)).rejects.toMatchObject({ errno: "EINVAL" });
    expect(server.distrusted).toEqual([what]);
  });

  it("gives up a cell that sends more of a request than it said", async () => {
    const server = new Server(() => just(done));
    await expect(server.open(1, { bytes: 3 })).rejects.toThrow(StreamBreach);
  });

  it("refuses a request whose stream ends before it is whole", async () => {
    const server = new Server(() => just(done));
    const { stream, opened } = server.begin(1, { bytes: 5000 });
    stream.cell.outgoing.end();
    await expect(opened).rejects.toMatchObject({ errno: "EPIPE" });
    expect(server.distrusted).toEqual([]);
  });

  it("gives up a cell that has more calls under way than it may", async () => {
    const server = new Server((_, __, signal) => never(signal), 2);
    await Promise.all([server.open(1), server.open(2)]);
    await expect(server.open(3)).rejects.toMatchObject({ errno: "EINVAL" });
    expect(server.distrusted).toEqual(["a call too many"]);
  });

  it("fails calls whose inputs would take too much memory together, and takes more later", async () => {
    const server = new Server((_, __, signal) => never(signal), 64);
    // Small on the wire, large once it is read: half a million lists.
    const input = `[${"[],".repeat(500_000)}1]`;
    const line = (id: number): string =>
      `{"id":${id},"op":"call","toolkit":"demo","tool":"echo","input":${input}}`;
    const first = await server.open(1, { line: line(1) });
    await server.open(2, { line: line(2) });
    const refused = await server.open(3, { line: line(3) });
    expect(JSON.stringify(await eventsOf(refused))).toContain("take too much memory");
    await server.cancel(first);
    await first.ended;
    await server.open(4, { line: line(4) });
    expect([server.signals.length, server.distrusted]).toEqual([3, []]);
  });

  it("fails calls whose results nobody takes, before they fill the server", async () => {
    const size = 15 << 20;
    const server = new Server(() => just(text(size), done), 64);
    const streams = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((id) => server.open(id, { isTaking: false })),
    );
    await turn();
    const ends = await Promise.all(
      streams.map(async ({ cell }) => {
        let last = new Uint8Array(0);
        for await (const part of cell.incoming) last = new Uint8Array(part);
        return Buffer.from(last).toString();
      }),
    );
    const failed = ends.filter((end) => end.includes("nobody has read"));
    expect([failed.length > 0, failed.length < 6]).toEqual([true, true]);
    expect((await eventsOf(await server.open(7))).at(-1)).toEqual({ id: 7, ...done });
  });
});

async function* broken(): AsyncGenerator<ToolEvent> {
  yield { type: "progress", message: "x" };
  throw new Error("secret of the host");
}
