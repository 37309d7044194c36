import { expect, it } from "vitest";
import { RefillPace } from "../../../src/vm/broker/refill-pace.ts";

function delaysOf(pace: RefillPace, losses: number, everyMs: number): number[] {
  return Array.from({ length: losses }, (_, at) => {
    pace.noteLoss(at * everyMs);
    return pace.delayMs;
  });
}

it("waits twice as long after each cell lost, up to half a minute", () => {
  const pace = new RefillPace();
  expect(pace.delayMs).toBe(20);
  expect(delaysOf(pace, 13, 1)).toEqual([
    40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 30_000, 30_000, 30_000,
  ]);
});

it("starts over once a cell has been used", () => {
  const pace = new RefillPace();
  delaysOf(pace, 8, 1);
  pace.noteUse();
  expect(pace.delayMs).toBe(20);
});

it("does not add up losses that are far apart", () => {
  expect(delaysOf(new RefillPace(), 4, 61_000)).toEqual([40, 40, 40, 40]);
});
