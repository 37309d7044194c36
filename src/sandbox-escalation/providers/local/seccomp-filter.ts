// What processes in a local sandbox may not ask the kernel for, as a classic BPF program for bubblewrap's
// --seccomp: see seccomp(2). Everything not named is allowed; a sandbox is a whole Linux otherwise. The jail of
// cells (vm/confinement) has an assembler of its own, for a list of what is allowed: neither layer may import the other.
import { type DeniedCall, type FilterRoot, listDeniedCalls } from "./denied-calls.ts";

export type FilterArchitecture = "x64" | "arm64";

/** The filter as an array of `struct sock_filter`. */
export function assembleSeccompFilter(
  architecture: FilterArchitecture,
  root: FilterRoot = "host",
): Uint8Array {
  const lines: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_EQUAL, 1, 0, auditArchitectures[architecture]],
    refuse(ENOSYS),
    [LOAD, 0, 0, NUMBER_AT],
    // The x32 calls share the architecture and have numbers of their own.
    [JUMP_GREATER_EQUAL, 0, 1, X32_BIT],
    refuse(ENOSYS),
  ];
  for (const denied of listDeniedCalls(root)) {
    const number = denied.numbers[architecture];
    if (number === undefined) continue;
    const body = assembleDenial(denied);
    lines.push([JUMP_EQUAL, 0, body.length, number], ...body);
  }
  lines.push([RETURN, 0, 0, RETURN_ALLOW]);
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
const RETURN_ALLOW = 0x7fff0000;
const RETURN_ERRNO = 0x00050000;
const X32_BIT = 0x40000000;
const ENOSYS = 38;
/** linux/audit.h */
const auditArchitectures = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

function refuse(errno: number): Instruction {
  return [RETURN, 0, 0, RETURN_ERRNO | errno];
}

/** Refuses where the test says so; else the number is loaded again for what follows. */
function assembleDenial(denied: DeniedCall): Instruction[] {
  const { when } = denied;
  if (when === undefined) return [refuse(denied.errno)];
  const load: Instruction[] = [[LOAD, 0, 0, ARGUMENTS_AT + when.argument * 8]];
  if (when.mask !== undefined) load.push([AND, 0, 0, when.mask]);
  const count = when.values.length;
  const tests = when.values.map(
    (value, index): Instruction => [JUMP_EQUAL, count - index, 0, value],
  );
  const onNone: Instruction[] = [
    [LOAD, 0, 0, NUMBER_AT],
    [JUMP, 0, 0, 1],
  ];
  const onSome = refuse(denied.errno);
  if (when.is === "one-of") {
    // None: reload and skip the refusal. One: jump behind the two lines, to the refusal.
    return [
      ...load,
      ...tests.map(([c, t, f, v]): Instruction => [c, t + 1, f, v]),
      ...onNone,
      onSome,
    ];
  }
  // One of the values is what is allowed: it jumps behind the refusal, to the reload.
  return [...load, ...tests, onSome, [LOAD, 0, 0, NUMBER_AT]];
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
