import { describe, expect, it } from "vitest";
import { MemoryPressure } from "../../../../src/vm/broker/cell-process/memory-pressure.ts";

const MEBIBYTE = 1024 * 1024;

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
    expect([pressure.judge(5, 1_001), pressure.judge(5, 1_001)]).toEqual(["relieve", "fine"]);
    pressure.relieved();
    expect([pressure.judge(5, 1_001), pressure.judge(5, 1_001)]).toEqual(["short", "fine"]);
  });

  it("finds nothing short up to the limit: a process may have all of it", () => {
    const pressure = new MemoryPressure(1_000);
    expect(pressure.judge(5, 1_000)).toBe("relieve");
    pressure.relieved();
    expect(pressure.judge(5, 1_000)).toBe("fine");
  });

  it("ends a cell that stays above its limit, and not one that comes down in time", () => {
    const pressure = new MemoryPressure(1_000);
    const look = (bytes: number): string => pressure.judge(250, bytes);
    const first = Array.from({ length: 60 }, () => look(1_001));
    expect([first.includes("memory"), look(1_000)]).toEqual([false, "fine"]);
    const second = Array.from({ length: 61 }, () => look(1_001));
    expect(second.indexOf("memory")).toBe(60);
  });

  it("does not count its own standstill against a cell", () => {
    const pressure = new MemoryPressure(1_000);
    expect(Array.from({ length: 60 }, () => pressure.judge(60_000, 1_001))).not.toContain("memory");
  });

  it("waits for nothing at twice the limit", () => {
    const pressure = new MemoryPressure(1024 * MEBIBYTE);
    const end = 2048 * MEBIBYTE;
    expect([pressure.judge(5, end), pressure.judge(5, end + 1)]).toEqual(["relieve", "memory"]);
  });

  it("leaves at least 256 MiB between the end of a process and that of the cell", () => {
    const pressure = new MemoryPressure(128 * MEBIBYTE);
    const end = (128 + 256) * MEBIBYTE;
    expect([pressure.judge(5, end), pressure.judge(5, end + 1)]).toEqual(["relieve", "memory"]);
  });

  it("takes another limit for a VM that has its own", () => {
    const pressure = new MemoryPressure(1_000);
    pressure.limitBytes = 2_000;
    expect([pressure.judge(1_000, 1_500), pressure.judge(1_000, 1_501)]).toEqual([
      "fine",
      "relieve",
    ]);
  });
});
