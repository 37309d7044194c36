import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob, reachBelow } from "../../../src/kernel/permissions/glob.ts";

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

describe("what a glob reaches below a directory", () => {
  const cases: readonly (readonly [string, string, "all" | "some" | "none"])[] = [
    ["*", "/a", "all"],
    ["/**", "/a", "all"],
    ["/**", "/", "all"],
    ["/a/**", "/a", "all"],
    ["/a/**", "/a/b", "all"],
    ["/a/**", "/ab", "none"],
    ["/a/**", "/", "some"],
    ["/a", "/a", "none"],
    ["/a/*", "/a", "some"],
    ["/a/*", "/a/b", "none"],
    ["/a/b/c", "/a", "some"],
    ["/a/b/c", "/a/b/c", "none"],
    ["/*/b/**", "/a", "some"],
    ["/?/b", "/ab", "none"],
    ["**/.env", "/a/b", "some"],
  ];
  for (const [glob, directory, reach] of cases) {
    it(`${glob} matches ${reach} below ${directory}`, () => {
      expect(reachBelow(glob, directory)).toBe(reach);
    });
  }

  it("says none and all only where it is so", () => {
    const unit = fc.constantFrom("a", "b", "/", "*", "**", "?");
    const glob = fc.string({ unit, minLength: 1, maxLength: 10 });
    const names = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1 }), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(glob, names, (pattern, [first = "a", ...below]) => {
        fc.pre(pattern !== "*");
        const isMatch = matchesGlob(pattern, `/${first}/${below.join("/")}`);
        expect(reachBelow(pattern, `/${first}`)).not.toBe(isMatch ? "none" : "all");
      }),
      { numRuns: 5000 },
    );
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
