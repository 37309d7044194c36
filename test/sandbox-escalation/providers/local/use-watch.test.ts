// How a sandbox could hide what it takes: files in memory, shared segments.
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import {
  type HostMemory,
  UseWatch,
} from "../../../../src/sandbox-escalation/providers/local/use-watch.ts";

const GIBIBYTE = 1024 ** 3;
const limits = { memoryMb: 2048, pids: 10, cpus: 1, diskMb: 1e6, lifetimeMs: 60_000 };

/** Resolves with the reason, once all of these were read and the last of them again. */
function watchMemory(free: readonly number[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    let looks = 0;
    const watch = new UseWatch({
      ...{ pid: process.pid, limits, watchesMemory: true, directories: [tmpdir()] },
      measure: async () => ({ bytes: 0, files: 0 }),
      readHostMemory: async (): Promise<HostMemory> => {
        const freeBytes = free[looks] ?? 0;
        looks += 1;
        if (looks <= free.length) return { totalBytes: 16 * GIBIBYTE, freeBytes };
        watch.stop();
        resolve(undefined);
        return { totalBytes: 1, freeBytes: 1 };
      },
      onExceeded: (reason) => {
        watch.stop();
        resolve(reason);
      },
    });
  });
}

it("leaves the last of the memory to the host, wherever the sandbox has the rest", async () => {
  expect(await watchMemory([8 * GIBIBYTE, 0.5 * GIBIBYTE])).toBe(
    "The memory of this machine is nearly full.",
  );
});

it("ends nobody on a machine that had no more before", async () => {
  expect(await watchMemory([0.7 * GIBIBYTE, 0.5 * GIBIBYTE])).toBeUndefined();
});
