// What a hostile agent says: the link ends, nothing is held without bound, nobody waits for ever.
import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  encodeFrame,
  encodeNumbers,
  FrameReader,
  fromAgent,
} from "../../../src/sandbox-escalation/agent/agent-frames.ts";
import { AgentLink } from "../../../src/sandbox-escalation/agent/agent-link.ts";

interface LinkOptions {
  readonly take?: (done: () => void) => void;
  readonly windowBytes?: number;
}

function openLink({ take = (done) => done(), windowBytes }: LinkOptions = {}) {
  const sent: Uint8Array[] = [];
  const socket = new Duplex({
    read: () => {},
    write: (bytes: Uint8Array, _encoding, done) => {
      sent.push(bytes);
      take(done);
    },
  });
  const link = new AgentLink(socket, {
    completeEnd: async (end) => end,
    onConnection: (channel) => channel.endInput(),
    windowBytes,
  });
  const say = (kind: number, id: number, payload: Uint8Array = new Uint8Array(0)) =>
    socket.push(encodeFrame(kind, id, payload));
  return { link, socket, sent, say };
}

const options = { cwd: "/", env: {} };

describe("the link to an agent", () => {
  it("ends on a frame that is too long", async () => {
    const { link, socket } = openLink();
    socket.push(encodeNumbers(0xffffffff, 1, fromAgent.output));
    await expect(link.ready).rejects.toMatchObject({ code: "failed" });
    await expect(link.spawn(["true"], options)).rejects.toMatchObject({ code: "gone" });
  });

  it("ends on more output than was granted, and what ran counts as killed", async () => {
    const { link, say } = openLink();
    say(fromAgent.ready, 0);
    await link.ready;
    const starting = link.spawn(["yes"], options);
    say(fromAgent.started, 1, encodeNumbers(7));
    const process = await starting;
    for (let n = 0; n < 6; n++) say(fromAgent.output, 1, new Uint8Array(60_000));
    expect(await process.ended).toEqual({ status: 137, signal: "SIGKILL" });
    await expect(process.writeInput(new Uint8Array(1))).rejects.toMatchObject({ errno: "EPIPE" });
  });

  it("ends on more output than was granted, however often the agent says that it has begun", async () => {
    const { link, say } = openLink();
    say(fromAgent.ready, 0);
    await link.ready;
    const starting = link.spawn(["yes"], options);
    for (let n = 0; n < 6; n++) {
      say(fromAgent.started, 1, encodeNumbers(7));
      say(fromAgent.output, 1, new Uint8Array(200_000));
    }
    await starting.catch(() => undefined);
    await expect(link.spawn(["true"], options)).rejects.toMatchObject({ code: "gone" });
  });

  it("ends on more output than its window, all streams together, however often the agent is ready", async () => {
    const { link, say } = openLink({ windowBytes: 4096 });
    for (let n = 0; n < 4; n++) say(fromAgent.ready, 0);
    await link.ready;
    const starting = [link.spawn(["yes"], options), link.spawn(["yes"], options)];
    for (const id of [1, 2]) say(fromAgent.started, id, encodeNumbers(7));
    await Promise.all(starting);
    for (const id of [1, 2]) say(fromAgent.output, id, new Uint8Array(1000));
    say(fromAgent.output, 1, new Uint8Array(4096 - 512));
    await new Promise(setImmediate);
    const later = link.spawn(["true"], options);
    say(fromAgent.started, 3, encodeNumbers(8));
    await later;
    say(fromAgent.output, 2, new Uint8Array(4096 - 511));
    await new Promise(setImmediate);
    await expect(link.spawn(["true"], options)).rejects.toMatchObject({ code: "gone" });
  });

  it("ends when the agent grants input and does not read it", async () => {
    const { link, say } = openLink({ take: () => undefined });
    say(fromAgent.ready, 0);
    await link.ready;
    const starting = link.spawn(["cat"], options);
    say(fromAgent.started, 1, encodeNumbers(7));
    const process = await starting;
    const write = async (): Promise<never> => {
      for (;;) {
        say(fromAgent.inputGrant, 1, encodeNumbers(65_536));
        await process.writeInput(new Uint8Array(60_000));
      }
    };
    await expect(write()).rejects.toMatchObject({ errno: "EPIPE" });
    await expect(link.spawn(["true"], options)).rejects.toMatchObject({ code: "gone" });
  });

  it("ends on a connection that is there already", async () => {
    const { link, say } = openLink();
    say(fromAgent.ready, 0);
    await link.ready;
    say(fromAgent.connection, 0x80000001);
    say(fromAgent.connection, 0x80000001);
    await new Promise(setImmediate);
    await expect(link.spawn(["true"], options)).rejects.toMatchObject({ code: "gone" });
  });

  it("ends on connections without end", async () => {
    const { link, say } = openLink();
    say(fromAgent.ready, 0);
    await link.ready;
    for (let n = 0; n < 300; n++) say(fromAgent.connection, 0x80000001 + n);
    await new Promise(setImmediate);
    await expect(link.spawn(["true"], options)).rejects.toMatchObject({ code: "gone" });
  });

  it("does not mind frames for what is not there", async () => {
    const { link, say } = openLink();
    say(fromAgent.ready, 0);
    for (let kind = 0; kind < 64; kind++)
      if (kind !== fromAgent.connection) say(kind, 99, encodeNumbers(1));
    await link.ready;
    const starting = link.spawn(["true"], options);
    say(fromAgent.refused, 1, encodeNumbers(11));
    await expect(starting).rejects.toMatchObject({ code: "limit" });
  });

  it("fails what waits when the socket ends", async () => {
    const { link, say, socket } = openLink();
    say(fromAgent.ready, 0);
    await link.ready;
    const starting = link.spawn(["true"], options);
    const listening = link.listen(3128);
    socket.destroy();
    await expect(starting).rejects.toMatchObject({ code: "failed" });
    await expect(listening).rejects.toMatchObject({ code: "gone" });
  });
});

describe("a reader of frames", () => {
  it("looks once at each byte of a frame, however small the parts are that it comes in", () => {
    const frame = encodeFrame(34, 1, new Uint8Array(1024 * 1024).fill(7));
    const reader = new FrameReader();
    const read = [];
    for (let at = 0; at < frame.length; at += 1)
      read.push(...reader.read(frame.subarray(at, at + 1)));
    expect(read.map(({ payload }) => payload.length)).toEqual([1024 * 1024]);
    expect(read[0]?.payload.every((byte) => byte === 7)).toBe(true);
  });

  it("gives the same frames however the bytes are cut", () => {
    const frames = [
      encodeFrame(34, 1, Buffer.from("abc")),
      encodeFrame(36, 2, new Uint8Array(0)),
      encodeFrame(35, 3, new Uint8Array(1000).fill(7)),
    ];
    const all = Buffer.concat(frames);
    for (const size of [1, 2, 3, 7, 11, 12, 13, 100, 5000]) {
      const reader = new FrameReader();
      const read = [];
      for (let at = 0; at < all.length; at += size)
        read.push(...reader.read(all.subarray(at, at + size)));
      const seen = read.map(({ kind, id, payload }) => [kind, id, payload.length]);
      expect(seen).toEqual([
        [34, 1, 3],
        [36, 2, 0],
        [35, 3, 1000],
      ]);
    }
  });
});
