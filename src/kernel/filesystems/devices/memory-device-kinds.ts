import { KernelError } from "../../abi/kernel-error.ts";
import type { MemoryDeviceKind } from "./memory-device.ts";

const nothing = (): number => 0;
const all = (from: Uint8Array): number => from.length;
const zeros = (into: Uint8Array): number => into.fill(0).length;

/** null(4): empty to read, takes everything. */
export const nullKind: MemoryDeviceKind = { fill: nothing, take: all };

/** zero(4): zeros without end, takes everything. */
export const zeroKind: MemoryDeviceKind = { fill: zeros, take: all };

/** full(4): zeros without end, and never room for a byte. */
export const fullKind: MemoryDeviceKind = {
  fill: zeros,
  take: () => {
    throw new KernelError("ENOSPC");
  },
};

/** random(4): unpredictable bytes without waiting; what is written need not stir the host's pool. */
export function randomKind(random: (into: Uint8Array) => void): MemoryDeviceKind {
  return {
    fill: (into) => {
      random(into);
      return into.length;
    },
    take: all,
  };
}
