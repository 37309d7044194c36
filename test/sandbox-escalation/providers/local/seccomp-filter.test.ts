import { describe, expect, it } from "vitest";
import { deniedCalls } from "../../../../src/sandbox-escalation/providers/local/denied-calls.ts";
import { assembleSeccompFilter } from "../../../../src/sandbox-escalation/providers/local/seccomp-filter.ts";

const ALLOW = 0x7fff0000;
const errno = (number: number) => 0x00050000 | number;
const audit = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** What the kernel would answer: a classic BPF machine over `struct seccomp_data`. */
function judge(
  program: Uint8Array,
  call: { arch: number; number: number; args?: number[] },
): number {
  const view = new DataView(program.buffer, program.byteOffset, program.length);
  const data = new Map<number, number>([
    [0, call.number],
    [4, call.arch],
  ]);
  call.args?.forEach((value, index) => data.set(16 + index * 8, value >>> 0));
  let held = 0;
  for (let at = 0; at * 8 < program.length; at++) {
    const code = view.getUint16(at * 8, true);
    const [ifTrue, ifFalse] = [view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)];
    const value = view.getUint32(at * 8 + 4, true);
    if (code === 0x20) held = data.get(value) ?? 0;
    else if (code === 0x54) held = (held & value) >>> 0;
    else if (code === 0x05) at += value;
    else if (code === 0x15) at += held === value ? ifTrue : ifFalse;
    else if (code === 0x35) at += held >= value ? ifTrue : ifFalse;
    else if (code === 0x06) return value;
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error("the program has no end");
}

describe.each(["x64", "arm64"] as const)("the seccomp filter for %s", (architecture) => {
  const program = assembleSeccompFilter(architecture);
  const arch = audit[architecture];
  const ask = (name: string, ...args: number[]) => {
    const number = deniedCalls.find((denied) => denied.name === name)?.numbers[architecture];
    if (number === undefined) throw new Error(`${name} is not there`);
    return judge(program, { arch, number, args });
  };

  it("refuses every call on its list that has no condition", () => {
    for (const { numbers, errno: expected, when } of deniedCalls) {
      const number = numbers[architecture];
      if (number === undefined || when !== undefined) continue;
      expect(judge(program, { arch, number })).toBe(errno(expected));
    }
  });

  it("allows what is not on its list", () => {
    const listed = new Set(deniedCalls.map(({ numbers }) => numbers[architecture]));
    for (let number = 0; number < 480; number++)
      if (!listed.has(number)) expect(judge(program, { arch, number })).toBe(ALLOW);
  });

  it("allows sockets of the four families only", () => {
    for (let family = 0; family < 50; family++)
      expect(ask("socket", family)).toBe([1, 2, 10, 16].includes(family) ? ALLOW : errno(97));
    expect(ask("socketpair", 1)).toBe(ALLOW);
    expect(ask("socketpair", 2)).toBe(errno(97));
  });

  it("allows forks and threads, and no namespaces", () => {
    expect(ask("clone", 17)).toBe(ALLOW);
    expect(ask("clone", 0x3d0f00)).toBe(ALLOW);
    for (const flag of [
      0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000,
    ]) {
      expect(ask("clone", flag | 17)).toBe(errno(1));
      expect(ask("unshare", flag)).toBe(errno(1));
    }
    expect(ask("unshare", 0x80)).toBe(errno(1));
    expect(ask("unshare", 0x400)).toBe(ALLOW);
    expect(ask("clone3")).toBe(errno(38));
  });

  it("refuses to type into terminals and to make setuid files", () => {
    expect(ask("ioctl", 0, 0x5412)).toBe(errno(1));
    expect(ask("ioctl", 0, 0x541c)).toBe(errno(1));
    expect(ask("ioctl", 0, 0x5413)).toBe(ALLOW);
    expect(ask("fchmod", 3, 0o4755)).toBe(errno(1));
    expect(ask("fchmod", 3, 0o2755)).toBe(ALLOW);
    expect(ask("openat", 3, 0, 0o101, 0o4755)).toBe(errno(1));
    expect(ask("openat", 3, 0, 0o101, 0o755)).toBe(ALLOW);
  });

  it("has nothing for other architectures and for x32", () => {
    expect(judge(program, { arch: 0x40000003, number: 20 })).toBe(errno(38));
    expect(judge(program, { arch, number: 0x40000000 | 39 })).toBe(errno(38));
  });
});
