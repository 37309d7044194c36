/** The memory of a VM, as its host counts it: processes, files and the kernel together. */
export interface VmMemory {
  readonly totalBytes: number;
  usedBytes(): number;
  /** What all VMs of the host may have together, where that is what is used up; else undefined. */
  readonly sharedLimitBytes?: number | undefined;
}

/** Which memory is used up, by its limit. */
export type MemoryLimit = Pick<VmMemory, "totalBytes" | "sharedLimitBytes">;

/** What a VM has unless it is said otherwise. */
export const DEFAULT_MEMORY_MB = 1024;
