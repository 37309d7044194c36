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
      lineText: "b; fi",
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
    expect(parse("cat <<E\nx\n").openHereDocument).toEqual({
      delimiter: "E",
      line: 1,
      endLine: 2,
    });
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

  it("replaces aliases where commands begin, and behind one that ends in a blank", () => {
    const aliases = new Map([
      ["e", "echo "],
      ["x", "y z"],
      ["echo", "echo -n"],
    ]);
    const { statements } = parse("e x x; 'e' x\n(x); echo e", 1, { aliases });
    expect(statements.map(({ text }) => text)).toEqual([
      "echo -n  y z x",
      "'e' x",
      "(y z)",
      "echo -n e",
    ]);
    expect(statements.map(({ line }) => line)).toEqual([1, 1, 2, 2]);
  });

  it("refuses aliases that grow without end, and constructs that nest too deep", () => {
    const aliases = new Map(
      Array.from({ length: 30 }, (_, at) => [`a${at}`, `a${at + 1} a${at + 1} `] as const),
    );
    expect(parse("a0", 1, { aliases }).error?.message).toMatch(/alias expansion is too long$/);
    for (const source of [
      `${"$(".repeat(2000)}${")".repeat(2000)}`,
      `${"if a; then ".repeat(300)}b${"; fi".repeat(300)}`,
      `[[ ${"( ".repeat(1000)}a${" )".repeat(1000)} ]]`,
      `echo ${"${x:-".repeat(1000)}${"}".repeat(1000)}`,
    ])
      expect(problemOf(source)?.message).toBe(
        "syntax error: constructs are nested more than 256 deep",
      );
  });

  it("tells what a further line must hold to close what is open", () => {
    const open = [
      "f() {",
      "if a; then",
      "while a; do",
      "case x in",
      "( a",
      "echo 'x",
      "for i in a",
    ];
    expect(open.map((source) => problemOf(`${source}\n`)?.closer)).toEqual([
      "{}",
      "fi",
      "done",
      "esac",
      ")",
      "'",
      undefined,
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
