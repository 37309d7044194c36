// A classic BPF machine over `struct seccomp_data`: what the kernel would answer to a call.
import type { Architecture, SyscallName } from "../../src/linux/index.ts";
import { findSyscallNumber } from "../../src/linux/index.ts";

export interface SystemCall {
  readonly number: number;
  readonly architecture: number;
  readonly args?: readonly bigint[];
}

export type Answer = "allow" | number;

/** linux/audit.h; i386 for calls that belong to nobody. */
export const audit = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 } as const;

/** "allow", or the errno. See linux/bpf_common.h; the kernel refuses programs over 4096 lines, and so does this. */
export function judge(program: Uint8Array, call: SystemCall): Answer {
  if (program.length / 8 > 4096) throw new Error("the program is too long");
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.architecture, true);
  (call.args ?? []).forEach((value, index) =>
    data.setBigUint64(16 + index * 8, BigInt.asUintN(64, value), true),
  );
  const code = new DataView(program.buffer, program.byteOffset, program.length);
  let held = 0;
  for (let at = 0; at < program.length; at += 8) {
    const value = code.getUint32(at + 4, true);
    const jump = (isTaken: boolean): number => code.getUint8(at + (isTaken ? 2 : 3)) * 8;
    switch (code.getUint16(at, true)) {
      case 0x20:
        held = data.getUint32(value, true);
        break;
      case 0x54:
        held = (held & value) >>> 0;
        break;
      case 0x05:
        at += value * 8;
        break;
      case 0x15:
        at += jump(held === value);
        break;
      case 0x35:
        at += jump(held >= value);
        break;
      case 0x06:
        return value === 0x7fff0000 ? "allow" : value & 0xffff;
      default:
        throw new Error(`no such instruction at ${at}`);
    }
  }
  throw new Error("the program has no end");
}

/** Asks a program by the names of calls. */
export function asker(
  program: Uint8Array,
  architecture: Architecture,
): (call: SyscallName, ...args: (number | bigint)[]) => Answer {
  return (call, ...args) => {
    const number = findSyscallNumber(call, architecture);
    if (number === undefined) throw new Error(`${architecture} has no ${call}`);
    return judge(program, {
      number,
      architecture: audit[architecture],
      args: args.map((value) => BigInt(value)),
    });
  };
}
