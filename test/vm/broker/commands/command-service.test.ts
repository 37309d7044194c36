import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { STREAM_WINDOW_BYTES, StreamBreach } from "../../../../src/streams/index.ts";
import type { HostCommandCall } from "../../../../src/toolkit-cli/index.ts";
import { CommandService } from "../../../../src/vm/broker/commands/command-service.ts";
import { TEXTS_LIMIT } from "../../../../src/vm/broker/commands/read-start.ts";
import { CHUNK_BYTES, commandTags, START_LIMIT_BYTES } from "../../../../src/vm/wire/messages.ts";
import { makeOpener, type OpenedStream, textIn } from "../../../support/cell-streams.ts";
import { bytesOf, hostCommand, untilGone } from "../../../support/host-commands.ts";

type Run = Parameters<typeof hostCommand>[1];

interface StartOptions {
  readonly texts?: string;
  readonly words?: number;
  readonly name?: string;
  /** How much is said to come in all; what the texts have unless told. */
  readonly bytes?: number;
  readonly isTaking?: boolean;
}

class Server {
  readonly distrusted: string[] = [];
  readonly logged: string[] = [];
  readonly service: CommandService;
  readonly #open = makeOpener();

  constructor(run: Run, maxHostCommands = 4) {
    this.service = new CommandService({
      vm: "test",
      commands: [hostCommand("demo", run)],
      maxHostCommands,
      distrust: (what) => this.distrusted.push(what),
      log: (line) => this.logged.push(line),
    });
  }

  /** A start as a cell sends it; `stream` is there at once. */
  begin(options: StartOptions = {}): { stream: OpenedStream; started: Promise<unknown> } {
    const { texts = "/home\0demo\0", words = 1, name = "demo" } = options;
    const { bytes = bytesOf(texts).length, isTaking = true } = options;
    const stream = this.#open({ isTaking });
    const params = { stream: stream.cell.id, bytes, name, pid: 3, words };
    const body = bytesOf(texts).subarray(0, CHUNK_BYTES);
    return { stream, started: this.service.start(params, body, stream.server) };
  }

  async start(options: StartOptions = {}): Promise<OpenedStream> {
    const { stream, started } = this.begin(options);
    await started;
    return stream;
  }

  tell(stream: OpenedStream, news: Parameters<CommandService["tell"]>[0]["news"]) {
    return this.service.tell({ stream: stream.cell.id, news });
  }
}

const forever: Run = () => new Promise(() => undefined);

describe("CommandService", () => {
  it("sends a command's output in order, then its end", async () => {
    const server = new Server(async ({ argv, writeOut, writeError }) => {
      await writeOut(bytesOf("a"));
      await writeOut(bytesOf("b"));
      await writeError(bytesOf("c"));
      return argv.length;
    });
    const stream = await server.start({ texts: "/\0demo\0x\0A=1\0", words: 2 });
    expect(await stream.ended).toEqual({ status: 2, sawFailure: false });
    expect(stream.pieces).toEqual([
      { tag: commandTags.out, bytes: bytesOf("a") },
      { tag: commandTags.out, bytes: bytesOf("b") },
      { tag: commandTags.error, bytes: bytesOf("c") },
    ]);
  });

  it("asks for input, and for no more than somebody waits for", async () => {
    const server = new Server(async ({ stdin, writeOut }) => {
      for await (const bytes of stdin) await writeOut(bytes);
      return 0;
    });
    const stream = await server.start();
    const { outgoing } = stream.cell;
    await turn();
    expect(outgoing.send(bytesOf("one"))).toBe(3);
    expect(outgoing.send(bytesOf("too early"))).toBe(0);
    await turn();
    expect(textIn(stream, commandTags.out)).toBe("one");
    expect(outgoing.send(bytesOf("two"))).toBe(3);
    outgoing.end();
    expect(await stream.ended).toEqual({ status: 0, sawFailure: false });
    expect(textIn(stream, commandTags.out)).toBe("onetwo");
    expect(server.distrusted).toEqual([]);
  });

  it("tells whoever reads that reading failed, once", async () => {
    const seen: unknown[] = [];
    const server = new Server(async ({ stdin }) => {
      for (let i = 0; i < 2; i++) {
        const next = stdin[Symbol.asyncIterator]().next();
        seen.push(await next.catch((error: Error) => error.message));
      }
      return 0;
    });
    const stream = await server.start();
    await turn();
    stream.cell.outgoing.end({ errno: "EISDIR" });
    await stream.ended;
    expect(seen).toEqual([expect.stringContaining("EISDIR"), { done: true, value: undefined }]);
  });

  it("makes output no faster than it is taken", async () => {
    let made = 0;
    const server = new Server(async ({ writeOut }) => {
      for (; made < 100; made++) await writeOut(new Uint8Array(CHUNK_BYTES / 2));
      return 0;
    });
    const stream = await server.start({ isTaking: false });
    for (let i = 0; i < 5; i++) await turn();
    expect(made).toBeLessThan(8);
    let bytes = 0;
    for await (const piece of stream.cell.incoming) bytes += piece.length;
    expect(bytes).toBe(50 * CHUNK_BYTES);
  });

  it("gives the bytes of a write back when it resolves", async () => {
    const server = new Server(async ({ writeOut }) => {
      const bytes = new Uint8Array(2 * STREAM_WINDOW_BYTES).fill(1);
      await writeOut(bytes);
      bytes.fill(2);
      return 0;
    });
    const stream = await server.start();
    await stream.ended;
    const all = Buffer.concat(stream.pieces.map(({ bytes }) => bytes));
    expect([all.length, all.every((byte) => byte === 1)]).toEqual([2 * STREAM_WINDOW_BYTES, true]);
  });

  it("tells whoever writes and reads that the process is gone", async () => {
    const call = Promise.withResolvers<HostCommandCall>();
    const server = new Server(async (one) => {
      call.resolve(one);
      await untilGone(one);
      return 0;
    });
    const stream = await server.start({ isTaking: false });
    const { writeOut, stdin, signal } = await call.promise;
    const writing = writeOut(new Uint8Array(3 * STREAM_WINDOW_BYTES));
    const reading = stdin[Symbol.asyncIterator]().next();
    stream.cell.close();
    await expect(writing).rejects.toMatchObject({ errno: "EPIPE" });
    await expect(reading).rejects.toThrow("The process is gone.");
    await expect(stdin[Symbol.asyncIterator]().next()).rejects.toThrow("The process is gone.");
    expect(signal.aborted).toBe(true);
    expect(server.distrusted).toEqual([]);
  });

  it("lets the one stream fail and the other go on", async () => {
    const server = new Server(async ({ writeOut, writeError, onSignal }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      onSignal(() => resolve());
      await promise;
      await expect(writeOut(bytesOf("x"))).rejects.toMatchObject({ errno: "ENOSPC" });
      await writeError(bytesOf("full"));
      return 5;
    });
    const stream = await server.start();
    expect(textIn(stream, commandTags.listens)).toBe("\x01");
    await server.tell(stream, { type: "failed", to: "out", errno: "ENOSPC" });
    await server.tell(stream, { type: "signal", signal: "SIGINT" });
    expect(await stream.ended).toEqual({ status: 5, sawFailure: true });
    expect(textIn(stream, commandTags.error)).toBe("full");
  });

  it("survives listeners, functions and values that are wrong", async () => {
    const server = new Server(async ({ argv, onSignal, writeOut }) => {
      if (argv[1] === "bytes") await writeOut("text" as never);
      onSignal(() => {
        throw new Error("no");
      });
      await new Promise(() => undefined);
      return 0;
    });
    const wrong = await server.start({ texts: "/\0demo\0bytes\0", words: 2 });
    await wrong.ended;
    expect(textIn(wrong, commandTags.error)).toBe("demo: Output is a Uint8Array.\n");
    const other = await server.start();
    await server.tell(other, { type: "signal", signal: "SIGINT" });
    expect(server.logged.at(-1)).toBe("a listener of demo failed: Error: no");
  });

  it("takes a start that is longer than a body by the stream", async () => {
    const server = new Server(async ({ argv }) => argv.length);
    const word = "x".repeat(CHUNK_BYTES);
    const texts = `/\0demo\0${word}\0${word}\0`;
    const { stream, started } = server.begin({ texts, words: 3 });
    await stream.cell.outgoing.write(bytesOf(texts).subarray(CHUNK_BYTES));
    await started;
    expect(await stream.ended).toEqual({ status: 3, sawFailure: false });
  });
});

describe("a cell that lies to CommandService", () => {
  it.each<[string, StartOptions]>([
    ["an invalid start", { texts: "no end" }],
    ["an invalid start", { texts: "relative\0demo\0" }],
    ["an invalid start", { texts: "/\0demo\0", words: 2 }],
    ["an invalid start", { texts: "/\0demo\0", words: 0 }],
    ["a start that is too long", { bytes: START_LIMIT_BYTES + 1 }],
  ])("is given up for %s (%j)", async (what, options) => {
    const server = new Server(forever);
    await expect(server.start(options)).rejects.toMatchObject({ errno: "EINVAL" });
    expect(server.distrusted).toEqual([what]);
  });

  it("is given up for more of a start than it said", async () => {
    const server = new Server(forever);
    await expect(server.start({ bytes: 3 })).rejects.toThrow(StreamBreach);
  });

  it("is given up for more runs than it may have, and for signals that there are not", async () => {
    const server = new Server(forever, 1);
    const first = await server.start();
    await expect(server.start()).rejects.toMatchObject({ errno: "EINVAL" });
    await expect(server.tell(first, { type: "signal", signal: "0" })).rejects.toThrow();
    expect(server.distrusted).toEqual(["a command too many", "an unknown signal"]);
  });

  it("is refused what it was not given, and more words than there may be", async () => {
    const server = new Server(forever);
    const texts = "/\0other\0";
    await expect(server.start({ name: "other", texts })).rejects.toMatchObject({ errno: "ENOENT" });
    const many = `/\0${"\0".repeat(TEXTS_LIMIT)}`;
    await expect(server.start({ texts: many })).rejects.toMatchObject({ errno: "E2BIG" });
    expect(server.distrusted).toEqual([]);
  });

  it("leaves no more unfinished functions behind than it may have runs", async () => {
    const server = new Server(forever, 2);
    for (let run = 0; run < 2; run++) (await server.start()).cell.close();
    await expect(server.start()).rejects.toMatchObject({ errno: "EAGAIN" });
    expect(server.distrusted).toEqual([]);
  });
});
