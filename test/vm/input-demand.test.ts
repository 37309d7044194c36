import { describe, expect, it } from "vitest";
import { InputDemand } from "../../src/vm/input-demand.ts";
import { outcome } from "../support/waiter.ts";

const never = new Promise<void>(() => undefined);

/** The questions put to a cell, which answers them when told to. */
function makeDemand(): { demand: InputDemand; answers: (() => void)[] } {
  const answers: (() => void)[] = [];
  const demand = new InputDemand(() => new Promise<void>((resolve) => answers.push(resolve)));
  return { demand, answers };
}

describe("the demand for input", () => {
  it("is asked for once, whoever waits", async () => {
    const { demand, answers } = makeDemand();
    const waits = [demand.wait(never), demand.wait(never)];
    expect(answers.length).toBe(1);
    answers[0]?.();
    expect(await Promise.all(waits)).toEqual([true, true]);
    expect(await outcome(demand.wait(never))).toBe("waits");
    expect(answers.length).toBe(2);
  });

  it("is not there when input was sent after the question", async () => {
    const { demand, answers } = makeDemand();
    demand.noteSent(1);
    const early = demand.wait(never);
    demand.noteSent(1);
    answers[0]?.();
    expect(await early).toBe(false);
  });

  it("is waited for no longer than told, and the question stays", async () => {
    const { demand, answers } = makeDemand();
    expect(await demand.wait(Promise.resolve())).toBe(false);
    const later = demand.wait(never);
    expect(answers.length).toBe(1);
    answers[0]?.();
    expect(await later).toBe(true);
  });
});
