import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/vm/approvals/plain-text.ts";

describe("plainText", () => {
  it("leaves ordinary text of any language as it is", () => {
    for (const text of ["delete issue 7", "Größe 5 €", "日本語", "a\\b", "👍"]) {
      expect(plainText(text, 100)).toBe(text);
    }
  });

  it("shows terminal escapes, line ends, marks of direction and invisible characters as numbers", () => {
    expect(plainText("\u001b[2K\rok\n\tx\u009b1m\u007f", 100)).toBe(
      "\\u{1b}[2K\\rok\\n\\tx\\u{9b}1m\\u{7f}",
    );
    expect(plainText("a\u202eb\u2066c\u200bd\u2028e\ufefff\u00adg\u{e0041}h", 100)).toBe(
      "a\\u{202e}b\\u{2066}c\\u{200b}d\\u{2028}e\\u{feff}f\\u{ad}g\\u{e0041}h",
    );
    expect(plainText("\udc80 \ud83d", 100)).toBe("\\u{dc80} \\u{d83d}");
  });

  it("cuts what is long and says so", () => {
    expect(plainText("x".repeat(1000), 10)).toBe(`${"x".repeat(10)}…`);
    expect(plainText("\n".repeat(10), 10)).toBe("\\n".repeat(10));
    expect(plainText("\u0001".repeat(10), 10)).toBe(
      `${"\\u{1}\\u{1}\\u{1}\\u{1}\\u{1}".slice(0, 19)}…`,
    );
  });

  it("never gives a control character, nor more than twice the limit", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        (text, limit) => {
          const plain = plainText(text, limit);
          expect(plain.length).toBeLessThanOrEqual(limit * 2);
          expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        },
      ),
    );
  });
});
