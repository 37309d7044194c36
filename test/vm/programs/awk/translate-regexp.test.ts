import { describe, expect, it } from "vitest";
import { translateRegExp } from "../../../../src/vm/programs/awk/translate-regexp.ts";
import { RegExpSyntaxError } from "../../../../src/vm/programs/regexp/errors.ts";

function find(pattern: string, text: string): string | undefined {
  return new RegExp(translateRegExp(pattern), "u").exec(text)?.[0];
}

describe("translateRegExp", () => {
  it.each([
    ["a+b", "aab", "aab"],
    ["(ab){2}", "abab", "abab"],
    ["a|b", "b", "b"],
    ["a{x", "a{x", "a{x"],
    ["a{,2}", "aaa", "aa"],
    ["a)", "(a)", "a)"],
    ["*a", "*a", "a"],
    ["[[:digit:]-]*", "1-2x", "1-2"],
    ["[]a]*", "]a]b", "]a]"],
    ["[^]a]", "b", "b"],
    ["[a\\]", "\\", "\\"],
    ["[[.-.]a]+", "a-a", "a-a"],
    ["\\<b\\w*\\>", "a bc d", "bc"],
    ["(a)(b)\\2\\1", "abba", "abba"],
    ["x**", "xx", "xx"],
    ["(a*)+b", "aab", "aab"],
    ["a{2}{3}", "aaaaaaa", "aaaaaa"],
  ])("reads %s", (pattern, text, found) => {
    expect(find(pattern, text)).toBe(found);
  });

  it.each([
    ["(a", "Unmatched ( or \\("],
    ["[a", "Unmatched [, [^, [:, [., or [="],
    ["a\\", "Trailing backslash"],
    ["[[:nope:]]", "Invalid character class name"],
    ["a{1,99999}", "Regular expression too big"],
  ])("refuses %s", (pattern, message) => {
    expect(() => translateRegExp(pattern)).toThrow(new RegExpSyntaxError(message));
  });
});
