import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { AttachStream } from "../../../../src/sandbox-escalation/providers/docker/attach-stream.ts";

function frame(stream: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

function open(head: Uint8Array = new Uint8Array(0)) {
  const written: Buffer[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  return { socket, written, stream: new AttachStream(socket, head) };
}

describe("AttachStream", () => {
  it("gives stdout's bytes, however they are cut, and drops stderr's", async () => {
    const { socket, stream } = open(frame(1, "head "));
    const bytes = Buffer.concat([
      frame(1, "one "),
      frame(2, "noise"),
      frame(1, ""),
      frame(1, "two"),
    ]);
    for (const byte of bytes) socket.push(Buffer.of(byte));
    socket.push(null);
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    expect(text).toBe("head one two");
  });

  it("holds the engine back while nobody reads", () => {
    const { socket } = open();
    for (let n = 0; n < 64; n++) socket.push(frame(1, "x".repeat(65_536)));
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        expect(socket.isPaused()).toBe(true);
        resolve();
      });
    });
  });

  it("ends with its connection, and the connection with it", async () => {
    const first = open();
    const closed = new Promise((resolve) => first.stream.once("close", resolve));
    first.socket.destroy();
    await closed;
    const second = open();
    second.stream.destroy();
    expect(second.socket.destroyed).toBe(true);
  });
});
