import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  joinLine,
  type Line,
  LineSplitter,
  LineTooLongError,
  readFirstLine,
} from "../../src/mcp-server/lines.ts";

const textOf = (line: Line): string => joinLine(line).toString();

describe("LineSplitter", () => {
  it("gives back any lines from any cutting into chunks, without blank ones", () => {
    const line = fc.string().map((text) => text.replaceAll("\n", " "));
    fc.assert(
      fc.property(
        fc.array(line),
        fc.infiniteStream(fc.integer({ min: 1, max: 20 })),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
          const splitter = new LineSplitter();
          const got: string[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = cuts.next().value;
            got.push(...splitter.push(bytes.subarray(at, at + size)).map(textOf));
            at += size;
          }
          expect(got).toEqual(
            lines.filter((text) => /[^ \t\r]/.test(text)).map((text) => `${text}\n`),
          );
        },
      ),
    );
  });

  it("refuses a line over its limit before it ends", () => {
    const splitter = new LineSplitter(10);
    expect(splitter.push(Buffer.from("01234"))).toEqual([]);
    expect(splitter.push(Buffer.from("56789\n")).map(textOf)).toEqual(["0123456789\n"]);
    expect(splitter.push(Buffer.from("0123456789"))).toEqual([]);
    expect(() => splitter.push(Buffer.from("x"))).toThrow(LineTooLongError);
  });
});

describe("LineSplitter, with somebody to tell of long lines", () => {
  it("leaves out a line over its limit and gives both of its ends", () => {
    const long: string[] = [];
    const splitter = new LineSplitter(4000, ({ head, tail }) => {
      long.push(`${head.toString()}…${tail.toString()}`);
    });
    const lines: string[] = [];
    const text = `one\n${"a".repeat(3000)}${"b".repeat(3000)}\ntwo\n`;
    for (let at = 0; at < text.length; at += 700) {
      const chunk = Buffer.from(text.slice(at, at + 700));
      lines.push(...splitter.push(chunk).map(textOf));
    }
    expect(lines).toEqual(["one\n", "two\n"]);
    expect(long).toEqual([`${"a".repeat(1024)}…${"b".repeat(1023)}\n`]);
  });
});

describe("readFirstLine", () => {
  let near: Socket;
  let far: Socket;
  beforeEach(async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
    far = connect(address.port, "127.0.0.1");
    near = await accepted;
    server.close();
  });
  afterEach(() => {
    near.destroy();
    far.destroy();
  });

  it("leaves what follows the line unread", async () => {
    far.end("hello\nrest of it");
    expect(await readFirstLine(near, 5000)).toBe("hello");
    const chunks: Buffer[] = [];
    near.on("data", (chunk: Buffer) => chunks.push(chunk)).resume();
    await once(near, "end");
    expect(Buffer.concat(chunks).toString()).toBe("rest of it");
  });

  it("reads a line that comes in pieces", async () => {
    const line = readFirstLine(near, 5000);
    far.write("hel");
    await new Promise((resolve) => setImmediate(resolve));
    far.write("lo\n");
    expect(await line).toBe("hello");
  });

  it("rejects when the peer leaves, says too much, or nothing", async () => {
    await expect(readFirstLine(near, 1)).rejects.toThrow("The peer said nothing for 1 ms.");
    const long = readFirstLine(near, 5000);
    far.write("x".repeat(40_000));
    await expect(long).rejects.toThrow(LineTooLongError);
    const left = readFirstLine(near, 5000);
    far.end();
    await expect(left).rejects.toThrow("The peer left before it said who it is.");
  });
});
