import { describe, expect, it } from "vitest";
import { parse } from "../../../../src/vm/shell/syntax/parse.ts";

const problemOf = (source: string) => parse(source).error;

describe("parse", () => {
  it("numbers statements by the lines they start and end on", () => {
    const { statements } = parse("a\n\nif b\nthen c\nfi\nd", 10);
    expect(statements.map(({ line, endLine }) => [line, endLine])).toEqual([
      [10, 10],
      [12, 14],
      [15, 15],
    ]);
  });

  it("keeps the statements on lines before an error, and none of its own line", () => {
    const script = parse("a\nb; fi\nc");
    expect(script.statements.map(({ text }) => text)).toEqual(["a"]);
    expect(script.error).toEqual({
      message: "syntax error near unexpected token `fi'",
      line: 2,
      isIncomplete: false,
    });
  });

  it("calls what more input could mend incomplete", () => {
    const open = [
      "if a",
      "f() {",
      "echo 'x",
      'echo "x',
      "a |",
      "a &&",
      "( a",
      "x=(1",
      "echo $(a",
      "case x in",
    ];
    expect(open.map((source) => problemOf(`${source}\n`)?.isIncomplete)).toEqual(
      open.map(() => true),
    );
  });

  it("names a here-document that the text does not end", () => {
    expect(parse("cat <<E\nx\n").openHereDocument).toEqual({ delimiter: "E", line: 1 });
    expect(parse("cat <<E\nx\nE\n").openHereDocument).toBeUndefined();
  });

  it("makes a word without quotes or expansions a literal", () => {
    const [statement] = parse("echo plain 'q' $x a* ~ {a,b} back\\slash").statements;
    const command = statement?.command;
    const words = command?.kind === "simple" ? command.words : [];
    expect(words.map((word) => (word.kind === "word" ? word.literal : "?"))).toEqual([
      "echo",
      "plain",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("splits array elements at their index", () => {
    const [statement] = parse("a=(x [2]=y [$k z]+='w')").statements;
    const command = statement?.command;
    const value = command?.kind === "simple" ? command.assignments[0]?.value : undefined;
    const elements = value?.kind === "array" ? value.elements : [];
    expect(elements.map(({ index, isAppend }) => [index?.parts.length, isAppend])).toEqual([
      [undefined, false],
      [1, false],
      [2, true],
    ]);
  });

  it("survives whatever a guest writes", () => {
    for (const source of [
      "${",
      "$((",
      "((",
      "[[",
      "`",
      "<<",
      "\\",
      "a=(",
      "{",
      "function",
      "$'",
      "\0",
      "é$",
    ]) {
      expect(() => parse(source)).not.toThrow();
    }
  });
});
