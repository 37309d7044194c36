import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  PIECE_COST_BYTES,
  STREAM_WINDOW_BYTES,
  type Stream,
  StreamBreach,
  type StreamFrame,
  StreamReceiver,
  StreamStopped,
  StreamTable,
} from "../../src/streams/index.ts";
import { linkStreams } from "../support/linked-streams.ts";
import { outcome } from "../support/waiter.ts";

function openPair(options: Parameters<StreamTable["open"]>[0] = {}): [Stream, Stream] {
  const { server, cell } = linkStreams();
  const one = server.open();
  return [one, cell.accept(one.id, options)];
}

const text = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? "end" : new TextDecoder().decode(bytes);
const bytes = (words: string): Uint8Array => new TextEncoder().encode(words);

describe("a stream", () => {
  it("carries pieces with their tags, in order, then the end with its value", () => {
    const [one, other] = openPair();
    const seen: unknown[] = [];
    one.outgoing.send(bytes("a"), 1);
    one.outgoing.send(bytes("b"), 2);
    other.incoming.consume({
      take: (piece, tag) => void seen.push([tag, text(piece)]),
      ended: (value) => seen.push(value),
      failed: (error) => seen.push(error),
    });
    one.outgoing.send(bytes("c"), 1);
    one.outgoing.end({ status: 3 });
    expect(seen).toEqual([[1, "a"], [2, "b"], [1, "c"], { status: 3 }]);
  });

  it("carries the last piece and the end as one", async () => {
    const [one, other] = openPair();
    const seen: unknown[] = [];
    other.incoming.consume({
      take: (piece, tag) => void seen.push([tag, text(piece)]),
      ended: (value) => seen.push(["ended", value]),
      failed: (error) => seen.push(error),
    });
    await one.outgoing.writeLast(bytes("all"), 3);
    expect([seen, one.outgoing.isEnded]).toEqual([
      [
        [3, "all"],
        ["ended", undefined],
      ],
      true,
    ]);
  });

  it("ends behind a last piece that had to wait for room", async () => {
    const [one, other] = openPair();
    const size = 3 * STREAM_WINDOW_BYTES;
    const writing = one.outgoing.writeLast(new Uint8Array(size));
    expect(await outcome(writing)).toBe("waits");
    let taken = 0;
    for await (const piece of other.incoming) taken += piece.length;
    await writing;
    expect(taken).toBe(size);
  });

  it("has no input, or no output, where its users say so", async () => {
    const { server, cell } = linkStreams();
    const one = server.open({ hasNoOutput: true });
    const other = cell.accept(one.id, { hasNoInput: true });
    expect([await other.incoming.next(), one.outgoing.room]).toEqual([undefined, 0]);
    await other.outgoing.writeLast(bytes("answer"));
    expect([text(await one.incoming.next()), await one.incoming.next()]).toEqual([
      "answer",
      undefined,
    ]);
    expect([server.size, cell.size]).toEqual([0, 0]);
  });

  it("sends no more than was granted, and goes on when it is taken", async () => {
    const [one, other] = openPair();
    const writing = one.outgoing.write(new Uint8Array(3 * STREAM_WINDOW_BYTES));
    expect(await outcome(writing)).toBe("waits");
    expect(other.incoming.receivedBytes).toBe(STREAM_WINDOW_BYTES - 2 * PIECE_COST_BYTES);
    let taken = 0;
    while (taken < 3 * STREAM_WINDOW_BYTES) taken += (await other.incoming.next())?.length ?? 0;
    await writing;
    expect(taken).toBe(3 * STREAM_WINDOW_BYTES);
  });

  it("holds the next pieces back while a consumer is busy", async () => {
    const [one, other] = openPair();
    const seen: string[] = [];
    let done = (): void => undefined;
    other.incoming.consume({
      take: (piece) => {
        seen.push(text(piece));
        return new Promise<void>((resolve) => {
          done = resolve;
        });
      },
      ended: () => seen.push("end"),
      failed: () => undefined,
    });
    for (const word of ["a", "b", "c"]) one.outgoing.send(bytes(word));
    one.outgoing.end();
    expect(seen).toEqual(["a"]);
    done();
    await outcome(Promise.resolve());
    // What waited is one piece by now.
    expect(seen).toEqual(["a", "bc"]);
    done();
    await outcome(Promise.resolve());
    expect(seen).toEqual(["a", "bc", "end"]);
  });

  it("keeps the bytes of one write together when two write at once", async () => {
    const [one, other] = openPair();
    const large = (fill: number): Uint8Array => new Uint8Array(STREAM_WINDOW_BYTES).fill(fill);
    const writes = [one.outgoing.write(large(1)), one.outgoing.write(large(2))];
    const finished = one.outgoing.finish();
    const pieces: Uint8Array[] = [];
    for await (const piece of other.incoming) pieces.push(piece);
    await Promise.all([...writes, finished]);
    const all = Buffer.concat(pieces);
    expect(all.lastIndexOf(1)).toBe(STREAM_WINDOW_BYTES - 1);
    expect(all.indexOf(2)).toBe(STREAM_WINDOW_BYTES);
    expect(all.length).toBe(2 * STREAM_WINDOW_BYTES);
  });

  it("fails writes once its reader has left, those that wait included", async () => {
    const [one, other] = openPair();
    const writing = one.outgoing.write(new Uint8Array(2 * STREAM_WINDOW_BYTES));
    other.incoming.stop();
    await expect(writing).rejects.toThrow(StreamStopped);
    await expect(one.outgoing.write(bytes("x"))).rejects.toThrow(StreamStopped);
    expect(one.outgoing.room).toBe(0);
  });

  it("stops when a consumer fails, which is told why", () => {
    const [one, other] = openPair();
    const failures: unknown[] = [];
    other.incoming.consume({
      take: () => {
        throw new Error("full");
      },
      ended: () => undefined,
      failed: (error) => failures.push(error),
    });
    one.outgoing.send(bytes("x"));
    expect(failures).toEqual([new Error("full")]);
    expect(one.outgoing.isStopped).toBe(true);
  });

  it("ends with its connection: readers see the end, writers fail", async () => {
    const { server, cell } = linkStreams();
    const one = server.open();
    cell.accept(one.id);
    const next = one.incoming.next();
    const writing = one.outgoing.write(new Uint8Array(2 * STREAM_WINDOW_BYTES));
    server.loseAll();
    expect(await next).toBeUndefined();
    await expect(writing).rejects.toThrow(StreamStopped);
    expect(server.size).toBe(0);
  });

  it("is forgotten when both directions are over", async () => {
    const { server, cell } = linkStreams();
    const one = server.open();
    const other = cell.accept(one.id);
    one.outgoing.end();
    other.outgoing.end();
    expect([server.size, cell.size]).toEqual([1, 1]);
    expect([await one.incoming.next(), await other.incoming.next()]).toEqual([
      undefined,
      undefined,
    ]);
    expect([server.size, cell.size]).toEqual([0, 0]);
  });

  it("carries any writes past any reader as one sequence of bytes", async () => {
    const writes = fc.array(fc.nat({ max: 300_000 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(writes, fc.boolean(), async (sizes, waits) => {
        const [one, other] = openPair();
        const feeding = (async () => {
          for (const [at, size] of sizes.entries()) {
            const written = one.outgoing.write(new Uint8Array(size).fill(at));
            if (waits) await written;
          }
          await one.outgoing.finish();
        })();
        const pieces: Uint8Array[] = [];
        for await (const piece of other.incoming) pieces.push(piece);
        await feeding;
        const sent = Buffer.concat(sizes.map((size, at) => new Uint8Array(size).fill(at)));
        expect(Buffer.concat(pieces).equals(sent)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});

describe("StreamReceiver", () => {
  const makeReceiver = (): { readonly receiver: StreamReceiver; readonly granted: number[] } => {
    const granted: number[] = [];
    const receiver = new StreamReceiver(
      { grant: (count) => void granted.push(count), stop: () => undefined },
      { creditBytes: 0, windowBytes: 262_144, pieceCostBytes: 0, isOnDemand: false },
    );
    return { receiver, granted };
  };
  const readAll = async (receiver: StreamReceiver): Promise<Uint8Array[]> => {
    receiver.end();
    const pieces: Uint8Array[] = [];
    for await (const piece of receiver) pieces.push(piece);
    return pieces;
  };

  it("takes nothing until it is opened, and then a window", () => {
    const { receiver, granted } = makeReceiver();
    expect(() => receiver.push(bytes("x"))).toThrow(StreamBreach);
    receiver.open();
    receiver.open();
    expect(granted).toEqual([262_144]);
    receiver.push(new Uint8Array(262_144));
    expect(() => receiver.push(bytes("x"))).toThrow(StreamBreach);
  });

  it("holds what comes in small parts as few, and nothing that they were parts of", async () => {
    const { receiver } = makeReceiver();
    receiver.open();
    for (let at = 0; at < 20_000; at++) {
      const large = Buffer.alloc(100, at % 256);
      receiver.push(large.subarray(0, 1));
    }
    const pieces = await readAll(receiver);
    const held = pieces.map(({ buffer }) => buffer.byteLength);
    expect(pieces.length).toBeLessThan(5);
    expect(held.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
    expect(Buffer.concat(pieces)).toEqual(
      Buffer.from(Array.from({ length: 20_000 }, (_, at) => at % 256)),
    );
  });

  it("keeps the order of small and large parts", async () => {
    const { receiver } = makeReceiver();
    receiver.open();
    const sizes = [3, 9000, 1, 1, 8191, 8192, 2, 20_000, 5];
    const parts = sizes.map((size, at) => Buffer.alloc(size, at));
    for (const part of parts) receiver.push(part);
    expect(Buffer.concat(await readAll(receiver))).toEqual(Buffer.concat(parts));
  });
});

describe("a stream on demand", () => {
  it("lets one piece come for each that somebody waits for", async () => {
    const { server, cell } = linkStreams();
    const one = server.open({ isIncomingOnDemand: true });
    const other = cell.accept(one.id, { isOutgoingOnDemand: true });
    expect(other.outgoing.send(bytes("early"))).toBe(0);
    const first = one.incoming.next();
    await outcome(first);
    expect(other.outgoing.send(bytes("first"))).toBe(5);
    expect(other.outgoing.send(bytes("too soon"))).toBe(0);
    expect(text(await first)).toBe("first");
    other.outgoing.end();
    expect(text(await one.incoming.next())).toBe("end");
  });
});

const none = new Uint8Array(0);

/** Two sides that do what numbers say, and whose frames come whenever numbers say. Nothing of it may be a breach. */
function linkLate(): {
  readonly step: (choice: number) => void;
  readonly deliverAll: () => void;
} {
  const queues: [StreamFrame, Uint8Array][][] = [[], []];
  const tables = queues.map((queue, side) => {
    const send = (frame: StreamFrame, body: Uint8Array = none): void =>
      void queue.push([frame, body.slice()]);
    // As postFirst does: ahead of all that waits.
    const sendFirst = (frame: StreamFrame): void => void queue.unshift([frame, none]);
    return new StreamTable({ send, sendFirst, hasRoom: () => true }, side === 0 ? 1 : 2);
  });
  const [one, other] = [tables[0], tables[1]];
  if (one === undefined || other === undefined) throw new Error("there are two");
  const streams: Stream[][] = [[], []];
  const deliver = (side: number): void => {
    const next = queues[side]?.shift();
    if (next !== undefined) (side === 0 ? other : one).receive(...next);
  };
  const open = (isOnDemand: boolean): void => {
    const options = { isIncomingOnDemand: isOnDemand };
    const stream = one.open(options);
    streams[0]?.push(stream);
    streams[1]?.push(other.accept(stream.id, { isOutgoingOnDemand: isOnDemand }));
    stream.incoming.next().catch(() => undefined);
  };
  const act = (stream: Stream, choice: number): void => {
    const piece = new Uint8Array(1 + (choice % 200_000));
    const consumer = { take: () => undefined, ended: () => undefined, failed: () => undefined };
    const acts = [
      () => void stream.outgoing.send(piece),
      () => void stream.outgoing.send(piece),
      () => void stream.outgoing.send(piece),
      () => stream.incoming.consume(consumer),
      () => stream.outgoing.end(),
      () => stream.incoming.stop(),
      () => stream.close(),
      () => stream.outgoing.sendLast(piece.subarray(0, stream.outgoing.room)),
    ];
    acts[choice % acts.length]?.();
  };
  return {
    step: (choice) => {
      const rest = Math.floor(choice / 8);
      if (choice % 8 < 3) return deliver(rest % 2);
      if (choice % 8 === 3) return open(rest % 2 === 0);
      const side = streams[rest % 2] ?? [];
      const stream = side[rest % Math.max(1, side.length)];
      return stream === undefined ? undefined : act(stream, rest);
    },
    deliverAll: () => {
      while (queues.some((queue) => queue.length > 0)) for (const side of [0, 1]) deliver(side);
    },
  };
}

describe("StreamTable", () => {
  const makeTable = (): { readonly table: StreamTable; readonly sent: StreamFrame[] } => {
    const sent: StreamFrame[] = [];
    const send = (frame: StreamFrame): void => void sent.push(frame);
    return { table: new StreamTable({ send, sendFirst: send, hasRoom: () => true }, 1), sent };
  };
  it("refuses a peer that sends more than it was granted", () => {
    const { table } = makeTable();
    const { id } = table.open();
    const piece = new Uint8Array(STREAM_WINDOW_BYTES / 2);
    const push = (): void => table.receive({ type: "data", stream: id, tag: 0 }, piece);
    push();
    expect(push).toThrow(StreamBreach);
  });

  it("refuses a piece without bytes, unless it is the last", () => {
    const { table } = makeTable();
    const { id } = table.open();
    const last = { type: "data", stream: id, tag: 0, isLast: true } as const;
    table.receive(last, none);
    const other = table.open().id;
    const push = (): void => table.receive({ type: "data", stream: other, tag: 0 }, none);
    expect(push).toThrow(StreamBreach);
  });

  it("refuses more after the end", () => {
    const { table } = makeTable();
    const { id } = table.open();
    table.receive({ type: "end", stream: id }, none);
    const push = (): void => table.receive({ type: "data", stream: id, tag: 0 }, bytes("x"));
    expect(push).toThrow(StreamBreach);
  });

  it("refuses credit for what was not sent", () => {
    const { table } = makeTable();
    const { id, outgoing } = table.open();
    const grant = (count: number): void =>
      table.receive({ type: "credit", stream: id, bytes: count }, none);
    expect(() => grant(1)).toThrow(StreamBreach);
    outgoing.send(bytes("x"));
    expect(() => grant(0)).toThrow(StreamBreach);
    grant(1 + PIECE_COST_BYTES);
    expect(() => grant(1)).toThrow(StreamBreach);
  });

  it("refuses a number that is in use, or of its own side", () => {
    const { table } = makeTable();
    table.accept(2);
    expect(() => table.accept(2)).toThrow(StreamBreach);
    expect(() => table.accept(3)).toThrow(StreamBreach);
  });

  it("drops what was under way for streams that are over, and refuses more", () => {
    const { table, sent } = makeTable();
    const stream = table.open();
    const { id } = stream;
    const piece = new Uint8Array(STREAM_WINDOW_BYTES / 2 - PIECE_COST_BYTES);
    const data = (): void => table.receive({ type: "data", stream: id, tag: 0 }, piece);
    data();
    stream.close();
    sent.length = 0;
    data();
    table.receive({ type: "credit", stream: id, bytes: 5 }, none);
    table.receive({ type: "stop", stream: id }, none);
    const end = (): void => table.receive({ type: "end", stream: id }, none);
    end();
    expect([table.size, sent]).toEqual([0, []]);
    expect(data).toThrow(StreamBreach);
    expect(() => {
      for (let at = 0; at < 10; at++) end();
    }).toThrow(StreamBreach);
  });

  it("refuses frames about streams that never were, of either side", () => {
    const { table } = makeTable();
    for (const stream of [1, 2, 9]) {
      expect(() => table.receive({ type: "end", stream }, none)).toThrow(StreamBreach);
    }
  });

  it("sends no data while the connection is full, and goes on when it has room", async () => {
    const sent: StreamFrame[] = [];
    const send = (frame: StreamFrame): void => void sent.push(frame);
    let hasRoom = false;
    const table = new StreamTable({ send, sendFirst: send, hasRoom: () => hasRoom }, 1);
    const writing = table.open().outgoing.write(bytes("x"));
    expect(await outcome(writing)).toBe("waits");
    hasRoom = true;
    table.roomAgain();
    await writing;
    expect(sent).toEqual([{ type: "data", stream: 1, tag: 0 }]);
  });

  it("never takes two honest sides for liars, however late their frames come", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 50, maxLength: 400 }), async (choices) => {
        const late = linkLate();
        for (const choice of choices) late.step(choice);
        await outcome(Promise.resolve());
        late.deliverAll();
      }),
      { numRuns: 200 },
    );
  });

  it("gives back credit by half a window, not by the piece", () => {
    const { table, sent } = makeTable();
    const { id, incoming } = table.open();
    incoming.consume({ take: () => undefined, ended: () => undefined, failed: () => undefined });
    for (let at = 0; at < 1000; at++) {
      table.receive({ type: "data", stream: id, tag: 0 }, new Uint8Array(1024));
    }
    expect(sent.length).toBe(4);
    expect(sent.every(({ type }) => type === "credit")).toBe(true);
  });
});
