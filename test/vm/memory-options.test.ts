import { describe, expect, it } from "vitest";
import { checkMemory, type MemoryOptions } from "../../src/vm/memory-options.ts";

describe("the memory of a VM", () => {
  it.each<[MemoryOptions]>([
    [{}],
    [{ memoryMb: 128 }],
    [{ memoryMb: 4096, limits: { v8HeapLimitMb: 4096, maxFilesystemBytes: 2 ** 32 } }],
    [{ memoryMb: 256, limits: { v8HeapLimitMb: 16 } }],
  ])("may be %j", (options) => {
    expect(() => checkMemory(options)).not.toThrow();
  });

  const range = "a whole number from 128, the least a VM boots with, to 1048576";
  it.each<[MemoryOptions, string]>([
    [{ memoryMb: 127 }, `memoryMb: 127 is not ${range}`],
    [{ memoryMb: 0 }, `memoryMb: 0 is not ${range}`],
    [{ memoryMb: -1 }, `memoryMb: -1 is not ${range}`],
    [{ memoryMb: 512.5 }, `memoryMb: 512.5 is not ${range}`],
    [{ memoryMb: Number.NaN }, `memoryMb: NaN is not ${range}`],
    [{ memoryMb: 2 ** 21 }, `memoryMb: 2097152 is not ${range}`],
    [
      { memoryMb: 256, limits: { v8HeapLimitMb: 257 } },
      "limits.v8HeapLimitMb: 257 MB is more than memoryMb, 256 MB",
    ],
    [
      { limits: { v8HeapLimitMb: 2048 } },
      "limits.v8HeapLimitMb: 2048 MB is more than memoryMb, 1024 MB",
    ],
    [
      { limits: { v8HeapLimitMb: 8 } },
      "limits.v8HeapLimitMb: 8 is less than the 16 MB that node starts with",
    ],
    [
      { memoryMb: 128, limits: { maxFilesystemBytes: 2 ** 28 } },
      "limits.maxFilesystemBytes: 268435456 bytes of files do not fit into memoryMb, 128 MB",
    ],
  ])("cannot be %j", (options, problem) => {
    expect(() => checkMemory(options)).toThrow(`The VM's options are not valid: ${problem}.`);
  });
});
