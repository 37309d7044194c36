import { describe, expect, it } from "vitest";
import { nearest } from "../../src/toolkit-cli/nearest.ts";

describe("nearest", () => {
  it("finds the word that was probably meant", () => {
    const known = ["list-issues", "create-issue", "--max-results", "--filter.min-age"];
    for (const [word, meant] of [
      ["lst-issues", "list-issues"],
      ["list-isseus", "list-issues"],
      ["issues", "list-issues"],
      ["CREATE-ISSUE", "create-issue"],
      ["--max-result", "--max-results"],
      ["--filter.minage", "--filter.min-age"],
    ] as const) {
      expect(nearest(word, known)).toBe(meant);
    }
  });

  it("suggests nothing where nothing is close", () => {
    for (const word of ["", "x", "ab", "quantum", "z".repeat(100_000)]) {
      expect(nearest(word, ["list-issues", "open", "y"])).toBeUndefined();
    }
    expect(nearest("word", [])).toBeUndefined();
  });
});
