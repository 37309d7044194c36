import { describe, expect, it } from "vitest";
import { allowedSyscalls } from "../../../src/vm/cell/jail/allowed-syscalls.ts";
import { assemble, auditArchitectures, type Filter } from "../../../src/vm/confinement/seccomp.ts";

interface SystemCall {
  readonly number: number;
  readonly args?: readonly bigint[];
  readonly architecture?: number;
}

/** Runs the program as the kernel does, see linux/bpf_common.h; answers "allow" or the errno. */
function run(program: Uint8Array, call: SystemCall): string | number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.architecture ?? auditArchitectures.x64, true);
  (call.args ?? []).forEach((value, index) => data.setBigUint64(16 + index * 8, value, true));
  const code = new DataView(program.buffer);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const value = code.getUint32(at + 4, true);
    const jump = (taken: boolean): number => code.getUint8(at + (taken ? 2 : 3)) * 8;
    switch (code.getUint16(at, true)) {
      case 0x20:
        accumulator = data.getUint32(value, true);
        break;
      case 0x54:
        accumulator = (accumulator & value) >>> 0;
        break;
      case 0x15:
        at += jump(accumulator === value);
        break;
      case 0x35:
        at += jump(accumulator >= value);
        break;
      case 0x06:
        return value === 0x7fff0000 ? "allow" : value & 0xffff;
      default:
        throw new Error(`no such instruction at ${at}`);
    }
  }
  throw new Error("the program has no end");
}

const filter: Filter = {
  architecture: auditArchitectures.x64,
  rules: [
    { number: 1, verdict: "allow" },
    { number: 2, verdict: { errno: 38 } },
    { number: 3, verdict: "allow", when: [{ argument: 1, oneOf: [5, 6] }] },
    { number: 4, verdict: "allow", when: [{ argument: 0, mask: 0b1100, oneOf: [0b0100] }] },
    { number: 5, verdict: "allow", when: [{ argument: 2, oneOf: [0], wide: true }] },
  ],
  otherwise: { errno: 1 },
};

describe("assemble", () => {
  const program = assemble(filter);

  it.each([
    ["allows a call of the list", { number: 1 }, "allow"],
    ["gives a call its own errno", { number: 2 }, 38],
    ["refuses a call that is not on the list", { number: 6 }, 1],
    ["refuses another architecture's numbers", { number: 1, architecture: 0x40000003 }, 1],
    ["refuses the x32 twin of a call", { number: 0x40000001 }, 1],
    ["compares an argument with several values", { number: 3, args: [0n, 6n] }, "allow"],
    ["refuses any other value", { number: 3, args: [5n, 7n] }, 1],
    ["looks only at the bits of a mask", { number: 4, args: [0b0111n] }, "allow"],
    ["refuses a bit of the mask too many", { number: 4, args: [0b1111n] }, 1],
    ["compares all 64 bits when asked", { number: 5, args: [0n, 0n, 1n << 32n] }, 1],
    ["takes a zero for a zero", { number: 5, args: [0n, 0n, 0n] }, "allow"],
  ])("%s", (_name, call, verdict) => {
    expect(run(program, call)).toBe(verdict);
  });
});

describe("allowedSyscalls", () => {
  const program = assemble(allowedSyscalls({ pid: 4711, allowIoUring: false }));
  const AT_FDCWD = 0xffffff9cn;

  it.each([
    ["opens for reading", { number: 257, args: [AT_FDCWD, 0n, 0o2000000n] }, "allow"],
    ["does not open for writing", { number: 257, args: [AT_FDCWD, 0n, 1n] }, 1],
    ["does not open for both", { number: 257, args: [AT_FDCWD, 0n, 2n] }, 1],
    ["does not create", { number: 257, args: [AT_FDCWD, 0n, 0o100n] }, 1],
    ["does not make a nameless file", { number: 257, args: [AT_FDCWD, 0n, 0o20200000n] }, 1],
    ["starts threads", { number: 56, args: [0x3d0f00n] }, "allow"],
    ["does not fork", { number: 56, args: [17n] }, 1],
    ["does not fork by vfork's flags", { number: 56, args: [0x4111n] }, 1],
    ["sends libc back from clone3 to clone", { number: 435 }, 38],
    ["signals itself", { number: 234, args: [4711n, 4711n, 6n] }, "allow"],
    ["signals nobody else", { number: 234, args: [4712n, 4712n, 6n] }, 1],
    ["signals no group", { number: 62, args: [0xffffffffn, 9n] }, 1],
    ["reads its own limits", { number: 302, args: [0n, 7n, 0n, 1n] }, "allow"],
    ["sets no limits", { number: 302, args: [0n, 7n, 0x7f0000000000n, 0n] }, 1],
    ["aims no signals by fcntl", { number: 72, args: [3n, 8n, 1n] }, 1],
    ["types nothing into a terminal", { number: 16, args: [0n, 0x5412n] }, 1],
    ["has no io_uring", { number: 426 }, 1],
    ["executes nothing", { number: 59 }, 1],
    ["executes nothing by descriptor", { number: 322 }, 1],
    ["makes no socket", { number: 41 }, 1],
    ["sends no descriptors", { number: 46 }, 1],
  ])("%s", (_name, call, verdict) => {
    expect(run(program, call)).toBe(verdict);
  });

  it("lets libuv go on with an io_uring it already has, and makes no new one", () => {
    const lenient = assemble(allowedSyscalls({ pid: 1, allowIoUring: true }));
    expect([run(lenient, { number: 426 }), run(lenient, { number: 425 })]).toEqual(["allow", 38]);
  });
});
