import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { CellLog } from "../../../../src/vm/broker/cell-process/cell-log.ts";

function open() {
  const source = new PassThrough();
  const lines: string[] = [];
  return { source, lines, log: new CellLog(source, (line) => lines.push(line)) };
}

describe("CellLog", () => {
  it("puts lines together from pieces, characters too, and keeps an unfinished last one", async () => {
    const { source, lines, log } = open();
    const bytes = Buffer.from("first\nsécond\nrest");
    for (const byte of bytes) source.write(Buffer.from([byte]));
    source.end();
    await log.finish();
    expect(lines).toEqual(["first", "sécond", "rest"]);
  });

  it("cuts a line without end and holds no more of it", async () => {
    const { source, lines, log } = open();
    for (let piece = 0; piece < 10; piece++) source.write("x".repeat(1_000));
    source.end("\nnext\n");
    await log.finish();
    expect(lines).toEqual(["x".repeat(2_000), "next"]);
  });

  it("notices when V8 gives up for want of heap", async () => {
    const { source, log } = open();
    source.end("FATAL ERROR: Reached heap limit Allocation failed\n");
    await log.finish();
    expect(log.saysHeapIsFull).toBe(true);
  });

  it("lets go of a stream that somebody else holds open", async () => {
    const { source, lines, log } = open();
    source.write("last words");
    await log.finish();
    expect([lines, source.destroyed]).toEqual([["last words"], true]);
  });
});
