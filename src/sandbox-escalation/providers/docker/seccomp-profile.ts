// The system calls that containers are refused, as the engine wants it: the same list as local sandboxes have.
// Numbers of arguments are compared as 64 bits there, while the kernel looks at 32: masks see to that.
import {
  type Architecture,
  type ArgumentTest,
  findSyscallNumber,
  type SyscallRule,
} from "../../../linux/index.ts";
import { deniedCalls } from "../local/denied-calls.ts";

interface ProfileArgument {
  readonly index: number;
  readonly value: number;
  readonly valueTwo: number;
  readonly op: "SCMP_CMP_MASKED_EQ" | "SCMP_CMP_GT";
}

interface ProfileRule {
  readonly names: readonly string[];
  readonly action: "SCMP_ACT_ERRNO";
  readonly errnoRet: number;
  readonly args: readonly ProfileArgument[];
}

/** Docker's seccomp profile, see its documentation: everything not named is allowed. */
export interface SeccompProfile {
  readonly defaultAction: "SCMP_ACT_ALLOW";
  readonly architectures: readonly string[];
  readonly syscalls: readonly ProfileRule[];
}

/** Other architectures' calls end the process: neither 32-bit nor x32 programs run. */
export function makeSeccompProfile(architecture: Architecture): SeccompProfile {
  return {
    defaultAction: "SCMP_ACT_ALLOW",
    architectures: [architecture === "x64" ? "SCMP_ARCH_X86_64" : "SCMP_ARCH_AARCH64"],
    syscalls: deniedCalls
      .filter(({ call }) => findSyscallNumber(call, architecture) !== undefined)
      .flatMap((denied) => describeDenial(denied)),
  };
}

/** One rule for each way to be refused: rules of one call are alternatives. */
function describeDenial({ call, verdict, when = [] }: SyscallRule): ProfileRule[] {
  const rule = (args: readonly ProfileArgument[]): ProfileRule => ({
    names: [call],
    action: "SCMP_ACT_ERRNO",
    errnoRet: verdict === "allow" ? 0 : verdict.errno,
    args,
  });
  if (when.length === 0) return [rule([])];
  return when.flatMap(describeTest).map((argument) => rule([argument]));
}

function describeTest(test: ArgumentTest): ProfileArgument[] {
  const index = test.argument;
  const isEqual = (value: number, mask: number): ProfileArgument => ({
    index,
    value: mask,
    valueTwo: value,
    op: "SCMP_CMP_MASKED_EQ",
  });
  if (test.is === "one-of") return test.values.map((value) => isEqual(value, LOW_BITS));
  if (test.mask !== undefined) return listBits(test.mask).map((bit) => isEqual(bit, bit));
  const most = Math.max(...test.values);
  const between = Array.from({ length: most }, (_, value) => value);
  return [
    ...between.filter((value) => !test.values.includes(value)).map((v) => isEqual(v, LOW_BITS)),
    { index, value: most, valueTwo: 0, op: "SCMP_CMP_GT" },
  ];
}

const LOW_BITS = 0xffff_ffff;

function listBits(mask: number): number[] {
  return Array.from({ length: 31 }, (_, at) => 2 ** at).filter((bit) => (mask & bit) !== 0);
}
