import { describe, expect, it } from "vitest";
import { Turns } from "../../../src/kernel/process/turns.ts";
import { ManualHost } from "../../support/manual-host.ts";
import { RealHost } from "../../support/real-host.ts";
import { TestKernel } from "../../support/test-kernel.ts";

describe("turns", () => {
  it("make every call wait for the host once guests have run for 8 ms", async () => {
    const host = new ManualHost();
    const turns = new Turns(host);
    for (let i = 0; i < 100; i++) expect(turns.take(host.monotonic())).toBeUndefined();
    await host.clock.advance(8);
    const waits = Array.from({ length: 30 }, () => turns.take(host.monotonic())).filter(
      (wait) => wait !== undefined,
    );
    expect(waits.length).toBeGreaterThanOrEqual(15);
    expect(new Set(waits).size).toBe(1);
    await waits[0];
    expect(host.turns).toBe(1);
    for (let i = 0; i < 100; i++) expect(turns.take(host.monotonic())).toBeUndefined();
  });

  it("let a host timer fire while processes call without end", async () => {
    const host = new RealHost();
    const test = await TestKernel.boot({ host });
    let calls = 0;
    const pids: number[] = [];
    for (let i = 0; i < 3; i++) {
      const loop = await test.start(async (sys) => {
        for (;;) {
          await sys.getpid();
          calls += 1;
        }
      });
      pids.push(loop);
    }
    await new Promise<void>((resolve) => setTimeout(resolve, 30));
    expect(calls).toBeGreaterThan(100);
    for (const pid of pids) {
      await test.sys.kill(pid, 9);
      expect((await test.sys.wait({ pid }))?.status).toEqual({ kind: "signaled", signal: 9 });
    }
  });

  it("let signals and sleeping processes through while another calls without end", async () => {
    const test = await TestKernel.boot({ host: new RealHost() });
    const looping = await test.start(async (sys) => {
      for (;;) await sys.schedYield();
    });
    const killer = await test.start(async (sys) => {
      await sys.nanosleep(20);
      await sys.kill(looping, 15);
      return 0;
    });
    expect((await test.sys.wait({ pid: looping }))?.status).toEqual({
      kind: "signaled",
      signal: 15,
    });
    expect((await test.sys.wait({ pid: killer }))?.status).toEqual({ kind: "exited", code: 0 });
  });
});
