import { describe, expect, it } from "vitest";
import { readText, TestKernel } from "../../support/test-kernel.ts";
import { settle } from "../../support/waiter.ts";

/** Computes on the kernel's thread: the clock moves, and the thread's CPU time. */
function compute({ host }: TestKernel, cpuMs: number, passedMs = cpuMs): Promise<void> {
  host.cpuMs += cpuMs;
  return host.clock.advance(passedMs);
}

describe("the CPU time of programs", () => {
  it("is what each computes between its calls, and not what others do", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const child = await sys.clone(async (own) => {
        await compute(test, 300);
        await own.schedYield();
        await compute(test, 200);
        return 0;
      });
      await settle();
      expect(await readText(sys, `/proc/${child}/stat`)).toMatch(/^\d+ \(test\) Z (?:\S+ ){10}50 /);
      expect(await sys.times()).toMatchObject({ ownMs: 0, childrenMs: 0 });
      await sys.wait();
      await compute(test, 70);
      expect(await sys.times()).toEqual({ ownMs: 70, kernelMs: 70, childrenMs: 500 });
    });
  });

  it("is not the time that the thread sleeps or waits for a processor", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const slept = sys.nanosleep(5_000);
      await test.host.advance(5_000);
      await slept;
      await compute(test, 10, 400);
      expect(await sys.times()).toMatchObject({ ownMs: 10 });
    });
  });

  it("stays with a process that runs another file", async () => {
    const test = await TestKernel.boot({
      programs: { next: async (sys) => Math.round((await sys.times()).ownMs) },
    });
    const status = await test.run(async (sys) => {
      await compute(test, 42);
      return sys.exec({ path: "/bin/next", argv: ["next"] });
    });
    expect(status).toEqual({ kind: "exited", code: 42 });
  });

  it("makes the load average, which rises and falls as time goes by", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const loads = async (): Promise<number[]> =>
        (await sys.sysinfo()).loads.map((load) => Math.round(load * 100) / 100);
      expect(await loads()).toEqual([0, 0, 0]);
      for (let second = 0; second < 60; second += 1) {
        await compute(test, 1_000);
        await sys.schedYield();
      }
      expect(await loads()).toEqual([0.63, 0.18, 0.06]);
      expect(await readText(sys, "/proc/loadavg")).toBe("0.63 0.18 0.06 2/2 2\n");
      await test.host.advance(60_000);
      expect(await loads()).toEqual([0.23, 0.15, 0.06]);
      expect(await readText(sys, "/proc/stat")).toMatch(/^cpu {2}6000 0 0 18000 /);
      expect(await readText(sys, "/proc/uptime")).toBe("120.00 180.00\n");
    });
  });

  it("counts the processors that the host gives", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      expect((await sys.sysinfo()).cpus).toBe(2);
      expect((await readText(sys, "/proc/cpuinfo")).match(/^processor\t: \d$/gm)).toEqual([
        "processor\t: 0",
        "processor\t: 1",
      ]);
    });
  });
});
