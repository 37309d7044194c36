import { describe, expect, it } from "vitest";
import { RegExpTooComplexError } from "../../../src/vm/programs/regexp/errors.ts";
import { SafeRegExp } from "../../../src/vm/programs/safe-regexp.ts";

/** Long enough that V8 is not asked for any of these patterns. */
const many = "a".repeat(5000);

describe("a safe regular expression", () => {
  it.each([
    ["^(a+)+$", "m"],
    ["^(a+)+$", "miu"],
    ["^(?:.*a.*a.*a.*a.*a.*a.*a.*c)$", "su"],
    ["(?:a|aa)+c", "su"],
    ["^(?:a?){20}a{30}c", "u"],
    ["(?!b)(?:(a+)+)$", "u"],
  ])("finds out that /%s/%s does not match without trying every way", (source, flags) => {
    expect(new SafeRegExp(source, flags).exec(`${"a".repeat(60)}b`)).toBeNull();
  });

  it.each([
    ["(a+)+(b)(c?)", "u", `${many}b`],
    ["(?:x|(y))+z", "u", "__xxyz"],
    ["(?<!\\w)(?:[ab]+)+(?!\\w)", "mu", "cab\nab"],
    ["^(?:b{1,2}?)+$", "mu", "abb\nbbb"],
    ["(?:[^a]+)+\\b", "su", "a😀é c"],
    ["^(?:É|x)+$", "iu", "éXé"],
    ["(?<one>a+)+\\k<one>c", "u", "aaac"],
    ["^(a+)+(a+)+\\1$", "u", "aaaa"],
    ["^(.*)(?:.*b.*)$", "su", "xbyb"],
  ])("finds what V8 finds for /%s/%s", (source, flags, text) => {
    const match = new RegExp(source, flags).exec(text);
    expect(match).not.toBeNull();
    const found = new SafeRegExp(source, flags).exec(text);
    expect([found?.index, ...(found?.groups ?? [])]).toEqual([match?.index, ...(match ?? [])]);
  });

  it("gives a back reference up that takes too many tries", () => {
    const regExp = new SafeRegExp("^(a+)+(a+)+\\1$", "u");
    expect(() => regExp.exec(`${"a".repeat(60)}b`)).toThrow(RegExpTooComplexError);
  });
});
