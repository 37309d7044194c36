// Whoever makes directories makes them as deep as paths can be, and fills the deepest: nothing takes the square of it.
import { describe, expect, it } from "vitest";
import { ancestorsOf, parentOf } from "../../../../src/sandbox-escalation/files/carry/tree.ts";

describe("deep trees", () => {
  it("finds the directories of paths, each once, outer ones first", () => {
    expect(ancestorsOf(["a/b/c", "a/b/d", "a/e/f", "g"])).toEqual(["a", "a/b", "a/e"]);
    expect([parentOf("a/b/c"), parentOf("a")]).toEqual(["a/b", undefined]);
  });

  it("finds those of many files, two thousand directories deep", () => {
    const deep = Array.from({ length: 2000 }, () => "d").join("/");
    const paths = Array.from({ length: 50_000 }, (_, i) => `${deep}/${i}`);
    expect(ancestorsOf(paths)).toHaveLength(2000);
  });
});
