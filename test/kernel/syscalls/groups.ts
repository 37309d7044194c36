import { expect, it } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { sleeper } from "../../support/test-kernel.ts";

export function describeGroups(): void {
  describeCall("getpid", () => {
    it("answers the own pid, and getppid the parent's", async () => {
      const test = await bootObserved();
      const pid = await test.start(async (sys) => {
        expect(await test.observe(sys).getpid()).toBe(pid);
        return 0;
      });
      expect((await test.sys.wait({ pid }))?.status).toEqual({ kind: "exited", code: 0 });
    });
  });
  describeCall("getppid", () => {
    it("answers the parent's pid, which is 1 after the parent has ended", async () => {
      const test = await bootObserved();
      const { promise, resolve } = Promise.withResolvers<number>();
      const parents: number[] = [];
      const own = await test.start(async (sys) => {
        await sys.clone(async (plain) => {
          const child = test.observe(plain);
          parents.push(await child.getppid());
          await child.nanosleep(10);
          resolve(await child.getppid());
          return 0;
        });
        await sys.schedYield();
        return 0;
      });
      await test.sys.wait({ pid: own });
      await test.host.clock.advance(10);
      expect([...parents, await promise]).toEqual([own, 1]);
    });
  });
  describeCall("getpgid", () => {
    it("answers the group of the own or another process", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const pid = await sys.clone(sleeper, { pgid: 0 });
        expect(await sys.getpgid(pid)).toBe(pid);
        expect(await sys.getpgid()).toBe(await sys.getpgid(await sys.getpid()));
        await expectErrno(sys.getpgid(12_345), "ESRCH");
        await sys.kill(pid, signals.SIGKILL);
      });
    });
  });
  describeCall("setpgid", describeSetpgid);
  describeCall("setsid", () => {
    it("makes a session and a group, but not for a group's leader", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const pid = await sys.getpid();
        expect(await sys.setsid()).toBe(pid);
        expect([await sys.getsid(), await sys.getpgid()]).toEqual([pid, pid]);
        await expectErrno(sys.setsid(), "EPERM");
      });
    });
  });
  describeCall("getsid", () => {
    it("answers the session of the own or another process", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const pid = await sys.clone(sleeper, { isSessionLeader: true });
        expect(await sys.getsid(pid)).toBe(pid);
        expect(await sys.getsid()).toBe(1);
        await expectErrno(sys.getsid(12_345), "ESRCH");
        await sys.kill(pid, signals.SIGKILL);
      });
    });
  });
}

function describeSetpgid(): void {
  it("moves the caller and its children to groups of the session, also a zombie's", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const first = await sys.clone(async () => 0);
      const second = await sys.clone(sleeper);
      await sys.setpgid(first, 0);
      await sys.setpgid(second, first);
      expect([await sys.getpgid(first), await sys.getpgid(second)]).toEqual([first, first]);
      await sys.schedYield();
      await sys.setpgid(0, first);
      expect(await sys.getpgid()).toBe(first);
      await sys.kill(second, signals.SIGKILL);
    });
  });

  it("fails for whom it cannot move, and for groups that are none", async () => {
    const test = await bootObserved({ programs: { sleeper } });
    await test.asUser(async (sys) => {
      const own = await sys.getpid();
      const executed = await sys.spawn({ path: "/bin/sleeper", argv: ["s"] });
      const leader = await sys.clone(sleeper, { isSessionLeader: true });
      const child = await sys.clone(sleeper);
      await expectErrno(sys.setpgid(12_345, 0), "ESRCH");
      await expectErrno(sys.setpgid(1, 0), "ESRCH");
      await expectErrno(sys.setpgid(0, -1), "EINVAL");
      await expectErrno(sys.setpgid(executed, 0), "EACCES");
      await expectErrno(sys.setpgid(leader, 0), "EPERM");
      await expectErrno(sys.setpgid(child, leader), "EPERM");
      await expectErrno(sys.setpgid(child, 12_345), "EPERM");
      await sys.kill(executed, signals.SIGKILL);
      await sys.kill(leader, signals.SIGKILL);
      await sys.kill(child, signals.SIGKILL);
      await sys.setsid();
      await expectErrno(sys.setpgid(own, 0), "EPERM");
    });
  });
}
