import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

describe("a program that needs more memory than it may hold", () => {
  it.each([
    ["sort /dev/zero", "sort: memory exhausted\n", 2],
    ["yes | sort", "sort: memory exhausted\n", 2],
  ])("fails alone: %s", async (script, stderr, status) => {
    const machine = await boot();
    expect(await machine.sh(script, { limitMs: 60_000 })).toEqual({ stdout: "", stderr, status });
  });

  it("holds millions of short lines", async () => {
    const machine = await boot();
    const result = await machine.sh("seq 1 1500000 | sort -rn | tail -n 1", { limitMs: 60_000 });
    expect(result).toEqual({ stdout: "1\n", stderr: "", status: 0 });
  });
});
