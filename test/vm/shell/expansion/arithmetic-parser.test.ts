import { describe, expect, it } from "vitest";
import {
  ArithmeticError,
  parseArithmetic,
} from "../../../../src/vm/shell/expansion/arithmetic-parser.ts";

describe("parseArithmetic", () => {
  it("binds as C does", () => {
    expect(parseArithmetic("1+2*3")).toEqual({
      kind: "binary",
      operator: "+",
      left: { kind: "number", value: 1n },
      right: {
        kind: "binary",
        operator: "*",
        left: { kind: "number", value: 2n },
        right: { kind: "number", value: 3n },
      },
    });
  });

  it.each([
    ["0x1F", 31n],
    ["017", 15n],
    ["2#1010", 10n],
    ["36#z", 35n],
    ["64#_", 63n],
    ["9223372036854775808", -9223372036854775808n],
  ])("reads %s as %s", (text, value) => {
    expect(parseArithmetic(text)).toEqual({ kind: "number", value });
  });

  it.each([
    ["1+", 'syntax error: operand expected (error token is "+")'],
    ["1 2", 'syntax error in expression (error token is "2")'],
    ["(1", 'missing `)\' (error token is "")'],
    ["1=2", 'attempted assignment to non-variable (error token is "=2")'],
    ["08", 'value too great for base (error token is "08")'],
    ["1#1", 'invalid arithmetic base (error token is "1#1")'],
    ["@", 'syntax error: operand expected (error token is "@")'],
    ["1 @ 2", 'syntax error: invalid arithmetic operator (error token is "@ 2")'],
  ])("refuses %s in bash's words", (text, message) => {
    const parse = () => parseArithmetic(text);
    expect(parse).toThrow(ArithmeticError);
    expect(parse).toThrow(expect.objectContaining({ message }));
  });

  it("refuses nesting that would end the stack", () => {
    expect(() => parseArithmetic("(".repeat(100_000))).toThrow(/recursion level exceeded/);
    expect(() => parseArithmetic("-".repeat(99_999) + 1)).toThrow(/recursion level exceeded/);
  });
});
