import { describe, expect, it } from "vitest";
import { FieldBuilder } from "../../../../src/vm/shell/expansion/field-builder.ts";

function split(ifs: string, ...steps: ((builder: FieldBuilder) => void)[]): string[] {
  const builder = new FieldBuilder({ ifs });
  for (const step of steps) step(builder);
  return builder.finish().map(({ text }) => text);
}

const value = (text: string) => (builder: FieldBuilder) => builder.addSplit(text);
const quoted = (text: string) => (builder: FieldBuilder) => builder.addQuoted(text);

describe("FieldBuilder", () => {
  it.each([
    [" \t\n", "  a  b ", ["a", "b"]],
    [":", "a:b::c:", ["a", "b", "", "c"]],
    [":", ":a", ["", "a"]],
    [": ", "a : b", ["a", "b"]],
    [": ", " :a", ["", "a"]],
    [": ", "a  b", ["a", "b"]],
    ["", "a b", ["a b"]],
    [" ", "", []],
  ])("splits with IFS %j the value %j into %j", (ifs, text, fields) => {
    expect(split(ifs, value(text))).toEqual(fields);
  });

  it("joins a value's edges with the quoted text beside it", () => {
    expect(split(" ", quoted("x"), value("a b"), quoted("y"))).toEqual(["xa", "by"]);
    expect(split(" ", quoted("x"), value(" a"))).toEqual(["x", "a"]);
  });

  it("keeps an empty quoted field and drops an empty value", () => {
    expect(split(" ", quoted(""))).toEqual([""]);
    expect(split(" ", value(""))).toEqual([]);
  });

  it("tells only unquoted wildcards as a pattern", () => {
    const builder = new FieldBuilder({ ifs: " " });
    builder.addQuoted("*");
    builder.breakField();
    builder.addLiteral("a*");
    expect(builder.finish()).toEqual([
      { text: "*", pattern: undefined },
      { text: "a*", pattern: "a*" },
    ]);
  });
});
