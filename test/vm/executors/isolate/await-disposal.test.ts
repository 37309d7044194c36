import { describe, expect, it } from "vitest";
import { awaitDisposal } from "../../../../src/vm/executors/isolate/await-disposal.ts";
import type { MemoryAccount } from "../../../../src/vm/executors/isolate/memory-ledger.ts";
import { ManualHost } from "../../../support/manual-host.ts";

/** A thread that was disposed of, and that computes as the test has it. */
function dispose(): {
  readonly host: ManualHost;
  readonly stuck: string[];
  readonly leave: () => void;
  cpuMs: number;
} {
  const host = new ManualHost();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const thread = { host, stuck: [] as string[], leave, cpuMs: 500 };
  const use = (): unknown => ({ memoryBytes: 0, cpuMs: thread.cpuMs, isKilled: true });
  const account = { use } as unknown as MemoryAccount;
  awaitDisposal({ host, account, left, onStuck: (reason) => thread.stuck.push(reason) });
  return thread;
}

describe("an isolate that was disposed of", () => {
  it("may take long on a busy machine, as long as it computes little", async () => {
    const thread = dispose();
    for (let second = 0; second < 50; second += 1) {
      thread.cpuMs += 180;
      await thread.host.advance(1_000);
    }
    thread.leave();
    await thread.host.advance(100_000);
    expect([thread.stuck, thread.host.clock.timers]).toEqual([[], 0]);
  });

  it("is stuck when its thread has computed for ten seconds since", async () => {
    const thread = dispose();
    thread.cpuMs += 9_999;
    await thread.host.advance(1_000);
    expect(thread.stuck).toEqual([]);
    thread.cpuMs += 1;
    await thread.host.advance(1_000);
    expect(thread.stuck).toEqual(["a thread goes on after its disposal"]);
    expect(thread.host.clock.timers).toBe(0);
  });

  it("is stuck when it has neither left nor computed for a minute", async () => {
    const thread = dispose();
    await thread.host.advance(59_000);
    expect(thread.stuck).toEqual([]);
    await thread.host.advance(1_000);
    expect(thread.stuck).toHaveLength(1);
  });
});
