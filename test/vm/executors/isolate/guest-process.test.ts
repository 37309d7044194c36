import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ProcessEnded } from "../../../../src/kernel/index.ts";
import { Pool } from "../../../../src/vm/executors/isolate/guest.ts";
import {
  GuestProcess,
  type GuestProcessParts,
} from "../../../../src/vm/executors/isolate/guest-process.ts";

/** A process whose isolate never comes to anything, and which is asked for its limits when it begins. */
function make(getrlimits: () => Promise<unknown>): GuestProcess {
  const isolate = { isDisposed: false, dispose: () => undefined };
  const channel = { open: () => undefined, close: () => undefined, computedMs: () => 0 };
  const ready = { isolate, channel, run: () => new Promise<void>(() => undefined) };
  const host = { monotonic: () => 0, setTimer: () => () => undefined, log: () => undefined };
  const account = { use: () => ({ memoryBytes: 0, cpuMs: 0, isKilled: false }) };
  const onStuck = (): void => undefined;
  const pool = new Pool();
  const parts = { ready, host, pool, sys: { getrlimits }, account, heapLimitMb: 1, onStuck };
  return new GuestProcess(parts as unknown as GuestProcessParts);
}

describe("a JavaScript process", () => {
  it("may be killed while it begins: the failure is its own, and nobody else's", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): number => unhandled.push(error);
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", listen);
    try {
      const limits = Promise.withResolvers<unknown>();
      const guest = make(() => limits.promise);
      const ended = guest.run();
      guest.kill();
      await turn();
      limits.reject(new ProcessEnded(0));
      await expect(ended).rejects.toBeInstanceOf(ProcessEnded);
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
      for (const other of others) process.on("unhandledRejection", other);
    }
  });
});
