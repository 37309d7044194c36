import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  noteLookalikes,
  visibleJson,
  visibleLine,
  visibleText,
} from "../../src/toolkit-cli/visible-text.ts";

describe("visibleText", () => {
  it("leaves ordinary text of any language as it is", () => {
    for (const text of ["delete issue 7", "Größe 5 €", "日本語", "हिन्दी", "a\\b", "👍", "a  b"]) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it("shows terminal escapes, line ends, marks of direction and invisible characters as numbers", () => {
    expect(visibleText("\u001b[2K\rok\n\tx\u009b1m\u007f")).toBe(
      "\\u{1b}[2K\\rok\\n\\tx\\u{9b}1m\\u{7f}",
    );
    expect(visibleText("a\u202eb\u2066c\u200bd\u2028e\ufefff\u00adg\u{e0041}h")).toBe(
      "a\\u{202e}b\\u{2066}c\\u{200b}d\\u{2028}e\\u{feff}f\\u{ad}g\\u{e0041}h",
    );
    expect(visibleText("\udc80 \ud83d")).toBe("\\u{dc80} \\u{d83d}");
    expect(visibleText("a\u00a0b\u3000c\u2800d\u3164e\ue000")).toBe(
      "a\\u{a0}b\\u{3000}c\\u{2800}d\\u{3164}e\\u{e000}",
    );
  });

  it("counts blanks that push the rest out of sight, and marks piled on one letter", () => {
    expect(visibleText(`a${" ".repeat(300)}b`)).toBe("a\\u{20*300}b");
    expect(visibleText(`a${"\u0301".repeat(6)}`)).toBe(`a${"\u0301".repeat(4)}\\u{301}\\u{301}`);
  });

  it("never gives a hidden character, whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const shown = [visibleText(text), visibleJson({ [text]: text })];
        for (const one of shown) expect(one).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

it("takes about as long as the text is, whatever it is made of", () => {
  const size = 1 << 20;
  const texts = ["x", " ", ".", "\u0430", "a\u0430 ", "\u202e", "\u0301", "\u{1f600}"];
  for (const text of texts) {
    const long = text.repeat(size / text.length);
    expect(visibleText(long).length).toBeGreaterThan(0);
    noteLookalikes(long);
  }
  expect(visibleText(" ".repeat(20_005))).toBe(`\\u{20*10000}\\u{20*10000}${" ".repeat(5)}`);
});

describe("visibleLine", () => {
  it("cuts what is long and says so", () => {
    expect(visibleLine("x".repeat(1000), 10)).toBe(`${"x".repeat(10)}…`);
    expect(visibleLine("\n".repeat(10), 10)).toBe("\\n".repeat(10));
    expect(visibleLine("\u0001".repeat(10), 10)).toBe(
      `${"\\u{1}\\u{1}\\u{1}\\u{1}\\u{1}".slice(0, 19)}…`,
    );
  });
});

describe("visibleJson", () => {
  it("is JSON that says the same", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(visibleJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(visibleJson("a\u202e\u{e0041}")).toBe('"a\\u202e\\udb40\\udc41"');
  });
});

describe("noteLookalikes", () => {
  it("notes letters of two alphabets in one word, and letters that stand for others", () => {
    expect(noteLookalikes("curl https://p\u0430ypal.com")).toEqual([
      '"p\u0430ypal.com" mixes Latin and Cyrillic letters',
    ]);
    expect(noteLookalikes("\uff52\uff4d -rf / \u{1d69b}\u{1d696}")).toEqual([
      '"\uff52\uff4d" is not "rm": its letters only look so',
      '"\u{1d69b}\u{1d696}" is not "rm": its letters only look so',
    ]);
  });

  it("leaves languages alone, and stops at a few", () => {
    expect(noteLookalikes("Größe Привет мир 日本語 naïve Ελλάδα ½")).toEqual([]);
    const many = Array.from({ length: 50 }, (_, n) => `p\u0430y${n}`).join(" ");
    expect(noteLookalikes(many)).toHaveLength(6);
  });
});
