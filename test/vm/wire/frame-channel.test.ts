import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { duplexPair } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { encodeFrame, type FrameHeader } from "../../../src/vm/wire/frame.ts";
import { FrameChannel, type FrameChannelOptions } from "../../../src/vm/wire/frame-channel.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Two ends of a real socket on the loopback interface. */
async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const client = connect(address.port, "127.0.0.1");
  const peer = await accepted;
  server.close();
  open.push(
    () => client.destroy(),
    () => peer.destroy(),
  );
  return [client, peer];
}

/** A channel that collects what it receives. */
function collecting(
  stream: Socket,
  options: Partial<FrameChannelOptions> = {},
): { channel: FrameChannel; got: FrameHeader[] } {
  const got: FrameHeader[] = [];
  const channel = new FrameChannel(stream, {
    onFrame: (header) => void got.push(header),
    ...options,
  });
  return { channel, got };
}

describe("FrameChannel", () => {
  it("carries frames both ways in order, and both ends close cleanly", async () => {
    const [left, right] = await socketPair();
    const echo = new FrameChannel(right, {
      onFrame: (header, body) => echo.send({ ...header, echoed: true }, body),
    });
    const got: [FrameHeader, string][] = [];
    let complete = (): void => {};
    const all = new Promise<void>((resolve) => (complete = resolve));
    const channel = new FrameChannel(left, {
      onFrame: (header, body) => {
        got.push([header, Buffer.from(body).toString()]);
        if (got.length === 100) complete();
      },
    });
    for (let i = 0; i < 100; i++) await channel.send({ i }, Buffer.from(`body ${i}`));
    await all;
    expect(got).toEqual(Array.from({ length: 100 }, (_, i) => [{ i, echoed: true }, `body ${i}`]));
    await channel.close();
    expect(await channel.closed).toBeUndefined();
    expect(await echo.closed).toBeUndefined();
  });

  it.each([
    [100_000, 10],
    [5_000, 1_000],
    [100, 40_000],
    [10, 300_000],
  ])("carries %i frames of %i bytes that are posted at once", async (count, size) => {
    const [left, right] = await socketPair();
    const channel = new FrameChannel(left, { onFrame: () => undefined });
    let next = 0;
    const all = new Promise<void>((resolve) => {
      collecting(right, {
        onFrame: ({ i }, body) => {
          expect([i, body.length]).toEqual([next, size]);
          next += 1;
          if (next === count) resolve();
        },
      });
    });
    let sent = 0;
    const body = new Uint8Array(size);
    for (let i = 0; i < count; i++) channel.post({ i }, body, () => (sent += 1));
    await all;
    expect([sent, channel.queuedBytes]).toEqual([count, 0]);
  });

  it("lends a large body until it is on its way, and tells of its end once, whatever becomes of it", async () => {
    const [left, right] = await socketPair();
    const bodies: Buffer[] = [];
    const peer = new FrameChannel(right, {
      onFrame: (_, body) => void bodies.push(Buffer.from(body)),
    });
    const { channel } = collecting(left);
    const body = Buffer.alloc(500_000, "ab");
    const sent: string[] = [];
    await channel.send({ i: 1 }, body, () => sent.push("large"));
    await channel.send({ i: 2 }, body.subarray(0, 10), () => sent.push("small"));
    await expect.poll(() => bodies.length).toBe(2);
    expect(bodies[0]?.equals(body)).toBe(true);
    expect(bodies[1]?.toString()).toBe("ababababab");
    expect(sent.sort()).toEqual(["large", "small"]);
    await channel.close();
    for (const size of [10, 500_000]) {
      const late = channel.send({}, body.subarray(0, size), () => sent.push("late"));
      await expect(late).rejects.toMatchObject({ code: "CLOSED" });
    }
    const tooLarge = collecting((await socketPair())[0]).channel;
    const refused = tooLarge.send({}, Buffer.alloc(2 ** 21), () => sent.push("refused"));
    await expect(refused).rejects.toMatchObject({ code: "BODY_TOO_LARGE" });
    expect(sent).toEqual(["large", "small", "late", "late", "refused"]);
    await peer.close();
  });

  it("delivers everything sent before close", async () => {
    const [left, right] = await socketPair();
    const { channel: receiver, got } = collecting(right);
    const { channel } = collecting(left);
    for (let i = 0; i < 50; i++) await channel.send({ i }, new Uint8Array(10_000));
    await channel.close();
    expect(await receiver.closed).toBeUndefined();
    expect(got.map(({ i }) => i)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it("makes a sender wait while the peer does not read, and wakes it when the peer does", async () => {
    const [left, right] = await socketPair();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let received = 0;
    const receiver = new FrameChannel(right, {
      onFrame: async (_header, body) => {
        if (received === 0) await held;
        received += body.length;
      },
    });
    const { channel } = collecting(left);
    let waiting: Promise<void> | undefined;
    let sent = 0;
    while (waiting === undefined && sent < 100) {
      const send = channel.send({}, new Uint8Array(1024 * 1024));
      sent += 1;
      const isPending = await Promise.race([
        send.then(() => false),
        new Promise<true>((resolve) => setImmediate(resolve, true)),
      ]);
      if (isPending && channel.queuedBytes > 0) waiting = send;
    }
    expect(waiting).toBeDefined();
    expect(received).toBe(0);
    release();
    await waiting;
    await channel.close();
    await receiver.closed;
    expect(received).toBe(sent * 1024 * 1024);
  });

  it("does not deliver a frame while the one before is being handled", async () => {
    const [left, right] = await socketPair();
    const steps: string[] = [];
    const receiver = new FrameChannel(right, {
      onFrame: async ({ i }) => {
        steps.push(`start ${i}`);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`end ${i}`);
      },
    });
    left.write(
      Buffer.concat([encodeFrame({ i: 1 }), encodeFrame({ i: 2 }), encodeFrame({ i: 3 })]),
    );
    left.end();
    await receiver.closed;
    expect(steps).toEqual(["start 1", "end 1", "start 2", "end 2", "start 3", "end 3"]);
  });

  it("closes with TRUNCATED when the peer leaves in the middle of a frame", async () => {
    const [left, right] = await socketPair();
    const { channel, got } = collecting(right);
    left.end(encodeFrame({ a: 1 }).subarray(0, -1));
    expect(await channel.closed).toMatchObject({ name: "FrameError", code: "TRUNCATED" });
    expect(got).toEqual([]);
  });

  it("closes with the breach when the peer breaks the framing", async () => {
    const [left, right] = await socketPair();
    const { channel } = collecting(right);
    left.write(Buffer.from([255, 255, 255, 255, 251, 255, 255, 255]));
    expect(await channel.closed).toMatchObject({ name: "FrameError", code: "HEADER_TOO_LARGE" });
  });

  it("closes with what its consumer throws, at once or later", async () => {
    for (const onFrame of [
      () => {
        throw new Error("at once");
      },
      () => Promise.reject(new Error("later")),
    ]) {
      const [left, right] = await socketPair();
      const channel = new FrameChannel(right, { onFrame });
      left.write(encodeFrame({}));
      expect((await channel.closed)?.message).toMatch(/^(at once|later)$/);
    }
  });

  it("refuses to send once closed, and releases a sender that waits when the peer dies", async () => {
    const [left, right] = await socketPair();
    right.pause();
    const { channel } = collecting(left);
    let pending: Promise<void> | undefined;
    while (pending === undefined) {
      const send = channel.send({}, new Uint8Array(1024 * 1024));
      const isPending = await Promise.race([
        send.then(() => false),
        new Promise<true>((resolve) => setImmediate(resolve, true)),
      ]);
      if (isPending) pending = send;
    }
    const outcome = expect(pending).rejects.toMatchObject({ code: "CLOSED" });
    right.destroy();
    await outcome;
    await expect(channel.send({})).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("lives on after a frame over the limit, which is not sent", async () => {
    const [left, right] = await socketPair();
    const { channel: receiver, got } = collecting(right);
    const { channel } = collecting(left);
    await expect(channel.send({}, new Uint8Array(1024 * 1024 + 1))).rejects.toMatchObject({
      code: "BODY_TOO_LARGE",
    });
    await channel.send({ ok: true });
    await channel.close();
    await receiver.closed;
    expect(got).toEqual([{ ok: true }]);
  });

  it("closes with QUEUE_FULL under a sender that never waits", async () => {
    const [left] = duplexPair();
    const channel = new FrameChannel(left, { onFrame: () => {}, maxQueuedBytes: 100_000 });
    const sends = await Promise.allSettled(
      Array.from({ length: 20 }, () => channel.send({}, new Uint8Array(10_000))),
    );
    expect(sends.at(-1)?.status).toBe("rejected");
    expect(await channel.closed).toMatchObject({ code: "QUEUE_FULL" });
  });

  it("closes within its limit when the peer never reads", async () => {
    const [left, right] = await socketPair();
    right.pause();
    const { channel } = collecting(left);
    for (let i = 0; i < 20; i++)
      channel
        .send({}, new Uint8Array(1024 * 1024))
        .catch((error: Error) => expect(error).toMatchObject({ code: "CLOSED" }));
    await channel.close();
    expect(left.destroyed).toBe(true);
  });
});
