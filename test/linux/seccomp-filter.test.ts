import { describe, expect, it } from "vitest";
import { assembleFilter, type Filter, findSyscallNumber } from "../../src/linux/index.ts";
import { asker, audit, judge } from "./bpf-machine.ts";

const filter: Filter = {
  rules: [
    { call: "read", verdict: "allow" },
    { call: "write", verdict: { errno: 38 } },
    { call: "fcntl", verdict: "allow", when: [{ argument: 1, is: "one-of", values: [5, 6] }] },
    { call: "fcntl", verdict: { errno: 7 }, when: [{ argument: 1, is: "one-of", values: [8] }] },
    {
      call: "openat",
      verdict: "allow",
      when: [{ argument: 0, mask: 0b1100, is: "one-of", values: [0b0100] }],
    },
    {
      call: "prlimit64",
      verdict: "allow",
      when: [
        { argument: 0, is: "none-of", values: [3, 4] },
        { argument: 2, is: "one-of", values: [0], wide: true },
      ],
    },
    { call: "close", verdict: "allow" },
  ],
  otherwise: { errno: 1 },
  foreign: { errno: 2 },
};

describe.each(["x64", "arm64"] as const)("assembleFilter for %s", (architecture) => {
  const program = assembleFilter(filter, architecture);
  const ask = asker(program, architecture);

  it("allows a call of the list, and gives another its own errno", () => {
    expect([ask("read"), ask("write"), ask("mmap")]).toEqual(["allow", 38, 1]);
  });

  it("refuses other architectures' numbers and x32's", () => {
    const number = findSyscallNumber("read", architecture) ?? -1;
    expect(judge(program, { number, architecture: audit.i386 })).toBe(2);
    const x32 = { number: number | 0x40000000, architecture: audit[architecture] };
    expect(judge(program, x32)).toBe(2);
  });

  it("compares an argument with several values, and goes on to the next rule of the call", () => {
    const answers = [5, 6, 7, 8].map((value) => ask("fcntl", 0, value));
    expect(answers).toEqual(["allow", "allow", 1, 7]);
  });

  it("looks only at the bits of a mask", () => {
    expect([ask("openat", 0b0111), ask("openat", 0b1111), ask("openat", 0)]).toEqual([
      "allow",
      1,
      1,
    ]);
  });

  it("asks for all tests of a rule, and for all 64 bits when told", () => {
    expect(ask("prlimit64", 0, 0, 0)).toBe("allow");
    expect(ask("prlimit64", 3, 0, 0)).toBe(1);
    expect(ask("prlimit64", 4, 0, 0)).toBe(1);
    expect(ask("prlimit64", 0, 0, 1)).toBe(1);
    expect(ask("prlimit64", 0, 0, 1n << 32n)).toBe(1);
  });

  it("finds what follows a rule that did not fit", () => {
    expect(ask("close")).toBe("allow");
  });
});
