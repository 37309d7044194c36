import { describe, expect, it } from "vitest";
import { compare, makeRandom, type Round, type Verdict } from "../../../bench/against/compare.ts";

/** A machine that others use, too: its speed drifts, some calls stall, and every process has its own luck. */
function measureOn(seed: number, headIsSlowerBy: number): readonly (readonly Round[])[] {
  const random = makeRandom(seed);
  const around = (share: number): number => 1 + share * (random() + random() + random() - 1.5);
  const time = (): number => 2 * around(0.2) * (random() < 0.1 ? 1 + 20 * random() : 1);
  return Array.from({ length: 5 }, () => {
    const [headLuck, baseLuck] = [around(0.05), around(0.05)];
    return Array.from({ length: 20 }, () => {
      const load = random() < 0.4 ? 3 : 1;
      return {
        head: load * headLuck * headIsSlowerBy * time(),
        base: load * baseLuck * time(),
      };
    });
  });
}

function verdicts(headIsSlowerBy: number): readonly (Verdict | undefined)[] {
  return Array.from({ length: 20 }, (_, seed) => {
    return compare(measureOn(seed + 1, headIsSlowerBy))?.verdict;
  });
}

describe("compare", () => {
  it("has nothing to say of no rounds", () => {
    expect(compare([[], []])).toBeUndefined();
  });

  it("gives medians, the median of the rounds' ratios, and an interval around it", () => {
    const rounds = [
      { head: 3, base: 2 },
      { head: 30, base: 20 },
      { head: 6, base: 4 },
    ];
    expect(compare([rounds, rounds])).toEqual({
      headMedian: 6,
      baseMedian: 4,
      ratio: 1.5,
      low: 1.5,
      high: 1.5,
      rounds: 6,
      verdict: "slower",
    });
  });

  it("is not misled when a few rounds meet a busy machine", () => {
    const quiet = Array.from({ length: 17 }, () => ({ head: 1, base: 1 }));
    const busy = Array.from({ length: 3 }, () => ({ head: 50, base: 1 }));
    expect(compare([[...quiet, ...busy]])).toMatchObject({ ratio: 1, high: 1, verdict: "ok" });
  });

  it("widens the interval when the processes of a block differ from those of others", () => {
    const block = (head: number): Round[] => Array.from({ length: 20 }, () => ({ head, base: 1 }));
    const blocks = [block(1.12), block(1.13), block(1.14), block(1.12), block(1)];
    expect(compare(blocks)).toMatchObject({ ratio: 1.12, low: 1, high: 1.14, verdict: "ok" });
  });

  it("gives the same answer for the same times", () => {
    expect(compare(measureOn(7, 1.2))).toEqual(compare(measureOn(7, 1.2)));
  });

  it("calls a build neither slower nor faster than itself", () => {
    expect(new Set(verdicts(1))).toEqual(new Set(["ok"]));
  });

  it("finds a build that takes a third longer, and one that takes a third less", () => {
    expect(new Set(verdicts(1.33))).toEqual(new Set(["slower"]));
    expect(new Set(verdicts(0.67))).toEqual(new Set(["faster"]));
  });
});
