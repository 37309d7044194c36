import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HostCommandCall } from "../../../../src/toolkit-cli/index.ts";
import { CommandService } from "../../../../src/vm/broker/commands/command-service.ts";
import { TEXTS_LIMIT } from "../../../../src/vm/broker/commands/read-start.ts";
import { CHUNK_BYTES } from "../../../../src/vm/wire/messages.ts";
import { bytesOf, hostCommand, textOf, untilGone } from "../../../support/host-commands.ts";

type Run = Parameters<typeof hostCommand>[1];

class Server {
  readonly distrusted: string[] = [];
  readonly logged: string[] = [];
  readonly service: CommandService;

  constructor(run: Run, maxHostCommands = 4) {
    this.service = new CommandService({
      vm: "test",
      commands: [hostCommand("demo", run)],
      maxHostCommands,
      distrust: (what) => this.distrusted.push(what),
      log: (line) => this.logged.push(line),
    });
  }

  start(run: number, texts = "/home\0demo\0", words = 1) {
    const params = { run, name: "demo", pid: 3, words };
    return this.service.startCommand(params, bytesOf(texts));
  }

  next(run: number) {
    return this.service.nextCommandEvents({ run });
  }

  feed(run: number, text: string, isEnd = false) {
    return this.service.feedCommand({ run, isEnd }, bytesOf(text));
  }
}

const forever: Run = () => new Promise(() => undefined);

describe("CommandService", () => {
  it("answers a quick command in one go", async () => {
    const server = new Server(async ({ argv, writeOut, writeError }) => {
      await writeOut(bytesOf("a"));
      await writeOut(bytesOf("b"));
      await writeError(bytesOf("c"));
      return argv.length;
    });
    const { value, body } = await server.start(1, "/\0demo\0x\0A=1\0", 2);
    expect(textOf(body)).toBe("abc");
    expect(value).toEqual({
      listens: false,
      parts: [
        { to: "out", bytes: 2 },
        { to: "error", bytes: 1 },
      ],
      end: { status: 2 },
    });
  });

  it("asks for input, and for no more than somebody waits for", async () => {
    const server = new Server(async ({ stdin, writeOut }) => {
      for await (const bytes of stdin) await writeOut(bytes);
      return 0;
    });
    const started = await server.start(1);
    expect(started.value).toEqual({ listens: false, parts: [], wantsInput: true });
    expect((await server.feed(1, "one")).value).toMatchObject({ wantsInput: true, isOver: false });
    expect(textOf((await server.next(1)).body)).toBe("one");
    expect((await server.feed(1, "two", true)).value).toMatchObject({ isOver: true });
    const last = await server.next(1);
    expect([textOf(last.body), last.value.end]).toEqual(["two", { status: 0 }]);
    expect((await server.feed(1, "")).value).toMatchObject({ wantsInput: false, isOver: true });
    expect(server.distrusted).toEqual([]);
  });

  it("makes output no faster than it is taken", async () => {
    let made = 0;
    const server = new Server(async ({ writeOut }) => {
      for (; made < 100; made++) await writeOut(new Uint8Array(CHUNK_BYTES / 2));
      return 0;
    });
    const { body } = await server.start(1);
    expect(body.length).toBeLessThanOrEqual(CHUNK_BYTES);
    for (let i = 0; i < 5; i++) await turn();
    expect(made).toBeLessThan(8);
    let bytes = body.length;
    for (let isEnd = false; !isEnd; ) {
      const next = await server.next(1);
      bytes += next.body.length;
      isEnd = next.value.end !== undefined;
    }
    expect(bytes).toBe(50 * CHUNK_BYTES);
  });

  it("copies what it is given, and takes one long write in parts", async () => {
    const server = new Server(async ({ writeOut }) => {
      const bytes = new Uint8Array(CHUNK_BYTES * 2 + 1).fill(1);
      await writeOut(bytes);
      bytes.fill(2);
      return 0;
    });
    const bodies = [(await server.start(1)).body];
    for (let isEnd = false; !isEnd; ) {
      const { value, body } = await server.next(1);
      bodies.push(body);
      isEnd = value.end !== undefined;
    }
    const all = Buffer.concat(bodies);
    expect([all.length, all.every((byte) => byte === 1)]).toEqual([CHUNK_BYTES * 2 + 1, true]);
  });

  it("tells whoever writes and reads that the process is gone", async () => {
    const errors: unknown[] = [];
    const call = Promise.withResolvers<HostCommandCall>();
    const server = new Server(async (one) => {
      call.resolve(one);
      await untilGone(one);
      return 0;
    });
    const started = server.start(1);
    const { writeOut, stdin, signal } = await call.promise;
    const pending = writeOut(new Uint8Array(3 * CHUNK_BYTES)).catch((error) => errors.push(error));
    const reading = stdin[Symbol.asyncIterator]().next();
    await started;
    await server.service.tellCommand({ run: 1, news: { type: "gone" } });
    await pending;
    expect(errors).toMatchObject([{ errno: "EPIPE" }]);
    await expect(reading).rejects.toThrow("The process is gone.");
    await expect(stdin[Symbol.asyncIterator]().next()).rejects.toThrow("The process is gone.");
    expect(signal.aborted).toBe(true);
    await server.service.tellCommand({ run: 1, news: { type: "gone" } });
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
    expect((await server.start(1)).value.listens).toBe(true);
    const news = { type: "failed", to: "out", errno: "ENOSPC" } as const;
    await server.service.tellCommand({ run: 1, news });
    await server.service.tellCommand({ run: 1, news: { type: "signal", signal: "SIGINT" } });
    const { value, body } = await server.next(1);
    expect([textOf(body), value.end]).toEqual(["full", { status: 5 }]);
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
    const wrong = await server.start(1, "/\0demo\0bytes\0", 2);
    expect(textOf(wrong.body)).toBe("demo: Output is a Uint8Array.\n");
    await server.start(2);
    await server.service.tellCommand({ run: 2, news: { type: "signal", signal: "SIGINT" } });
    expect(server.logged.at(-1)).toBe("a listener of demo failed: Error: no");
  });
});

describe("a cell that lies to CommandService", () => {
  it("is given up", async () => {
    const cases: [string, (server: Server) => Promise<unknown>][] = [
      ["a run that is none", (server) => server.next(9)],
      ["a start that is none", (server) => server.start(1, "no end")],
      ["a start that is none", (server) => server.start(1, "relative\0demo\0")],
      ["a start that is none", (server) => server.start(1, "/\0demo\0", 2)],
      ["a start that is none", (server) => server.start(1, "/\0demo\0", 0)],
    ];
    for (const [what, lie] of cases) {
      const server = new Server(forever);
      await expect(lie(server)).rejects.toMatchObject({ errno: "EINVAL" });
      expect(server.distrusted).toEqual([what]);
    }
  });

  it("is given up for more runs, waits and input than it may have", async () => {
    const server = new Server(forever, 1);
    const first = server.start(1);
    await expect(server.start(2)).rejects.toMatchObject({ errno: "EINVAL" });
    await expect(server.next(1)).rejects.toMatchObject({ errno: "EINVAL" });
    await expect(server.feed(1, "x")).rejects.toMatchObject({ errno: "EINVAL" });
    const news = { type: "signal", signal: "0" } as const;
    await expect(server.service.tellCommand({ run: 1, news })).rejects.toThrow();
    expect(server.distrusted).toEqual([
      "a command too many",
      "a run that is none",
      "input that nobody asked for",
      "a signal that is none",
    ]);
    server.service.close();
    expect((await first).value.end).toBeDefined();
  });

  it("is refused what it was not given, and starts that are too long", async () => {
    const server = new Server(forever);
    const params = { run: 1, name: "other", pid: 3, words: 1 };
    await expect(server.service.startCommand(params, bytesOf("/\0other\0"))).rejects.toMatchObject({
      errno: "ENOENT",
    });
    const many = `/\0${"\0".repeat(TEXTS_LIMIT)}`;
    await expect(server.start(1, many)).rejects.toMatchObject({ errno: "E2BIG" });
    expect(server.distrusted).toEqual([]);
    const piece = new Uint8Array(CHUNK_BYTES);
    for (let i = 0; i < 8; i++) await server.service.putCommandStart({ run: 2 }, piece);
    await expect(server.service.putCommandStart({ run: 2 }, piece)).rejects.toThrow();
    expect(server.distrusted).toEqual(["a start that is too long"]);
  });

  it.each([0, 1, 100])("ends a cell that puts a start in pieces of %d bytes", async (length) => {
    const server = new Server(forever, 2);
    const put = server.service.putCommandStart({ run: 1 }, new Uint8Array(length));
    await expect(put).rejects.toMatchObject({ errno: "EINVAL" });
    expect(server.distrusted).toEqual(["a piece of a start that is none"]);
  });

  it("leaves no more unfinished functions behind than it may have runs", async () => {
    const server = new Server(forever, 2);
    for (const run of [1, 2]) {
      const started = server.start(run);
      await server.service.tellCommand({ run, news: { type: "gone" } });
      await started;
    }
    await expect(server.start(3)).rejects.toMatchObject({ errno: "EAGAIN" });
    expect(server.distrusted).toEqual([]);
  });
});
