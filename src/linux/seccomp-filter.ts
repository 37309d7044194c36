// Seccomp filters as data: a list of rules becomes a classic BPF program, see seccomp(2) and
// Linux's Documentation/userspace-api/seccomp_filter.rst. The one assembler, for cells and for sandboxes.
import { type Architecture, findSyscallNumber, type SyscallName } from "./syscall-numbers.ts";

/** A test of one argument, by its low 32 bits: all that the kernel looks at in flags and small numbers. */
export interface ArgumentTest {
  readonly argument: 0 | 1 | 2 | 3 | 4 | 5;
  /** Bits to look at; all 32 when absent. */
  readonly mask?: number;
  readonly is: "one-of" | "none-of";
  readonly values: readonly number[];
  /** For pointers: asks for zero high bits as well. */
  readonly wide?: true;
}

export type Verdict = "allow" | { readonly errno: number };

/** What happens to one system call where every test passes; else the rules below it decide. */
export interface SyscallRule {
  readonly call: SyscallName;
  readonly verdict: Verdict;
  readonly when?: readonly ArgumentTest[];
}

export interface Filter {
  /** The first that fits decides. A call that the architecture does not have is left out. */
  readonly rules: readonly SyscallRule[];
  readonly otherwise: Verdict;
  /** For calls by the numbers of another architecture. */
  readonly foreign: Verdict;
}

/** linux/audit.h */
const auditArchitectures: Readonly<Record<Architecture, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
};

/** The filter as an array of `struct sock_filter`. */
export function assembleFilter(filter: Filter, architecture: Architecture): Uint8Array {
  const lines: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_EQUAL, 1, 0, auditArchitectures[architecture]],
    returnOf(filter.foreign),
    loadNumber,
    // The x32 calls share the architecture and have numbers of their own.
    [JUMP_GREATER_EQUAL, 0, 1, X32_BIT],
    returnOf(filter.foreign),
  ];
  for (const rule of filter.rules) {
    const number = findSyscallNumber(rule.call, architecture);
    if (number === undefined) continue;
    const body = assembleRule(rule);
    lines.push([JUMP_EQUAL, 0, body.length, number], ...body);
  }
  lines.push(returnOf(filter.otherwise));
  return encode(lines);
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** linux/bpf_common.h: a word load, a mask, jumps against a constant, a return. */
const LOAD = 0x20;
const AND = 0x54;
const JUMP = 0x05;
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
const loadNumber: Instruction = [LOAD, 0, 0, NUMBER_AT];

function returnOf(verdict: Verdict): Instruction {
  return [RETURN, 0, 0, verdict === "allow" ? RETURN_ALLOW : RETURN_ERRNO | verdict.errno];
}

/** Returns the verdict where every test passes; else the number is loaded again for what follows. */
function assembleRule({ when = [], verdict }: SyscallRule): Instruction[] {
  if (when.length === 0) return [returnOf(verdict)];
  let body: Instruction[] = [returnOf(verdict), loadNumber];
  // From the last to the first: a test that fails jumps to the line that loads the number.
  for (const test of when.toReversed()) body = [...assembleTest(test, body.length - 1), ...body];
  return body;
}

/** Falls through where the test passes, and else jumps over so many lines more. */
function assembleTest(test: ArgumentTest, toFailure: number): Instruction[] {
  const at = ARGUMENTS_AT + test.argument * 8;
  const count = test.values.length;
  const values = test.values.map(
    // A value that is found jumps behind the others and the line after them.
    (value, index): Instruction => [JUMP_EQUAL, count - index, 0, value],
  );
  const found: Instruction[] =
    test.is === "one-of"
      ? [...values, [JUMP, 0, 0, toFailure]]
      : [...values, [JUMP, 0, 0, 1], [JUMP, 0, 0, toFailure]];
  const mask: Instruction[] = test.mask === undefined ? [] : [[AND, 0, 0, test.mask]];
  const narrow: Instruction[] = [[LOAD, 0, 0, at], ...mask, ...found];
  if (test.wide === undefined) return narrow;
  const high: Instruction[] = [
    [LOAD, 0, 0, at + 4],
    [JUMP_EQUAL, 1, 0, 0],
    [JUMP, 0, 0, narrow.length + toFailure],
  ];
  return [...high, ...narrow];
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
