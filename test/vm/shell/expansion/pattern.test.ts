import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, escapePattern } from "../../../../src/vm/shell/expansion/pattern.ts";

const matches = (pattern: string, text: string) => compilePattern(pattern).test(text);

describe("compilePattern", () => {
  it.each([
    ["a*c", "abbc", true],
    ["a?c", "ac", false],
    ["a?c", "a\u{1f600}c", true],
    ["[abc]", "b", true],
    ["[!abc]", "b", false],
    ["[^a]", "b", true],
    ["[a-c]x", "bx", true],
    ["[]a]", "]", true],
    ["[a", "[a", true],
    ["[[:digit:]]", "7", true],
    ["[[:space:]x]", "x", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["*", "a\nb", true],
    ["@(a|b)c", "bc", true],
    ["?(a)b", "b", true],
    ["+(ab)", "abab", true],
    ["*(ab)c", "c", true],
    ["!(a|b)", "c", true],
    ["!(a|b)", "a", false],
    ["!(*.c)", "x.h", true],
    ["!(*.c)", "x.c", false],
    ["a!(b)c", "abc", false],
    ["a!(b)c", "axc", true],
    ["[z-a]", "m", false],
    ["a.b", "axb", false],
  ])("%s against %j is %s", (pattern, text, isMatch) => {
    expect(matches(pattern, text)).toBe(isMatch);
  });

  it("matches any text by its escaped self", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => matches(escapePattern(text), text)),
    );
  });

  it("compiles whatever a guest writes", () => {
    const alphabet = fc.constantFrom(..."[]()*?!@+|\\^-ab:{}$".split(""));
    fc.assert(
      fc.property(fc.string({ unit: alphabet }), (pattern) => {
        compilePattern(pattern).test("aab");
      }),
    );
  });
});
