import { describe, expect, it } from "vitest";
import { parseJournal } from "../../../src/vm/code-mode/parse-journal.ts";

const parse = (text: string): ReturnType<typeof parseJournal> =>
  parseJournal(new TextEncoder().encode(text));

describe("a journal", () => {
  it("has texts, and at last an outcome", () => {
    expect(parse('{"text":"a, [b]"}\n{"text":"c"}\n{"value":[1],"notes":["n"]}\n')).toEqual({
      texts: ["a, [b]", "c"],
      outcome: { status: "completed", value: [1], notes: ["n"] },
    });
    expect(parse('{"text":"a"}\n{"text":"b"}\n')).toEqual({
      texts: ["a", "b"],
      outcome: undefined,
    });
    expect(parse("")).toEqual({ texts: [], outcome: undefined });
    expect(parse('{"value":1}')).toEqual({ texts: [], outcome: undefined });
  });

  it("is not read where that takes the server's time or memory", () => {
    const objects = parse(`{"value":[${"{},".repeat(1_500_000)}{}]}\n`);
    expect(objects.outcome).toMatchObject({ status: "error", error: { name: "RangeError" } });
    const deep = parse(`{"value":${"[".repeat(2_000_000)}${"]".repeat(2_000_000)}}\n`);
    expect(deep.outcome).toMatchObject({ status: "error", error: { name: "RangeError" } });
    const lines = parse(`${'{"text":""}\n'.repeat(1_000_000)}{"value":1}\n`);
    expect(lines.texts).toHaveLength(11_000);
    expect(lines.outcome).toMatchObject({ value: 1 });
    const heavy = parse(`{"text":[${"[],".repeat(1_000_000)}[]]}\n{"value":1}\n`);
    expect(heavy).toEqual({ texts: [], outcome: { status: "completed", value: 1 } });
  });

  it("says no more than an answer can hold", () => {
    const long = "x".repeat(5_000_000);
    const error = { name: long, message: long, stack: long, code: long };
    const { outcome } = parse(`${JSON.stringify({ error, notes: [long, 5, long] })}\n`);
    expect(JSON.stringify(outcome).length).toBeLessThan(140_000);
    expect(outcome?.notes).toHaveLength(2);
  });
});
