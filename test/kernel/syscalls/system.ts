import { expect, it } from "vitest";
import { limitTable } from "../../../src/kernel/limits/limits.ts";
import { START_MS } from "../../support/manual-host.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { readText, writeText } from "../../support/test-kernel.ts";
import { outcome } from "../../support/waiter.ts";
import { interrupted } from "./situations.ts";

export function describeSystem(): void {
  describeCall("nanosleep", describeSleep);
  describeCall("clock", () => {
    it("tells the host's time and the time since it started", async () => {
      const test = await bootObserved();
      await test.host.clock.advance(1234);
      await test.asUser(async (sys) => {
        expect(await sys.clock()).toEqual({ nowMs: START_MS + 1234, monotonicMs: 1234 });
      });
    });
  });
  describeCall("getrandom", () => {
    it("fills what it is given, up to 64 KiB", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const into = new Uint8Array(65_536);
        await sys.getrandom(into);
        expect(new Set(into).size).toBe(256);
        await expectErrno(sys.getrandom(new Uint8Array(65_537)), "EINVAL");
      });
    });
  });
  describeCall("uname", () => {
    it("names the machine", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        expect(await sys.uname()).toEqual({
          sysname: "Linux",
          nodename: "agentos",
          release: "6.12.0-agentos",
          version: "#1 agentOS MCP",
          machine: "x86_64",
        });
      });
    });
  });
  describeCall("sysinfo", () => {
    it("tells uptime, processes, memory and storage", async () => {
      const test = await bootObserved({ limits: { maxFilesystemBytes: 1 << 20 } });
      await test.host.clock.advance(50);
      await test.asUser(async (sys) => {
        await writeText(sys, "f", "x");
        const { uptimeMs, processes, memory, storage } = await sys.sysinfo();
        expect(memory).toEqual({ totalBytes: 2 ** 30, usedBytes: storage.usedBytes });
        expect({ uptimeMs, processes }).toEqual({ uptimeMs: 50, processes: 2 });
        expect(storage.totalBytes).toBe(1 << 20);
        expect(storage.usedBytes).toBe(test.kernel.limits.used("maxFilesystemBytes"));
        expect(storage.usedBytes).toBeGreaterThan(0);
      });
    });
  });
  describeCall("times", () => {
    it("counts nothing for a program that has not computed", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        expect(await sys.times()).toEqual({ ownMs: 0, kernelMs: 0, childrenMs: 0 });
      });
    });
  });
  describeCall("hold", () => {
    it("says what a process holds, up to what the VM has", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.hold(4096);
        const status = await readText(sys, "/proc/self/status");
        expect(status).toContain("VmRSS:\t       4 kB\n");
        await expectErrno(sys.hold(-1), "EINVAL");
        await expectErrno(sys.hold(2 ** 30 + 1), "ENOMEM");
      });
    });
  });
  describeCall("getrlimits", () => {
    it("tells every limit", async () => {
      const test = await bootObserved({ limits: { maxProcesses: 5 } });
      await test.asUser(async (sys) => {
        const limits = await sys.getrlimits();
        expect(Object.keys(limits)).toEqual(Object.keys(limitTable));
        expect(limits.maxProcesses).toBe(5);
        expect(limits.maxPipes).toBe(128);
      });
    });
  });
  describeCall("setrlimit", () => {
    it("limits the descriptors of the process and of its children", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const [end] = await sys.pipe();
        await sys.setrlimit({ openFds: 2 });
        await expectErrno(sys.dup(end), "EMFILE");
        await expectErrno(sys.dup2(end, 2), "EBADF");
        await sys.clone(async (child) => {
          await expectErrno(child.dup(end), "EMFILE");
          return 7;
        });
        expect(await sys.wait({})).toMatchObject({ status: { code: 7 } });
        await sys.setrlimit({ openFds: 3 });
        expect(await sys.dup(end)).toBe(2);
      });
    });

    it("fails with EINVAL below 0 and with EPERM beyond the VM's limit", async () => {
      const test = await bootObserved({ limits: { maxOpenFds: 8 } });
      await test.asUser(async (sys) => {
        await expectErrno(sys.setrlimit({ openFds: -1 }), "EINVAL");
        await expectErrno(sys.setrlimit({ openFds: 9 }), "EPERM");
      });
    });
  });
  describeCall("schedYield", () => {
    it("is where a loop that makes no other call can be ended", async () => {
      const test = await bootObserved();
      let turns = 0;
      const pid = await test.start(async (sys) => {
        for (;;) {
          await sys.schedYield();
          turns += 1;
        }
      });
      while (turns < 100) await test.sys.schedYield();
      await test.sys.kill(pid, 15);
      const { status } = (await test.sys.wait({ pid })) ?? {};
      expect(status).toEqual({ kind: "signaled", signal: 15 });
      const turnsThen = turns;
      await outcome(Promise.resolve());
      expect(turns).toBe(turnsThen);
    });
  });
}

function describeSleep(): void {
  it("returns when the time has passed, and not before", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const sleeping = sys.nanosleep(100.5);
      await test.host.clock.advance(100);
      expect(await outcome(sleeping)).toBe("waits");
      await test.host.clock.advance(0.5);
      expect(await outcome(sleeping)).toBeUndefined();
      expect(test.host.clock.timers).toBe(0);
    });
  });

  it("fails with EINTR, for times that are none, and at the limit of timers", async () => {
    const test = await bootObserved({ limits: { maxTimers: 1 } });
    await test.asUser(async (sys) => {
      await interrupted(sys, (own) => own.nanosleep(1000));
      expect(test.host.clock.timers).toBe(0);
      for (const time of [-1, Number.NaN]) await expectErrno(sys.nanosleep(time), "EINVAL");
      const first = sys.nanosleep(10);
      const { reason } = await expectErrno(sys.nanosleep(10), "EAGAIN");
      expect(reason).toBe("limit maxTimers is 1; raise limits.maxTimers of the VM");
      await test.host.clock.advance(10);
      await first;
    });
  });
}
