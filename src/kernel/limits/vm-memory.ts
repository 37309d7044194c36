/** The memory of a VM, as its host counts it: processes, files and the kernel together. */
export interface VmMemory {
  readonly totalBytes: number;
  usedBytes(): number;
}

/** What a VM has unless it is said otherwise. */
export const DEFAULT_MEMORY_MB = 1024;
