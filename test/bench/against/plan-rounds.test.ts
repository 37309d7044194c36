import { describe, expect, it } from "vitest";
import { planRounds } from "../../../bench/against/plan-rounds.ts";

describe("planRounds", () => {
  it("takes a hundred rounds of many calls where calls are quick", () => {
    expect(planRounds(0.5, undefined)).toEqual({ rounds: 100, batch: 25 });
    expect(planRounds(20, undefined)).toEqual({ rounds: 100, batch: 5 });
    expect(planRounds(300, undefined)).toEqual({ rounds: 100, batch: 1 });
  });

  it("takes as many as fit into half a minute where they are slow, and twenty at least", () => {
    expect(planRounds(1000, undefined)).toEqual({ rounds: 30, batch: 1 });
    expect(planRounds(20_000, undefined)).toEqual({ rounds: 20, batch: 1 });
  });

  it("takes the rounds that are wanted", () => {
    expect(planRounds(20_000, 100)).toEqual({ rounds: 100, batch: 1 });
    expect(planRounds(20, 7)).toEqual({ rounds: 7, batch: 5 });
  });

  it("has a plan for a row that both builds fail at once", () => {
    expect(planRounds(0, undefined)).toEqual({ rounds: 100, batch: 25 });
  });
});
