import { describe, expect, it } from "vitest";
import { CellRation, type RationClock } from "../../../src/vm/broker/cell-ration.ts";

/** Turns of the event loop take no time here; waits are noted, and pass at once. */
class NotedClock implements RationClock {
  nowMs = 0;
  readonly waits: number[] = [];

  now(): number {
    return this.nowMs;
  }

  later(delayMs: number, callback: () => void): void {
    this.waits.push(delayMs);
    this.nowMs += delayMs;
    callback();
  }
}

const limits = { cellFramesPerSecond: 1000, cellBytesPerSecond: 1_000_000 };

async function send(ration: CellRation, frames: number, headerBytes: number, bodyBytes = 0) {
  for (let sent = 0; sent < frames; sent++) await ration.charge(headerBytes, bodyBytes);
}

describe("CellRation", () => {
  it("costs nothing but a turn for the others after some frames, within the ration", async () => {
    const clock = new NotedClock();
    const ration = new CellRation(clock, limits);
    expect(ration.charge(100, 0)).toBeUndefined();
    await send(ration, 799, 100);
    expect(clock.waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("makes a cell wait that sends more frames than cellFramesPerSecond", async () => {
    const clock = new NotedClock();
    await send(new CellRation(clock, limits), 11_000, 50);
    expect(clock.nowMs).toBeGreaterThan(9_700);
    expect(clock.nowMs).toBeLessThanOrEqual(10_000);
  });

  it("makes a cell wait that sends more than cellBytesPerSecond", async () => {
    const clock = new NotedClock();
    await send(new CellRation(clock, limits), 60, 100, 262_144);
    expect(clock.nowMs).toBeGreaterThan(14_000);
    expect(clock.nowMs).toBeLessThan(14_800);
  });

  it("saves up no more than a second's ration", async () => {
    const clock = new NotedClock();
    const ration = new CellRation(clock, limits);
    await send(ration, 1000, 10);
    clock.nowMs += 3_600_000;
    const before = clock.nowMs;
    await send(ration, 3_000, 10);
    expect(clock.nowMs - before).toBeGreaterThan(1_700);
  });

  it("counts large headers as the work they are", async () => {
    const clock = new NotedClock();
    const ration = new CellRation(clock, { ...limits, cellBytesPerSecond: 2 ** 30 });
    await send(ration, 10, 262_144);
    expect(clock.waits.length).toBe(10);
  });

  it("takes the limits of the VM once there is one", async () => {
    const clock = new NotedClock();
    const ration = new CellRation(clock, limits);
    ration.limit({ cellFramesPerSecond: 10, cellBytesPerSecond: 1000 });
    await send(ration, 100, 0);
    expect(clock.nowMs).toBeCloseTo(9_000);
  });
});
