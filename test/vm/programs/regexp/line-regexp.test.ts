import { describe, expect, it } from "vitest";
import { decodeText, encodeText } from "../../../../src/kernel/index.ts";
import { RegExpTooComplexError } from "../../../../src/vm/programs/regexp/errors.ts";
import { LineRegExp } from "../../../../src/vm/programs/regexp/line-regexp.ts";
import { parsePosix } from "../../../../src/vm/programs/regexp/parse.ts";

interface Style {
  readonly isUtf8?: boolean;
  readonly ignoreCase?: boolean;
  readonly isMultiline?: boolean;
}

function compile(pattern: string, style: Style = {}): LineRegExp {
  const { isUtf8 = true, ignoreCase = false, isMultiline = false } = style;
  const syntax = "extended";
  const tree = parsePosix(pattern, { syntax, flavour: "sed", isUtf8, ignoreCase });
  return new LineRegExp(tree, { isUtf8, isMultiline, ignoreCase, delimiter: 10 });
}

/** Every match with its groups, `-` for one that took no part. */
function matches(pattern: string, text: string, style: Style = {}): string[] {
  const regExp = compile(pattern, style);
  const bytes = encodeText(text);
  const whole = { bytes, start: 0, end: bytes.length };
  const found: string[] = [];
  for (let from = 0; from <= bytes.length && regExp.search(whole, from); ) {
    const places = Array.from(regExp.groups(whole).slice(0, (regExp.groupCount + 1) * 2));
    const groups = Array.from({ length: regExp.groupCount + 1 }, (_, group) => {
      const [start = -1, end = -1] = places.slice(group * 2, group * 2 + 2);
      return start === -1 ? "-" : decodeText(bytes.subarray(start, end));
    });
    found.push(groups.join("/"));
    from = regExp.matchEnd > regExp.matchStart ? regExp.matchEnd : regExp.matchEnd + 1;
  }
  return found;
}

describe("LineRegExp", () => {
  it.each([
    ["ab|abcd", "abcd xabc", ["abcd", "ab"]],
    ["(a|ab)(c|bcd)(d*)", "abcd", ["abcd/a/bcd/"]],
    ["((a)|(b)|c)*", "abc", ["abc/c/a/b", "/-/-/-"]],
    ["x*", "axxb", ["", "xx", "", ""]],
    ["(.)\\1", "abbccd", ["bb/b", "cc/c"]],
    ["\\<[a-z]+\\>", "foo bar_ 12baz", ["foo"]],
    ["^a|a$", "aba", ["a", "a"]],
    ["a{2,3}", "aaaaaaa", ["aaa", "aaa"]],
  ])("finds the leftmost longest matches of %s in %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toEqual(expected);
  });

  it("takes characters of several bytes as one, and bytes that are none by themselves", () => {
    expect(matches(".", "aé€\udcffb")).toEqual(["a", "é", "€", "b"]);
    expect(matches("[^a]", "aé\udcc3b")).toEqual(["é", "b"]);
    expect(matches("\\w+", "naïve, café")).toEqual(["naïve", "café"]);
    expect(matches("É", "é", { ignoreCase: true })).toEqual(["é"]);
    expect(matches(".", "é", { isUtf8: false })).toHaveLength(2);
  });

  it("matches at newlines only where they count", () => {
    expect(matches("^.", "a\nb")).toEqual(["a"]);
    expect(matches("^.", "a\nb", { isMultiline: true })).toEqual(["a", "b"]);
  });

  it("finds the lines of a block that match", () => {
    const block = encodeText("one\ntwo\n\nthree");
    const lineOf = (pattern: string) => compile(pattern).findLine(block, 0);
    expect(lineOf("wo$")).toBeGreaterThanOrEqual(4);
    expect(lineOf("^$")).toBe(8);
    expect(lineOf("three$")).toBeGreaterThanOrEqual(9);
    expect(lineOf("one.*two")).toBe(-1);
    expect(lineOf("e\\b")).toBeGreaterThanOrEqual(2);
  });

  it.each(["(a*)*b", "(a|a)*b", "(a+)+b", "((a?){30}){30}b", "(a|b)*a(a|b){12}c"])(
    "decides %s over a long line",
    (pattern) => {
      const bytes = encodeText("a".repeat(200_000));
      expect(compile(pattern).search({ bytes, start: 0, end: bytes.length }, 0)).toBe(false);
    },
  );

  it("refuses what back references make endless", () => {
    const bytes = encodeText("a".repeat(5000));
    const regExp = compile("(a+)+\\1b");
    expect(() => regExp.search({ bytes, start: 0, end: bytes.length }, 0)).toThrow(
      RegExpTooComplexError,
    );
    expect(() => compile("((a{1000}){1000}){1000}")).toThrow(RegExpTooComplexError);
  });
});
