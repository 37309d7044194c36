/** How much memory a VM gets, and which limits go with it. */
import { DEFAULT_MEMORY_MB, type LimitValues } from "../kernel/index.ts";
import { HostError } from "./host-error.ts";

/** A cell with nothing in it has about 90 MB; a JavaScript process in it takes about 15. */
const LEAST_MEMORY_MB = 128;
const MOST_MEMORY_MB = 1024 * 1024;
/** Node's own library takes about 6 MB of a heap. */
const LEAST_HEAP_MB = 16;

export interface MemoryOptions {
  readonly memoryMb?: number | undefined;
  readonly limits?: Partial<LimitValues> | undefined;
}

export function memoryBytesOf({ memoryMb = DEFAULT_MEMORY_MB }: MemoryOptions): number {
  return memoryMb * 1024 * 1024;
}

/** Fails with VM_OPTIONS_INVALID for memory that no VM boots with, and for limits that cannot be met within it. */
export function checkMemory({ memoryMb = DEFAULT_MEMORY_MB, limits = {} }: MemoryOptions): void {
  if (!Number.isInteger(memoryMb) || memoryMb < LEAST_MEMORY_MB || memoryMb > MOST_MEMORY_MB) {
    const range = `a whole number from ${LEAST_MEMORY_MB}, the least a VM boots with, to ${MOST_MEMORY_MB}`;
    throw wrong(`memoryMb: ${memoryMb} is not ${range}`);
  }
  const { v8HeapLimitMb, maxFilesystemBytes } = limits;
  if (v8HeapLimitMb !== undefined && v8HeapLimitMb < LEAST_HEAP_MB) {
    throw wrong(
      `limits.v8HeapLimitMb: ${v8HeapLimitMb} is less than the ${LEAST_HEAP_MB} MB that node starts with`,
    );
  }
  if (v8HeapLimitMb !== undefined && v8HeapLimitMb > memoryMb) {
    throw wrong(`limits.v8HeapLimitMb: ${v8HeapLimitMb} MB is more than memoryMb, ${memoryMb} MB`);
  }
  if (maxFilesystemBytes !== undefined && maxFilesystemBytes > memoryBytesOf({ memoryMb })) {
    throw wrong(
      `limits.maxFilesystemBytes: ${maxFilesystemBytes} bytes of files do not fit into memoryMb, ${memoryMb} MB`,
    );
  }
}

/** Fails with VM_OPTIONS_INVALID for a VM that is to have more than all VMs have together. */
export function requireMemoryOfAll({ memoryMb }: MemoryOptions, maxMemoryMb: number): void {
  if (memoryMb === undefined || memoryMb <= maxMemoryMb) return;
  throw wrong(
    `memoryMb: ${memoryMb} MB is more than maxMemoryMb, the ${maxMemoryMb} MB that all VMs have together`,
  );
}

function wrong(problem: string): HostError {
  return new HostError("VM_OPTIONS_INVALID", { problem });
}
