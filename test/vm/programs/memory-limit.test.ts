import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

describe("a program that needs more memory than it may hold", () => {
  it.each([
    ["sort /dev/zero", "sort: memory exhausted\n", 2],
    ["tail -n 5 /dev/zero", "tail: memory exhausted\n", 1],
    ["head -n -5 /dev/zero", "head: memory exhausted\n", 1],
    ["head -c -100M /dev/zero", "head: memory exhausted\n", 1],
    ["grep a /dev/zero", "grep: memory exhausted\n", 2],
    ["printf '%1000000000s' x", "bash: line 1: printf: Cannot allocate memory\n", 1],
    [
      "x=a; while :; do x=$x$x; done; echo not reached",
      "bash: line 1: xrealloc: cannot allocate 67108864 bytes\n",
      2,
    ],
    [
      "x=$(head -c 40M /dev/zero | tr '\\0' a); echo not reached",
      "bash: line 1: xrealloc: cannot allocate 33554433 bytes\n",
      2,
    ],
    [
      "x=$(head -c 30M /dev/zero | tr '\\0' a); y=${x//a/bb}; echo not reached",
      "bash: line 1: xrealloc: cannot allocate 35651584 bytes\n",
      2,
    ],
  ])("fails alone: %s", async (script, stderr, status) => {
    const machine = await boot();
    expect(await machine.sh(script, { limitMs: 60_000 })).toEqual({ stdout: "", stderr, status });
  });

  it("measures a line without end as it goes by", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "head -c 1M /dev/zero | tr '\\0' a | wc -L; printf 'a\\tb\\nc\\n' | wc -L",
    );
    expect(result).toEqual({ stdout: "1048576\n9\n", stderr: "", status: 0 });
  });

  it("starts commands of xargs before the input ends", async () => {
    const machine = await boot();
    const result = await machine.sh("yes | xargs echo | head -c 10");
    const stderr = "xargs: echo: terminated by signal 13\n";
    expect(result).toEqual({ stdout: "y y y y y ", stderr, status: 0 });
  });

  it("holds millions of short lines", async () => {
    const machine = await boot();
    const result = await machine.sh("seq 1 1500000 | sort -rn | tail -n 1", { limitMs: 60_000 });
    expect(result).toEqual({ stdout: "1\n", stderr: "", status: 0 });
  });
});
