import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../../src/kernel/permissions/glob.ts";

describe("globs of a policy", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["/a", "/a", true],
    ["/a", "/a/b", false],
    ["/a/*", "/a/b", true],
    ["/a/*", "/a/b/c", false],
    ["/a/*", "/a/", true],
    ["/a/*", "/a", false],
    ["/a/**", "/a", true],
    ["/a/**", "/a/b/c", true],
    ["/a/**", "/ab", false],
    ["/a/**/z", "/a/b/c/z", true],
    ["/a/**/z", "/a/z", false],
    ["/a/**z", "/a/z", true],
    ["**/secret", "/x/y/secret", true],
    ["**/*.key", "/x/y.key", true],
    ["/?", "/x", true],
    ["/?", "//", false],
    ["/a*b*c", "/axxbyyc", true],
    ["/a*b*c", "/axxb/yyc", false],
    ["", "", true],
    ["", "x", false],
    ["/a.b", "/axb", false],
    ["/[ab]", "/a", false],
    ["/**/x/**", "/1/x/2/x", true],
  ];
  for (const [glob, text, isMatch] of cases) {
    it(`${glob} ${isMatch ? "matches" : "does not match"} ${text}`, () => {
      expect(matchesGlob(glob, text)).toBe(isMatch);
    });
  }

  it("mean what the regular expression of the same means", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "**", "?"), maxLength: 12 });
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 12 });
    fc.assert(
      fc.property(word, text, (glob, path) => {
        expect(matchesGlob(glob, path)).toBe(matchesByRegExp(glob, path));
      }),
      { numRuns: 5000 },
    );
  });

  it("take no longer than their lengths allow, whatever they are", () => {
    const text = `/${"a".repeat(4000)}b`;
    expect(matchesGlob(`${"/**a*".repeat(200)}c`, text)).toBe(false);
    expect(matchesGlob(`/${"*a".repeat(500)}c`, text)).toBe(false);
  });
});

function matchesByRegExp(glob: string, text: string): boolean {
  const source = (part: string): string =>
    part.replaceAll(
      /\*\*|\*|\?|\//g,
      (mark) => ({ "**": "[^]*", "*": "[^/]*", "?": "[^/]" })[mark] ?? "/",
    );
  if (glob.endsWith("/**") && new RegExp(`^${source(glob.slice(0, -3))}$`).test(text)) return true;
  return new RegExp(`^${source(glob)}$`).test(text);
}
