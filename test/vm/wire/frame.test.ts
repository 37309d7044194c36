import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  encodeFrame,
  FrameError,
  type FrameErrorCode,
  type FrameHeader,
  FrameReader,
  frameLimits,
} from "../../../src/vm/wire/frame.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

function errorCodeOf(action: () => unknown): FrameErrorCode | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof FrameError) return error.code;
    throw error;
  }
  return undefined;
}

describe("encodeFrame", () => {
  it("writes total, header length, JSON and body, all little endian", () => {
    const frame = encodeFrame({ a: "é" }, new Uint8Array([1, 2, 255]));
    const json = Buffer.from('{"a":"é"}');
    expect(json.length).toBe(10);
    expect([...frame]).toEqual([17, 0, 0, 0, 10, 0, 0, 0, ...json, 1, 2, 255]);
  });

  it("copies the body, so that its owner may reuse the buffer", () => {
    const body = new Uint8Array([7]);
    const frame = encodeFrame({}, body);
    body[0] = 9;
    expect(frame.at(-1)).toBe(7);
  });

  it("accepts a header and a body of exactly the limit and refuses one byte more", () => {
    const header = (bytes: number): FrameHeader => ({ x: "a".repeat(bytes - '{"x":""}'.length) });
    expect(errorCodeOf(() => encodeFrame(header(frameLimits.maxHeaderBytes)))).toBeUndefined();
    expect(errorCodeOf(() => encodeFrame(header(frameLimits.maxHeaderBytes + 1)))).toBe(
      "HEADER_TOO_LARGE",
    );
    expect(
      errorCodeOf(() => encodeFrame({}, new Uint8Array(frameLimits.maxBodyBytes))),
    ).toBeUndefined();
    expect(errorCodeOf(() => encodeFrame({}, new Uint8Array(frameLimits.maxBodyBytes + 1)))).toBe(
      "BODY_TOO_LARGE",
    );
  });
});

describe("FrameReader", () => {
  it("reuses the memory of large frames, not before the next push", () => {
    const bytes = 100_000;
    const reader = new FrameReader(frameLimits, true);
    const wire = Buffer.concat(
      [1, 2, 3, 4].map((value) => encodeFrame({ value }, new Uint8Array(bytes).fill(value))),
    );
    const seen: number[] = [];
    for (let at = 0; at < wire.length; at += 70_000) {
      const frames = reader.push(wire.subarray(at, at + 70_000));
      for (const { header, body } of frames) {
        expect(body.length).toBe(bytes);
        expect(body.every((byte) => byte === header["value"])).toBe(true);
        seen.push(Number(header["value"]));
      }
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it("gives bodies whose slice is a copy, for who keeps them longer than what was read", () => {
    const chunk = encodeFrame({}, new Uint8Array([7, 8]));
    const kept = new FrameReader().push(chunk)[0]?.body.slice();
    chunk.fill(0);
    expect(kept).toEqual(new Uint8Array([7, 8]));
  });

  it("gives back any frames from any cutting into chunks", () => {
    const frame = fc.record({
      header: fc.dictionary(fc.string(), fc.jsonValue()),
      body: fc.uint8Array({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 120 })),
        (frames, cuts) => {
          const wire = Buffer.concat(frames.map(({ header, body }) => encodeFrame(header, body)));
          const reader = new FrameReader();
          const got: { header: unknown; body: string }[] = [];
          for (let at = 0; at < wire.length; ) {
            const size = cuts.next().value;
            for (const { header, body } of reader.push(wire.subarray(at, at + size)))
              got.push({ header, body: text(body) });
            at += size;
          }
          expect(got).toEqual(
            frames.map(({ header, body }) => ({
              header: JSON.parse(JSON.stringify(header)),
              body: text(body),
            })),
          );
          expect(reader.isMidFrame).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("does not copy a body that lies within one chunk", () => {
    const chunk = encodeFrame({ n: 1 }, new Uint8Array([1, 2, 3]));
    const [frame] = new FrameReader().push(chunk);
    expect(frame?.body.buffer).toBe(chunk.buffer);
  });

  it("reads a frame that comes one byte at a time", () => {
    const wire = encodeFrame({ n: 1 }, new Uint8Array(100_000).fill(5));
    const reader = new FrameReader();
    const frames = [...wire].flatMap((byte) => reader.push(Uint8Array.of(byte)));
    expect(frames.length).toBe(1);
    expect(frames[0]?.body.every((byte) => byte === 5)).toBe(true);
  });

  it("knows that it is in the middle of a frame, from its first byte on", () => {
    const wire = encodeFrame({}, new Uint8Array(4));
    const reader = new FrameReader();
    expect(reader.isMidFrame).toBe(false);
    reader.push(wire.subarray(0, 1));
    expect(reader.isMidFrame).toBe(true);
    reader.push(wire.subarray(1, -1));
    expect(reader.isMidFrame).toBe(true);
    reader.push(wire.subarray(-1));
    expect(reader.isMidFrame).toBe(false);
  });

  const preamble = (total: number, header: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(total, 0);
    bytes.writeUInt32LE(header, 4);
    return bytes;
  };
  const raw = (header: string): Buffer =>
    Buffer.concat([preamble(4 + header.length, header.length), Buffer.from(header)]);

  it.each<[string, Buffer, FrameErrorCode]>([
    ["a total of nothing", preamble(0, 0), "MALFORMED"],
    ["a header longer than its frame", preamble(10, 100), "MALFORMED"],
    ["a header of 4 GiB", preamble(0xffffffff, 0xfffffffb), "HEADER_TOO_LARGE"],
    ["a body of 4 GiB", preamble(0xffffffff, 2), "BODY_TOO_LARGE"],
    ["an empty header", preamble(4, 0), "MALFORMED"],
    ["a header that is not JSON", raw("{nope}"), "MALFORMED"],
    ["a header that is an array", raw("[1]"), "MALFORMED"],
    ["a header that is null", raw("null"), "MALFORMED"],
    ["a header that is a number", raw("12"), "MALFORMED"],
  ])("refuses %s as soon as it can be seen, and everything after it", (_name, wire, code) => {
    const reader = new FrameReader();
    expect(errorCodeOf(() => reader.push(wire))).toBe(code);
    expect(errorCodeOf(() => reader.push(encodeFrame({})))).toBe(code);
  });

  it("survives any bytes with frames or a FrameError, and nothing else", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 10 }), (chunks) => {
        const reader = new FrameReader();
        for (const chunk of chunks) errorCodeOf(() => reader.push(chunk));
      }),
    );
  });
});
