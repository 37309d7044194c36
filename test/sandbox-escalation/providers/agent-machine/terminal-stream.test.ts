import { describe, expect, it } from "vitest";
import {
  becomeAgentLine,
  TerminalStream,
} from "../../../../src/sandbox-escalation/providers/agent-machine/terminal-stream.ts";

const READY = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0]);

function open() {
  const sent: Buffer[] = [];
  const heard: Buffer[] = [];
  let closed = 0;
  const stream = new TerminalStream();
  stream.on("data", (bytes: Buffer) => heard.push(bytes));
  stream.on("error", () => undefined);
  const end = {
    send: async (bytes: Uint8Array) => {
      sent.push(Buffer.from(bytes));
    },
    close: () => {
      closed += 1;
    },
  };
  return { stream, end, sent, heard, closed: () => closed };
}

describe("TerminalStream", () => {
  it.each([1, 3, 1000])(
    "drops what a shell says before the agent, in parts of %i",
    async (size) => {
      const { stream, heard } = open();
      const all = Buffer.concat([
        Buffer.from("welcome\r\n$ stty raw…\r\n"),
        READY,
        Buffer.of(7, 0, 255),
      ]);
      for (let at = 0; at < all.length; at += size) stream.hear(all.subarray(at, at + size));
      await new Promise((resolve) => setImmediate(resolve));
      expect(Buffer.concat(heard)).toEqual(Buffer.concat([READY, Buffer.of(7, 0, 255)]));
    },
  );

  it("gives up on noise without end", () => {
    const { stream, end, closed } = open();
    stream.connect(end);
    for (let n = 0; n < 20; n++) stream.hear(Buffer.alloc(100_000, "x"));
    expect([stream.destroyed, closed()]).toEqual([true, 1]);
    stream.hear(READY);
  });

  it("sends in order, and together what has waited", async () => {
    const { stream, end, sent } = open();
    stream.connect(end);
    stream.write(becomeAgentLine("/agent"));
    stream.write(Buffer.of(1));
    stream.write(Buffer.of(2));
    await expect.poll(() => sent.length).toBe(2);
    const text = "stty raw -echo && chmod 700 /agent && exec /agent serve - - - pipes\n";
    expect(Buffer.concat(sent)).toEqual(Buffer.concat([Buffer.from(text), Buffer.of(1, 2)]));
  });

  it("ends when the vendor takes no more, or was never there", async () => {
    const failing = open();
    const send = () => Promise.reject(new Error("gone"));
    failing.stream.connect({ ...failing.end, send });
    failing.stream.write("x");
    await expect.poll(() => failing.stream.destroyed).toBe(true);
    const lonely = open();
    lonely.stream.write("x");
    await expect.poll(() => lonely.stream.destroyed).toBe(true);
    lonely.stream.connect(lonely.end);
    expect(lonely.closed()).toBe(1);
  });
});
