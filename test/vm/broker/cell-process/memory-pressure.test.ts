import { describe, expect, it } from "vitest";
import { MemoryPressure } from "../../../../src/vm/broker/cell-process/memory-pressure.ts";

describe("MemoryPressure", () => {
  it("finds nothing up to three quarters of the limit", () => {
    const pressure = new MemoryPressure(1_000);
    expect([pressure.judge(1_000, 750), pressure.isHigh]).toEqual(["fine", false]);
    expect([pressure.judge(1_000, 751), pressure.isHigh]).toEqual(["relieve", true]);
  });

  it("asks for the next cleaning when the last is done, and not at once", () => {
    const pressure = new MemoryPressure(1_000);
    expect([pressure.judge(5, 760), pressure.judge(60_000, 800)]).toEqual(["relieve", "fine"]);
    pressure.relieved();
    expect(pressure.judge(5, 760)).toBe("relieve");
    pressure.relieved();
    expect([pressure.judge(5, 760), pressure.judge(290, 870)]).toEqual(["fine", "fine"]);
    expect(pressure.judge(5, 870)).toBe("relieve");
  });

  it("leaves a cell alone for some seconds that needs what it has", () => {
    const pressure = new MemoryPressure(1_000);
    pressure.judge(5, 800);
    pressure.relieved();
    expect([pressure.judge(5, 800), pressure.judge(4_994, 860)]).toEqual(["fine", "fine"]);
    expect(pressure.judge(1, 800)).toBe("relieve");
  });

  it("finds memory short where a cleaning did not help, once for each cleaning", () => {
    const pressure = new MemoryPressure(1_000);
    expect([pressure.judge(5, 900), pressure.judge(5, 900)]).toEqual(["relieve", "fine"]);
    pressure.relieved();
    expect([pressure.judge(5, 900), pressure.judge(5, 900)]).toEqual(["short", "fine"]);
  });

  it("ends a cell that stays above its limit, and not one that comes down in time", () => {
    const pressure = new MemoryPressure(1_000);
    const look = (bytes: number): string => pressure.judge(250, bytes);
    const first = Array.from({ length: 12 }, () => look(1_001));
    expect([first.includes("memory"), look(1_000)]).toEqual([false, "fine"]);
    const second = Array.from({ length: 13 }, () => look(1_001));
    expect(second.indexOf("memory")).toBe(12);
  });

  it("does not count its own standstill against a cell", () => {
    const pressure = new MemoryPressure(1_000);
    expect(Array.from({ length: 12 }, () => pressure.judge(60_000, 1_001))).not.toContain("memory");
  });

  it("waits for nothing far above the limit", () => {
    const pressure = new MemoryPressure(1_000);
    expect([pressure.judge(5, 1_400), pressure.judge(5, 1_401)]).toEqual(["relieve", "memory"]);
  });
});
