import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyText, decodeText, encodedLength, encodeText } from "../../../src/kernel/abi/text.ts";

describe("text and bytes", () => {
  it("are UTF-8 where they can be, a byte order mark included", () => {
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80))).toBe(
      "\ufeffé😀",
    );
    expect(encodeText("é😀")).toEqual(Uint8Array.of(0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80));
  });

  it("have their length counted as they are encoded, whatever they hold", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map(decodeText),
    );
    fc.assert(
      fc.property(text, (any) => {
        expect(encodedLength(any)).toBe(encodeText(any).length);
      }),
    );
  });

  it("keep every byte that is not UTF-8 as a lone surrogate", () => {
    expect(decodeText(Uint8Array.of(0x61, 0x80, 0xff, 0x62))).toBe("a\udc80\udcffb");
    // Overlong, a surrogate's code, beyond U+10FFFF, cut off.
    for (const bytes of [
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
    ]) {
      const text = decodeText(Uint8Array.from(bytes));
      expect([...text].map((char) => char.codePointAt(0))).toEqual(
        bytes.map((byte) => 0xdc00 + byte),
      );
    }
  });

  it("come back whole, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect([...encodeText(decodeText(bytes))]).toEqual([...bytes]);
      }),
      { numRuns: 2000 },
    );
    const nearly = fc.array(fc.constantFrom(0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0x41), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(nearly, (bytes) => {
        expect([...encodeText(decodeText(Uint8Array.from(bytes)))]).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it("replace other lone surrogates, and never take a pair apart", () => {
    expect(encodeText("\ud800x")).toEqual(Uint8Array.of(0xef, 0xbf, 0xbd, 0x78));
    expect(encodeText("\ud800\ud83d\ude00")).toEqual(
      Uint8Array.of(0xef, 0xbf, 0xbd, 0xf0, 0x9f, 0x98, 0x80),
    );
    expect(encodeText("\udc80\ud83d\ude00\udcff")).toEqual(
      Uint8Array.of(0x80, 0xf0, 0x9f, 0x98, 0x80, 0xff),
    );
  });

  it("encode any string as a plain encoder does, escapes apart", () => {
    const unit = fc
      .integer({ min: 0, max: 0xffff })
      .filter((code) => code < 0xdc80 || code > 0xdcff);
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
        const text = String.fromCharCode(...units);
        expect([...encodeText(text)]).toEqual([...new TextEncoder().encode(text)]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a copy of a text", () => {
  it("does not keep the text it was cut from", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const kept: string[] = [];
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++) {
      const long = [String.fromCharCode(97 + (i % 26)).repeat(1 << 20), i].join("");
      kept.push(copyText(long.slice(1000, 1030)));
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 << 20);
    expect(kept[1]).toBe("b".repeat(30));
  });
});
