import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

describe("bc's limits", () => {
  it("refuses a power with too many digits", async () => {
    const machine = await boot();
    expect(await machine.sh("echo '2^99999999; 1' | bc")).toEqual({
      stdout: "",
      stderr: "Runtime error (func=(main), adr=14): exponent too large in raise\n",
      status: 0,
    });
  });

  it("ends a function that calls itself without end", async () => {
    const machine = await boot();
    expect(await machine.sh("printf 'define f(n) { return f(n+1) }\\nf(1)\\n2\\n' | bc")).toEqual({
      stdout: "2\n",
      stderr: "Runtime error (func=f, adr=0): Stack error.\n",
      status: 0,
    });
  });

  it("obeys a signal in a loop that never waits", async () => {
    const machine = await boot();
    expect(await machine.sh("echo 'while (1) {}' | timeout 0.2 bc")).toEqual({
      stdout: "",
      stderr: "",
      status: 124,
    });
  });
});
