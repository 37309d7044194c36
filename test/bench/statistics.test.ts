import { describe, expect, it } from "vitest";
import { summarize } from "../../bench/statistics.ts";

describe("summarize", () => {
  it("has nothing to say of no values", () => {
    expect(summarize([])).toBeUndefined();
  });

  it("takes the mean of the middle two of an even number of values", () => {
    expect(summarize([4, 1, 3, 2])).toEqual({ median: 2.5, p95: 4, rounds: 4 });
  });

  it("takes the value that 95 of 100 do not exceed, whatever their order", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(summarize(values)).toEqual({ median: 50.5, p95: 95, rounds: 100 });
  });
});
