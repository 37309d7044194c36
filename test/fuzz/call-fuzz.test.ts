import { describe, expect, it } from "vitest";
import { CallFuzzer } from "./call-fuzzer.ts";

describe("the kernel, against a guest that writes what it likes into the shared buffer", () => {
  it("answers with an errno or a value, and never fails itself", { timeout: 300_000 }, async () => {
    const fuzzer = new CallFuzzer();
    for (let seed = 1; seed <= 30; seed++) await fuzzer.run(seed, 300);
    expect(fuzzer.problems).toEqual([]);
    expect(fuzzer.calls).toBeGreaterThan(4_000);
  });
});
