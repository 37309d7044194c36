import { describe, expect, it } from "vitest";
import { CpuBucket } from "../../../../src/vm/executors/isolate/cpu-bucket.ts";

const MINUTE_MS = 60_000;

/** After how many milliseconds the default bucket is empty for a process that computes this part of the time. */
function emptyAfter(part: number, limitMs: number): number | undefined {
  const bucket = new CpuBucket(300_000, 500, 0);
  for (let nowMs = 200; nowMs <= limitMs; nowMs += 200)
    if (bucket.isEmptyAfter(nowMs * part, nowMs)) return nowMs;
  return undefined;
}

describe("CpuBucket", () => {
  it("stops an endless loop once it is empty", () => {
    expect(emptyAfter(1, 60 * MINUTE_MS)).toBe(600_000);
  });

  it("stops two endless threads of one process sooner", () => {
    expect(emptyAfter(2, 60 * MINUTE_MS)).toBe(200_000);
  });

  it("never stops a server that uses 0.2 seconds of CPU each second", () => {
    expect(emptyAfter(0.2, 24 * 60 * MINUTE_MS)).toBeUndefined();
  });

  it("lets a computation of 300 seconds come to its end", () => {
    expect(emptyAfter(1, 5 * MINUTE_MS)).toBeUndefined();
  });

  it("holds no more than its capacity, however long a process rests", () => {
    const bucket = new CpuBucket(1_000, 500, 0);
    expect(bucket.isEmptyAfter(0, 1_000_000)).toBe(false);
    expect(bucket.isEmptyAfter(1_000, 1_000_000)).toBe(true);
  });

  it("takes nothing back when a thread and its time are gone", () => {
    const bucket = new CpuBucket(1_000, 1, 0);
    expect(bucket.isEmptyAfter(900, 1)).toBe(false);
    expect(bucket.isEmptyAfter(100, 2)).toBe(false);
    expect(bucket.isEmptyAfter(190, 3)).toBe(false);
    expect(bucket.isEmptyAfter(202, 4)).toBe(true);
  });
});
