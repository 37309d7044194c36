import { describe, expect, it } from "vitest";
import { cutMiddle } from "../../../src/mcp-server/presentation/cut-middle.ts";

describe("a text that is cut in its middle", () => {
  it("is whole where it fits", () => {
    expect(cutMiddle("abc", 3)).toEqual({ text: "abc", isCut: false });
  });

  it("has no halves of characters", () => {
    const { text } = cutMiddle("😀".repeat(100), 21);
    expect(text).toBe("😀😀\n[… 380 bytes omitted …]\n😀😀");
  });

  it("is cut in no time, whatever it holds", () => {
    const { text } = cutMiddle(`${"\uFFFD".repeat(500_000)}x`.repeat(2), 2_000_000);
    expect(text).toContain("bytes omitted");
  });
});
