import { describe, expect, it } from "vitest";
import { readCorpus } from "./fuzz-once.ts";
import { type FrameCase, WireFuzzer } from "./wire-fuzzer.ts";

const cases: readonly FrameCase[] = readCorpus("wire.json");

describe("the server, against a cell that lies", () => {
  it("ends the cell or goes on, and never fails itself", { timeout: 300_000 }, async () => {
    const fuzzer = new WireFuzzer(cases);
    for (let seed = 1; seed <= 300; seed++) await fuzzer.run(seed, 150);
    await fuzzer.close();
    expect(fuzzer.problems).toEqual([]);
    expect(fuzzer.frames).toBeGreaterThan(3_000);
  });
});
