import { describe, expect, it } from "vitest";
import { RegExpSyntaxError, translateRegExp } from "../../../src/vm/programs/posix-regexp.ts";

const test = (syntax: "basic" | "extended") => (pattern: string, text: string) =>
  new RegExp(translateRegExp(pattern, { syntax }), "u").exec(text)?.[0];
const basic = test("basic");
const extended = test("extended");

describe("translateRegExp", () => {
  it("keeps what is special apart between basic and extended", () => {
    expect(basic("a+b", "a+b")).toBe("a+b");
    expect(extended("a+b", "aab")).toBe("aab");
    expect(basic("a\\+b", "aab")).toBe("aab");
    expect(basic("\\(ab\\)\\{2\\}", "abab")).toBe("abab");
    expect(extended("(ab){2}", "abab")).toBe("abab");
    expect(basic("(a|b)", "(a|b)")).toBe("(a|b)");
    expect(basic("a\\|b", "b")).toBe("b");
    expect(extended("a|b", "b")).toBe("b");
  });

  it("takes anchors and stars literally where POSIX does", () => {
    expect(basic("*a", "*a")).toBe("*a");
    expect(basic("\\(*a\\)", "*a")).toBe("*a");
    expect(basic("a^b", "a^b")).toBe("a^b");
    expect(basic("a$b", "a$b")).toBe("a$b");
    expect(basic("^a$", "a")).toBe("a");
    expect(extended("a{x", "a{x")).toBe("a{x");
    expect(extended("a{,2}", "aaa")).toBe("aa");
  });

  it("knows classes, ranges and brackets", () => {
    expect(basic("[[:digit:]-]*", "1-2x")).toBe("1-2");
    expect(basic("[]a]*", "]a]b")).toBe("]a]");
    expect(basic("[^]a]", "b")).toBe("b");
    expect(basic("[a\\]", "\\")).toBe("\\");
    expect(extended("[[.-.]a]+", "a-a")).toBe("a-a");
  });

  it("knows GNU's words and back references", () => {
    expect(basic("\\<b\\w*\\>", "a bc d")).toBe("bc");
    expect(basic("\\(.\\)\\1", "abba")).toBe("bb");
    expect(extended("(a)(b)\\2\\1", "abba")).toBe("abba");
    expect(extended("x**", "xx")).toBe("xx");
    expect(extended("(a*)+b", "aab")).toBe("aab");
    expect(extended("a{2}{3}", "aaaaaaa")).toBe("aaaaaa");
  });

  it.each([
    ["basic", "\\(a", "Unmatched ( or \\("],
    ["extended", "(a", "Unmatched ( or \\("],
    ["basic", "a\\)", "Unmatched ) or \\)"],
    ["basic", "[a", "Unmatched [, [^, [:, [., or [="],
    ["basic", "a\\", "Trailing backslash"],
    ["basic", "[[:nope:]]", "Invalid character class name"],
    ["basic", "a\\{2", "Unmatched \\{"],
    ["basic", "a\\{3,2\\}", "Invalid content of \\{\\}"],
    ["extended", "a{1,99999}", "Regular expression too big"],
  ] as const)("refuses the %s expression %s", (syntax, pattern, message) => {
    expect(() => translateRegExp(pattern, { syntax })).toThrow(new RegExpSyntaxError(message));
  });

  it("crosses no line when told that there are many", () => {
    const regExp = new RegExp(
      translateRegExp("a[^x]*.\\s", { syntax: "basic", isMultiline: true }),
      "mu",
    );
    expect(regExp.exec("ab\ncd e")?.[0]).toBeUndefined();
  });
});
