import { describe, expect, it } from "vitest";
import { RegExpSyntaxError } from "../../../../src/vm/programs/regexp/errors.ts";
import { TextRegExp } from "../../../../src/vm/programs/regexp/text-regexp.ts";

describe("A POSIX regular expression on text", () => {
  it("takes the longest of alternatives, with its groups", () => {
    const regExp = new TextRegExp("(ab|abcd)(e?)", { syntax: "extended" });
    expect(regExp.exec("-abcdef")).toEqual({ index: 1, groups: ["abcde", "abcd", "e"] });
  });

  it("counts places in characters of the text, beyond ASCII too", () => {
    const regExp = new TextRegExp("b.", { syntax: "basic" });
    expect(regExp.exec("é𝄞b𝄞bx", 4)).toEqual({ index: 6, groups: ["bx"] });
  });

  it("matches bytes where characters are bytes", () => {
    const regExp = new TextRegExp("^..$", { syntax: "basic", isUtf8: false });
    expect([regExp.test("é"), regExp.test("e")]).toEqual([true, false]);
  });

  it("matches the start of a text, or the whole of it", () => {
    const start = new TextRegExp("a|ab", { syntax: "extended", place: "start" });
    expect([start.exec("abc")?.groups, start.exec("xab")]).toEqual([["ab"], null]);
    const whole = new TextRegExp("a|ab", { syntax: "extended", place: "whole" });
    expect([whole.test("ab"), whole.test("abc"), whole.test("a\n")]).toEqual([true, false, false]);
  });

  it("reads Emacs' syntax: + and ? repeat, there are neither intervals nor classes", () => {
    const regExp = new TextRegExp("b+\\{[[:x]", { syntax: "emacs", flavour: "gnu" });
    expect([regExp.test("bb{:"), regExp.test("b+{x"), regExp.test("bb{x")]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("refuses as regcomp does, and takes a parenthesis that closes nothing", () => {
    expect(() => new TextRegExp("*a", { syntax: "extended" })).toThrow(
      new RegExpSyntaxError("Invalid preceding regular expression"),
    );
    expect(new TextRegExp("a)", { syntax: "extended" }).test("(a)")).toBe(true);
  });
});
