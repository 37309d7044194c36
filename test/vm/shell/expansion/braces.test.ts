import { describe, expect, it } from "vitest";
import { expandBraces } from "../../../../src/vm/shell/expansion/braces.ts";

const expand = (text: string) =>
  expandBraces([{ kind: "literal", text, isQuoted: false }]).map((parts) =>
    parts.map((part) => (part.kind === "literal" ? part.text : "?")).join(""),
  );

describe("expandBraces", () => {
  it.each([
    ["a{b,c}d", ["abd", "acd"]],
    ["{a,b}{1,2}", ["a1", "a2", "b1", "b2"]],
    ["{a,{b,c}}", ["a", "b", "c"]],
    ["{1..4}", ["1", "2", "3", "4"]],
    ["{4..1..2}", ["4", "2"]],
    ["{01..3}", ["01", "02", "03"]],
    ["{c..a}", ["c", "b", "a"]],
    ["{,x}y", ["y", "xy"]],
    ["{a}", ["{a}"]],
    ["{}", ["{}"]],
    ["{1..a}", ["{1..a}"]],
    ["a{b", ["a{b"]],
    ["{-2..1}", ["-2", "-1", "0", "1"]],
  ])("makes %s into %j", (text, words) => {
    expect(expand(text)).toEqual(words);
  });

  it("does not look into quoted text", () => {
    const parts = expandBraces([{ kind: "literal", text: "{a,b}", isQuoted: true }]);
    expect(parts).toEqual([[{ kind: "literal", text: "{a,b}", isQuoted: true }]]);
  });

  it("refuses more words than a command line takes", () => {
    expect(() => expand("{1..1000000000}")).toThrow(/more than 1000000 words/);
    expect(() => expand("{1..2000}{1..2000}")).toThrow(/more than 1000000 words/);
  });
});
