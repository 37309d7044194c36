import { describe, expect, it } from "vitest";
import { Patterns, powerOf } from "../../../src/toolkit-cli/schemas/patterns.ts";

const MINUTE_MS = 60_000;

describe("powerOf", () => {
  it.each([
    ["^[a-z]+$", 1],
    ["^\\d{4}-\\d{2}-\\d{2}$", 1],
    ["[a-z]+", 2],
    ["^a+b+$", 2],
    ["^a|b+$", 2],
    ["^\\(\\)\\*\\+[(|)*+]$", 1],
    ["^(?:a|b)?$", 1],
    ["^(a+)+$", Infinity],
    ["^(a|a)*$", Infinity],
    ["(.*)\\1", Infinity],
    ["(?<n>a*)\\k<n>", Infinity],
    ["(a|a)".repeat(30), Infinity],
    [`${"a?".repeat(30)}${"a".repeat(30)}`, Infinity],
  ])("of %s is %d", (source, power) => {
    expect(powerOf(source)).toBe(power);
  });
});

describe("Patterns", () => {
  it("answers, however it comes to its answer", () => {
    const patterns = new Patterns();
    for (const source of ["^a+$", "^(a+)+$", "^(?:a|aa)+$"]) {
      expect(patterns.test(source, "aaa", MINUTE_MS)).toBe(true);
      expect(patterns.test(source, "b", MINUTE_MS)).toBe(false);
    }
    expect(patterns.test("(?i)x", "y", MINUTE_MS)).toBe(true);
    expect(patterns.test("^\\-$", "-", MINUTE_MS)).toBe(true);
  });

  it("gives up in time, and goes on with the next", () => {
    const patterns = new Patterns();
    for (const [source, text] of [
      ["^(a+)+$", `${"a".repeat(80)}!`],
      ["^(?=(a|aa)+$)", `${"a".repeat(80)}!`],
      ["a*a*a*a*a*b", "a".repeat(100_000)],
      [`${"(a|a)".repeat(60)}b`, "a".repeat(80)],
    ] as const) {
      expect(patterns.test(source, text, 5)).toBe("late");
    }
    expect(patterns.test("^(a+)+$", "aaa", MINUTE_MS)).toBe(true);
    expect(patterns.test("^(a+)+$", "aaa", 0)).toBe("late");
  });
});
