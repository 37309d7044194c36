import { describe, expect, it } from "vitest";
import { O_CREAT, O_RDWR } from "../../../src/kernel/abi/open-flags.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { WNOHANG, WUNTRACED } from "../../../src/kernel/abi/wait-status.ts";
import type { Program } from "../../../src/kernel/process/program.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { readText, sleeper, TestKernel } from "../../support/test-kernel.ts";
import { outcome, settle } from "../../support/waiter.ts";

const { SIGCHLD, SIGCONT, SIGHUP, SIGKILL, SIGSTOP } = signals;

describe("the end of a process", () => {
  it("leaves a zombie that only its parent's wait takes away", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const pid = await sys.clone(async () => 5, { argv: ["gone"] });
      await settle();
      expect(test.kernel.processes.get(pid).state).toBe("zombie");
      expect(await readText(sys, `/proc/${pid}/status`)).toContain("State:\tZ (zombie)\n");
      await sys.kill(pid, SIGKILL);
      expect(await sys.wait()).toEqual({ pid, status: { kind: "exited", code: 5 } });
      expect(test.kernel.processes.find(pid)).toBeUndefined();
    });
  });

  it("gives everything back: descriptors, locks, timers, processes", async () => {
    const test = await TestKernel.boot();
    const used = () =>
      (
        [
          "maxProcesses",
          "maxOpenFiles",
          "maxPipes",
          "maxPtys",
          "maxFileLocks",
          "maxTimers",
          "maxWatches",
        ] as const
      ).map((limit) => test.kernel.limits.used(limit));
    const before = used();
    const pid = await test.start(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      await sys.flock(fd, "exclusive");
      await sys.setlk(fd, { type: "write", start: 0, length: 0 });
      await sys.pipe();
      await sys.openpty();
      await sys.inotifyAddWatch(await sys.inotifyInit(), "f", 1);
      await sys.clone(sleeper);
      await sys.nanosleep(1e9);
      return 0;
    });
    await settle();
    expect(used()).not.toEqual(before);
    await test.sys.kill(pid, SIGKILL);
    await test.sys.wait({ pid });
    const [orphan] = test.kernel.processes.list().filter((process) => process.pid !== 1);
    await test.sys.kill(orphan?.pid ?? 0, SIGKILL);
    await settle();
    expect(used()).toEqual(before);
    expect(test.host.clock.timers).toBe(0);
  });

  it("gives children to pid 1, which buries them without waiting", async () => {
    const test = await TestKernel.boot();
    let child = 0;
    await test.run(async (sys) => {
      child = await sys.clone(sleeper);
      await sys.clone(async () => 0);
      return 0;
    });
    expect(test.kernel.processes.list().map(({ pid }) => pid)).toEqual([1, child]);
    expect(test.kernel.processes.get(child).parent?.pid).toBe(1);
    await test.sys.kill(child, SIGKILL);
    expect(test.kernel.processes.list().map(({ pid }) => pid)).toEqual([1]);
    await expect(test.sys.wait({ flags: WNOHANG })).rejects.toMatchObject({ errno: "ECHILD" });
  });

  it("leaves no zombie when the parent ignores SIGCHLD, whose wait then finds none", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await sys.sigaction(SIGCHLD, "ignore");
      const pid = await sys.clone(async (child) => {
        await child.nanosleep(5);
        return 0;
      });
      const waiting = sys.wait();
      expect(await outcome(waiting)).toBe("waits");
      await test.host.clock.advance(5);
      await expect(waiting).rejects.toMatchObject({ errno: "ECHILD" });
      expect(test.kernel.processes.find(pid)).toBeUndefined();
    });
  });

  it("is not told to a parent that has ended first, and the child lives on", async () => {
    const test = await TestKernel.boot();
    const seen: number[] = [];
    await test.run(async (sys) => {
      await sys.clone(async (child) => {
        await child.nanosleep(10);
        seen.push(await child.getppid());
        return 0;
      });
      return 0;
    });
    await test.host.clock.advance(10);
    await settle();
    expect(seen).toEqual([1]);
    expect(test.kernel.processes.list()).toHaveLength(1);
  });
});

describe("a group that loses its last tie to its session", () => {
  /** A shell with a job of two processes, the second stopped; the job's parent is the shell. */
  async function startJob(sys: Sys, states: string[]): Promise<{ leader: number; member: number }> {
    const watched: Program = async (child) => {
      await child.sigaction(SIGHUP, "catch");
      for (;;) {
        const signal = await child.sigtimedwait([SIGHUP]);
        states.push(`hung up by ${String(signal)}`);
      }
    };
    const leader = await sys.clone(watched, { pgid: 0 });
    const member = await sys.clone(watched, { pgid: leader });
    await settle();
    await sys.kill(member, SIGSTOP);
    return { leader, member };
  }

  it("is hung up and continued when one of it is stopped", async () => {
    const test = await TestKernel.boot();
    const states: string[] = [];
    let job = { leader: 0, member: 0 };
    await test.run(
      async (sys) => {
        job = await startJob(sys, states);
        return 0;
      },
      { isSessionLeader: true },
    );
    await settle();
    expect(states).toEqual(["hung up by 1", "hung up by 1"]);
    expect(test.kernel.processes.get(job.member).state).toBe("running");
    await test.sys.kill(-job.leader, SIGKILL);
  });

  it("is left alone when none of it is stopped", async () => {
    const test = await TestKernel.boot();
    const states: string[] = [];
    let job = { leader: 0, member: 0 };
    await test.run(
      async (sys) => {
        job = await startJob(sys, states);
        await sys.kill(job.member, SIGCONT);
        return 0;
      },
      { isSessionLeader: true },
    );
    await settle();
    expect(states).toEqual([]);
    await test.sys.kill(-job.leader, SIGKILL);
  });

  it("is not stopped by the terminal's stop signals any more, but by SIGSTOP", async () => {
    const test = await TestKernel.boot();
    const orphan = await test.start(sleeper, { isSessionLeader: true });
    for (const signal of [signals.SIGTSTP, signals.SIGTTIN, signals.SIGTTOU]) {
      await test.sys.kill(orphan, signal);
      expect(await test.sys.wait({ pid: orphan, flags: WNOHANG | WUNTRACED })).toBeUndefined();
    }
    await test.sys.kill(orphan, SIGSTOP);
    expect(await test.sys.wait({ pid: orphan, flags: WUNTRACED })).toEqual({
      pid: orphan,
      status: { kind: "stopped", signal: SIGSTOP },
    });
    await test.sys.kill(orphan, SIGKILL);
    await test.sys.wait({ pid: orphan });
  });
});
