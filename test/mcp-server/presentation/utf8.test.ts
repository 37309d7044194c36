import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeUtf8,
  orphanBytes,
  unfinishedBytes,
} from "../../../src/mcp-server/presentation/utf8.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("decodeUtf8", () => {
  it("keeps text as it is, with a byte order mark", () => {
    expect(decodeUtf8(encode("\uFEFFgrüße 🦊\0\n"))).toEqual({
      text: "\uFEFFgrüße 🦊\0\n",
      isBinary: false,
    });
  });

  it("shows bytes that are no UTF-8 as U+FFFD and says so", () => {
    expect(decodeUtf8(Uint8Array.of(0x61, 0xff, 0x62))).toEqual({
      text: "a\uFFFDb",
      isBinary: true,
    });
  });
});

describe("where a cut falls inside a character", () => {
  it("finds the beginning of one at the end, and the rest of one at the start", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(), (text, at) => {
        const bytes = encode(text);
        const cut = bytes.length === 0 ? 0 : at % (bytes.length + 1);
        const [head, tail] = [bytes.subarray(0, cut), bytes.subarray(cut)];
        const whole = head.subarray(0, head.length - unfinishedBytes(head));
        expect(decodeUtf8(whole).isBinary).toBe(false);
        expect(decodeUtf8(tail.subarray(orphanBytes(tail))).isBinary).toBe(false);
        expect(head.length - whole.length).toBeLessThan(4);
      }),
    );
  });

  it("holds nothing back of bytes that begin no character", () => {
    expect(unfinishedBytes(Uint8Array.of(0x61, 0xff))).toBe(0);
    expect(unfinishedBytes(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toBe(0);
    expect(unfinishedBytes(new Uint8Array(0))).toBe(0);
  });
});
