import { describe, expect, it } from "vitest";
import {
  decodeText,
  encodeText,
  makeCredentials,
  O_CREAT,
  O_RDWR,
} from "../../../src/kernel/index.ts";
import { forEachLine, LineBlocks } from "../../../src/vm/programs/line-blocks.ts";
import { boot } from "../../support/boot.ts";

async function blocksOf(...writes: string[]): Promise<string[]> {
  const machine = await boot();
  const sys = machine.kernel.sysOf(machine.kernel.enterAs(makeCredentials(1000, 1000)));
  const [reader, writer] = await sys.pipe();
  const blocks = new LineBlocks(sys, reader);
  const feed = async () => {
    for (const text of writes) await sys.write(writer, encodeText(text));
    await sys.close(writer);
  };
  const gather = async () => {
    const all: string[] = [];
    for (let block = await blocks.next(); block !== undefined; block = await blocks.next())
      all.push(decodeText(block));
    return all;
  };
  const [, all] = await Promise.all([feed(), gather()]);
  return all;
}

describe("LineBlocks", () => {
  it("gives whole lines and keeps an unfinished one for the next block", async () => {
    expect((await blocksOf("a\nb", "c\n", "d")).join("|")).toBe("a\n|bc\n|d");
  });

  it("grows for a line longer than a chunk", async () => {
    const long = "x".repeat(300_000);
    expect((await blocksOf(`${long}\ny\n`)).join("")).toBe(`${long}\ny\n`);
  });

  it("asks for nothing behind the bytes that a file is known to have", async () => {
    const machine = await boot();
    const { sys } = machine;
    const text = "one\ntwo\nthree";
    const fd = await sys.open("/tmp/file", O_RDWR | O_CREAT);
    await sys.write(fd, encodeText(text));
    await sys.seek(fd, 0, 0);
    const blocks = new LineBlocks(sys, fd);
    blocks.begin(fd, text.length);
    expect(decodeText((await blocks.next()) ?? new Uint8Array())).toBe("one\ntwo\n");
    await sys.write(fd, encodeText("\nmore\n"));
    await sys.seek(fd, text.length, 0);
    expect(decodeText((await blocks.next()) ?? new Uint8Array())).toBe("three");
    expect(await blocks.next()).toBe(undefined);
  });

  it("goes on with another fd, and keeps nothing of the last", async () => {
    const machine = await boot();
    const sys = machine.kernel.sysOf(machine.kernel.enterAs(makeCredentials(1000, 1000)));
    const read: string[] = [];
    const blocks = new LineBlocks(sys, 0);
    for (const text of ["one\nleft behind", "two\n"]) {
      const [reader, writer] = await sys.pipe();
      await sys.write(writer, encodeText(text));
      await sys.close(writer);
      blocks.begin(reader);
      const block = await blocks.next();
      read.push(block === undefined ? "" : decodeText(block));
    }
    expect(read).toEqual(["one\n", "two\n"]);
  });

  it("ends at once without input", async () => {
    expect(await blocksOf()).toEqual([]);
  });
});

describe("forEachLine", () => {
  it("tells lines with and without their end", () => {
    const seen: [string, boolean][] = [];
    forEachLine(encodeText("a\n\nb"), (line, hasEnd) => {
      seen.push([decodeText(line), hasEnd]);
    });
    expect(seen).toEqual([
      ["a", true],
      ["", true],
      ["b", false],
    ]);
  });

  it("stops when told", () => {
    let count = 0;
    const isThrough = forEachLine(encodeText("a\nb\nc\n"), () => {
      count += 1;
      return count < 2;
    });
    expect([isThrough, count]).toEqual([false, 2]);
  });
});
