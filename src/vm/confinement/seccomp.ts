// Seccomp filters as data: a list of rules becomes a classic BPF program, see seccomp(2) and
// Linux's Documentation/userspace-api/seccomp_filter.rst.
import type { Libc } from "./libc.ts";

/** One argument of a call, compared by its low 32 bits; `wide` asks for zero high bits as well. */
export interface ArgumentTest {
  readonly argument: 0 | 1 | 2 | 3 | 4 | 5;
  /** Bits to look at; all 32 when absent. */
  readonly mask?: number;
  readonly oneOf: readonly number[];
  readonly wide?: boolean;
}

export type Verdict = "allow" | { readonly errno: number };

/** What happens to one system call: `verdict` where every test passes, else the filter's default. */
export interface SyscallRule {
  readonly number: number;
  readonly verdict: Verdict;
  readonly when?: readonly ArgumentTest[];
}

export interface Filter {
  /** AUDIT_ARCH_* of the one architecture whose numbers the rules use; others get the default. */
  readonly architecture: number;
  readonly rules: readonly SyscallRule[];
  readonly otherwise: Verdict;
}

/** linux/audit.h */
export const auditArchitectures = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** The filter as an array of `struct sock_filter`. */
export function assemble(filter: Filter): Uint8Array {
  const otherwise = returnOf(filter.otherwise);
  const lines: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_EQUAL, 1, 0, filter.architecture],
    otherwise,
    [LOAD, 0, 0, NUMBER_AT],
    // The x32 calls share the architecture and have numbers of their own.
    [JUMP_GREATER_EQUAL, 0, 1, X32_BIT],
    otherwise,
  ];
  for (const rule of filter.rules) {
    const body = [
      ...(rule.when ?? []).flatMap((test) => assembleTest(test, otherwise)),
      returnOf(rule.verdict),
    ];
    lines.push([JUMP_EQUAL, 0, body.length, rule.number], ...body);
  }
  lines.push(otherwise);
  return encode(lines);
}

/**
 * Puts the filter on this thread, or with `allThreads` on every thread of the process. The thread
 * needs no_new_privs. Throws LibcError; with `allThreads` also where a thread could not follow.
 */
export function installFilter(libc: Libc, filter: Filter, options: { allThreads: boolean }): void {
  const program = assemble(filter);
  const header = new DataView(new ArrayBuffer(16));
  header.setUint16(0, program.length / 8, true);
  header.setBigUint64(8, libc.addressOf(program), true);
  const flags = options.allThreads ? FILTER_FLAG_TSYNC : 0;
  const stuck = libc.syscall(
    "seccomp",
    SECCOMP,
    SET_MODE_FILTER,
    flags,
    new Uint8Array(header.buffer),
  );
  if (stuck !== 0) throw new Error(`thread ${stuck} could not take the seccomp filter`);
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** linux/bpf_common.h: a word load, jumps against a constant, a mask, a return. */
const LOAD = 0x20;
const AND = 0x54;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const RETURN = 0x06;
/** linux/seccomp.h: `struct seccomp_data` and the returned actions. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const ARGUMENTS_AT = 16;
const X32_BIT = 0x40000000;
const RETURN_ALLOW = 0x7fff0000;
const RETURN_ERRNO = 0x00050000;
const SET_MODE_FILTER = 1;
const FILTER_FLAG_TSYNC = 1;
/** seccomp(2) by architecture. */
const SECCOMP = process.arch === "arm64" ? 277 : 317;

function returnOf(verdict: Verdict): Instruction {
  return [RETURN, 0, 0, verdict === "allow" ? RETURN_ALLOW : RETURN_ERRNO | verdict.errno];
}

/** Falls through where the test passes and returns `otherwise` where it does not. */
function assembleTest(test: ArgumentTest, otherwise: Instruction): Instruction[] {
  const at = ARGUMENTS_AT + test.argument * 8;
  const lines: Instruction[] = [];
  if (test.wide === true) lines.push([LOAD, 0, 0, at + 4], [JUMP_EQUAL, 1, 0, 0], otherwise);
  lines.push([LOAD, 0, 0, at]);
  if (test.mask !== undefined) lines.push([AND, 0, 0, test.mask]);
  test.oneOf.forEach((value, index) =>
    lines.push([JUMP_EQUAL, test.oneOf.length - index, 0, value]),
  );
  lines.push(otherwise);
  return lines;
}

function encode(lines: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(lines.length * 8));
  lines.forEach(([code, ifTrue, ifFalse, value], index) => {
    if (ifTrue > 255 || ifFalse > 255)
      throw new RangeError("a seccomp rule jumps further than a byte holds");
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, value >>> 0, true);
  });
  return new Uint8Array(view.buffer);
}
