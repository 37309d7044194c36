import { describe, expect, it } from "vitest";
import { kindOf } from "../../../src/mcp-server/presentation/file-kind.ts";

describe("kindOf", () => {
  it.each([
    ["89504e470d0a1a0a0000", "image/png"],
    ["ffd8ffe000104a464946", "image/jpeg"],
    ["474946383961", "image/gif"],
    ["474946383761", "image/gif"],
    ["524946461a00000057454250", "image/webp"],
  ])("knows %s as %s", (hex, image) => {
    expect(kindOf(Buffer.from(hex, "hex"))).toEqual({ image });
  });

  it("takes what holds a NUL near its start for binary, and all else for text", () => {
    expect(kindOf(Buffer.from("a\0b"))).toBe("binary");
    expect(kindOf(Buffer.from("RIFF....WAVE"))).toBe("text");
    expect(kindOf(Uint8Array.of(0xe4, 0xf6, 0xfc))).toBe("text");
    expect(kindOf(new Uint8Array(0))).toBe("text");
    expect(kindOf(Buffer.from(`${"x".repeat(8000)}\0`))).toBe("text");
  });
});
