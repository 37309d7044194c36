import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LineWish, readLines } from "../../../src/mcp-server/presentation/read-lines.ts";

const wish: LineWish = { offset: 1, limit: 1000, limitBytes: 1000, scanLimitBytes: 10_000 };

async function* chunks(text: string, size = 3): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, own: Partial<LineWish> = {}): Promise<object> {
  const { bytes, ...rest } = await readLines(chunks(text), { ...wish, ...own });
  return { text: Buffer.from(bytes).toString(), ...rest };
}

describe("readLines", () => {
  it("reads lines from an offset on, up to a limit", async () => {
    expect(await read("one\ntwo\nthree\nfour\n", { offset: 2, limit: 2 })).toEqual({
      text: "two\nthree\n",
      count: 2,
      skipped: 1,
      hasMore: true,
      isLineCut: false,
      gaveUp: false,
    });
  });

  it("says that nothing follows the last line, whether it ends or not", async () => {
    expect(await read("one\ntwo\n", { limit: 2 })).toMatchObject({ count: 2, hasMore: false });
    expect(await read("one\ntwo", { limit: 2 })).toMatchObject({
      text: "one\ntwo",
      count: 2,
      hasMore: false,
    });
  });

  it("finds nothing behind the end", async () => {
    expect(await read("one\ntwo\n", { offset: 4 })).toMatchObject({ count: 0, skipped: 2 });
    expect(await read("")).toMatchObject({ count: 0, skipped: 0, hasMore: false });
  });

  it("gives whole lines that fit the limit in bytes", async () => {
    expect(await read("12345\n1234567890\n", { limitBytes: 10 })).toMatchObject({
      text: "12345\n",
      count: 1,
      hasMore: true,
      isLineCut: false,
    });
  });

  it("cuts a line that alone is over the limit", async () => {
    expect(await read("1234567890\nx\n", { limitBytes: 4 })).toMatchObject({
      text: "1234",
      count: 1,
      isLineCut: true,
      hasMore: true,
    });
  });

  it("gives up on a line that is too far away", async () => {
    const answer = await read("x".repeat(50), { offset: 2, scanLimitBytes: 20 });
    expect(answer).toMatchObject({ gaveUp: true, count: 0 });
  });

  it("does not read on when it has enough", async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        read += 1;
        yield Buffer.from("line\n");
      }
    }
    await readLines(endless(), { ...wish, limit: 3 });
    expect(read).toBe(4);
  });

  it("gives all of a text in parts, whatever the parts are", async () => {
    const line = fc.string({ maxLength: 8 }).map((text) => text.replaceAll("\n", " "));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 5 }), async (lines, limit) => {
        const text = lines.join("\n");
        let all = "";
        for (let offset = 1, more = true; more; ) {
          const part = await readLines(chunks(text, 4), { ...wish, offset, limit });
          all += Buffer.from(part.bytes).toString();
          offset += part.count;
          more = part.hasMore;
        }
        expect(all).toBe(text);
      }),
    );
  });
});
