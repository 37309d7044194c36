import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

describe("awk's limits", () => {
  it("ends a function that calls itself without end", async () => {
    const machine = await boot();
    expect(await machine.sh("awk 'function f(n) { return f(n + 1) } BEGIN { f(0) }'")).toEqual({
      stdout: "",
      stderr: "awk: cmd. line:1: fatal: function call nesting is too deep\n",
      status: 2,
    });
  });

  it("ends a program whose text grows without end", async () => {
    const machine = await boot();
    expect(await machine.sh(`awk 'BEGIN { s = "x"; while (1) s = s s }'`)).toEqual({
      stdout: "",
      stderr: "awk: cmd. line:1: fatal: memory exhausted\n",
      status: 2,
    });
  });

  it("ends at a record that never ends", async () => {
    const machine = await boot();
    expect(await machine.sh("awk '{ print length($0) }' < /dev/zero")).toEqual({
      stdout: "",
      stderr: "awk: fatal: memory exhausted\n",
      status: 2,
    });
  });

  it("obeys a signal in a loop that never waits", async () => {
    const machine = await boot();
    expect(await machine.sh("timeout 0.2 awk 'BEGIN { while (1) i++ }'")).toEqual({
      stdout: "",
      stderr: "",
      status: 124,
    });
  });

  it("goes on with a loop after others had their turn", async () => {
    const machine = await boot();
    expect(
      await machine.sh("awk 'BEGIN { for (i = 0; i < 300000; i++) s += i; print s }'"),
    ).toEqual({ stdout: "44999850000\n", stderr: "", status: 0 });
  });

  it("ends quietly when its reader leaves", async () => {
    const machine = await boot();
    expect(await machine.sh("awk 'BEGIN { while (1) print \"y\" }' | head -n 2")).toEqual({
      stdout: "y\ny\n",
      stderr: "",
      status: 0,
    });
  });
});
