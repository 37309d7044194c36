import { describe, expect, it } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { findLargestHolder, killForMemory } from "../../../src/kernel/process/kill-largest.ts";
import type { Program } from "../../../src/kernel/process/program.ts";
import { TestKernel } from "../../support/test-kernel.ts";
import { settle } from "../../support/waiter.ts";

const MEBIBYTE = 1024 * 1024;

/** Holds so much until it is ended. */
function holder(bytes: number): Program {
  return async (sys) => {
    await sys.hold(bytes);
    await sys.nanosleep(1e9);
    return 0;
  };
}

describe("memory that programs say they hold", () => {
  it("makes the one with most the largest, whatever the others hold", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await sys.clone(holder(8 * MEBIBYTE), { argv: ["small"] });
      const large = await sys.clone(holder(64 * MEBIBYTE), { argv: ["large"] });
      await settle();
      expect(findLargestHolder(test.kernel)?.pid).toBe(large);
    });
  });

  it("makes nobody the largest who holds next to nothing", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await sys.clone(holder(MEBIBYTE));
      await settle();
      expect(findLargestHolder(test.kernel)).toBeUndefined();
    });
  });

  it("is free once its process has been killed, and its session is told which limit it was", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const pid = await sys.clone(holder(64 * MEBIBYTE), { argv: ["tsort", "big"] });
      await settle();
      killForMemory(test.kernel.processes.get(pid));
      expect(await sys.wait()).toEqual({
        pid,
        status: { kind: "signaled", signal: signals.SIGKILL },
      });
      expect(findLargestHolder(test.kernel)).toBeUndefined();
      const words =
        "the VM's memory of 1024 MB was used up, and this process used most of it. To raise the limit, create the VM with a larger memoryMb.";
      expect(test.host.told).toEqual([
        `${await sys.getsid()}: Killed process ${pid} (tsort big): ${words}`,
      ]);
    });
  });
});
