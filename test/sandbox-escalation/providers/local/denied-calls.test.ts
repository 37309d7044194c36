import { describe, expect, it } from "vitest";
import {
  assembleFilter,
  findSyscallNumber,
  type SyscallName,
} from "../../../../src/linux/index.ts";
import { allowedCalls } from "../../../../src/sandbox-escalation/providers/local/allowed-calls.ts";
import {
  deniedCalls,
  sandboxFilter,
} from "../../../../src/sandbox-escalation/providers/local/denied-calls.ts";
import { asker, audit, judge } from "../../../linux/bpf-machine.ts";

const ALLOW = "allow";

describe.each(["x64", "arm64"] as const)("the seccomp filter for %s", (architecture) => {
  const program = assembleFilter(sandboxFilter(), architecture);
  const ask = asker(program, architecture);
  const askNumber = (number: number) =>
    judge(program, { number, architecture: audit[architecture] });

  it("refuses every call on its list that has no condition", () => {
    for (const { call, verdict, when = [] } of deniedCalls) {
      const number = findSyscallNumber(call, architecture);
      if (number === undefined || when.length > 0) continue;
      expect({ errno: askNumber(number) }).toEqual(verdict);
    }
  });

  it("allows the calls on the other list, and has no others", () => {
    const numberOf = (call: SyscallName) => findSyscallNumber(call, architecture);
    const denied = new Set(deniedCalls.map(({ call }) => numberOf(call)));
    const allowed = new Set(allowedCalls.map(numberOf));
    for (let number = 0; number < 600; number++)
      if (!denied.has(number)) expect(askNumber(number)).toBe(allowed.has(number) ? ALLOW : 38);
  });

  it("allows sockets of the four families only", () => {
    for (let family = 0; family < 50; family++)
      expect(ask("socket", family)).toBe([1, 2, 10, 16].includes(family) ? ALLOW : 97);
    expect(ask("socketpair", 1)).toBe(ALLOW);
    expect(ask("socketpair", 2)).toBe(97);
  });

  it("allows forks and threads, and no namespaces", () => {
    expect(ask("clone", 17)).toBe(ALLOW);
    expect(ask("clone", 0x3d0f00)).toBe(ALLOW);
    for (const flag of [
      0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000,
    ]) {
      expect(ask("clone", flag | 17)).toBe(1);
      expect(ask("unshare", flag)).toBe(1);
    }
    expect(ask("unshare", 0x80)).toBe(1);
    expect(ask("unshare", 0x400)).toBe(ALLOW);
    expect(ask("clone3")).toBe(38);
  });

  it("refuses to type into terminals and to make setuid and setgid files", () => {
    expect(ask("ioctl", 0, 0x5412)).toBe(1);
    expect(ask("ioctl", 0, 0x541c)).toBe(1);
    expect(ask("ioctl", 0, 0x5413)).toBe(ALLOW);
    expect(ask("fchmod", 3, 0o4755)).toBe(1);
    expect(ask("fchmod", 3, 0o2755)).toBe(1);
    expect(ask("fchmod", 3, 0o1777)).toBe(ALLOW);
    expect(ask("openat", 3, 0, 0o101, 0o4755)).toBe(1);
    expect(ask("openat", 3, 0, 0o101, 0o755)).toBe(ALLOW);
  });

  it("has nothing for other architectures and for x32", () => {
    expect(judge(program, { architecture: audit.i386, number: 20 })).toBe(38);
    expect(askNumber(0x40000000 | 39)).toBe(38);
  });
});
