import { expect, it } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { OTHER, sleeper, USER } from "../../support/test-kernel.ts";
import { outcome } from "../../support/waiter.ts";

const { SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGKILL, SIGSTOP, SIGTERM, SIGUSR1, SIGUSR2 } = signals;

export function describeSignals(): void {
  describeCall("kill", describeKill);
  describeCall("sigaction", () => {
    it("answers what was, and decides what a signal does", async () => {
      const test = await bootObserved();
      const status = await test.run(async (plain) => {
        const sys = test.observe(plain);
        const own = await sys.getpid();
        expect(await sys.sigaction(SIGTERM, "ignore")).toBe("default");
        await sys.kill(own, SIGTERM);
        expect(await sys.sigpending()).toEqual([]);
        expect(await sys.sigaction(SIGTERM, "catch")).toBe("ignore");
        await sys.kill(own, SIGTERM);
        expect(await sys.sigpending()).toEqual([SIGTERM]);
        await sys.sigaction(SIGTERM, "ignore");
        expect(await sys.sigpending()).toEqual([]);
        await sys.sigaction(SIGTERM, "catch");
        await sys.kill(own, SIGTERM);
        // Nobody has looked at it: now it does what it does to a process that does not catch it.
        await sys.sigaction(SIGTERM, "default");
        return 0;
      });
      expect(status).toEqual({ kind: "signaled", signal: SIGTERM });
    });

    it("fails for SIGKILL, SIGSTOP and what is no signal", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        for (const signal of [SIGKILL, SIGSTOP, 0, -1, 32, 1.5]) {
          await expectErrno(sys.sigaction(signal, "ignore"), "EINVAL");
        }
      });
    });
  });
  describeCall("sigtimedwait", describeSigtimedwait);
  describeCall("sigprocmask", () => {
    it("holds signals back and lets them act when they are let go", async () => {
      const test = await bootObserved();
      const status = await test.run(async (plain) => {
        const sys = test.observe(plain);
        const own = await sys.getpid();
        expect(await sys.sigprocmask("block", [SIGTERM, SIGKILL])).toEqual([]);
        await sys.kill(own, SIGTERM);
        expect(await sys.sigprocmask("block", [SIGHUP])).toEqual([SIGTERM]);
        expect(await sys.sigprocmask("unblock", [SIGHUP])).toEqual([SIGTERM, SIGHUP]);
        expect(await sys.sigpending()).toEqual([SIGTERM]);
        await sys.sigprocmask("set", []);
        return 0;
      });
      expect(status).toEqual({ kind: "signaled", signal: SIGTERM });
    });

    it("fails for what is no signal, changing nothing", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await expectErrno(sys.sigprocmask("block", [SIGTERM, 99]), "EINVAL");
        expect(await sys.sigprocmask("block", [])).toEqual([]);
      });
    });
  });
  describeCall("sigpending", () => {
    it("lists what is blocked and has come, once each", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const own = await sys.getpid();
        await sys.sigprocmask("block", [SIGUSR1, SIGCHLD]);
        await sys.kill(own, SIGUSR1);
        await sys.kill(own, SIGUSR1);
        await sys.kill(own, SIGCHLD);
        expect(await sys.sigpending()).toEqual([SIGUSR1, SIGCHLD]);
        expect(await sys.sigtimedwait([SIGUSR1, SIGCHLD], 0)).toBe(SIGUSR1);
        expect(await sys.sigpending()).toEqual([SIGCHLD]);
      });
    });
  });
}

function describeKill(): void {
  it("ends a process, or only asks with signal 0", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const pid = await sys.clone(sleeper);
      await sys.kill(pid, 0);
      await sys.kill(pid, SIGTERM);
      await sys.kill(pid, SIGTERM);
      expect((await sys.wait({ pid }))?.status).toEqual({ kind: "signaled", signal: SIGTERM });
      await expectErrno(sys.kill(pid, 0), "ESRCH");
    });
  });

  it("reaches a group, the own group, and all", async () => {
    const test = await bootObserved();
    await test.as(USER, async (sys) => {
      await sys.setsid();
      const group = await sys.clone(sleeper, { pgid: 0 });
      const member = await sys.clone(sleeper, { pgid: group });
      await sys.kill(-group, SIGHUP);
      expect((await sys.wait())?.status).toEqual({ kind: "signaled", signal: SIGHUP });
      await sys.kill(-group, SIGHUP);
      expect((await sys.wait())?.status).toEqual({ kind: "signaled", signal: SIGHUP });
      await expectErrno(sys.kill(-group, SIGHUP), "ESRCH");
      expect(member).toBeGreaterThan(group);
      await sys.sigaction(SIGINT, "ignore");
      const own = await sys.clone(sleeper, { signals: { default: [SIGINT] } });
      await sys.kill(0, SIGINT);
      expect(await sys.wait()).toEqual({ pid: own, status: { kind: "signaled", signal: SIGINT } });
      const other = await sys.clone(sleeper, { isSessionLeader: true });
      await sys.kill(-1, SIGTERM);
      expect(await sys.wait()).toEqual({
        pid: other,
        status: { kind: "signaled", signal: SIGTERM },
      });
      await expectErrno(sys.kill(-1, SIGTERM), "ESRCH");
    });
  });

  it("fails for whom the caller may not signal, and for what is no signal", async () => {
    const test = await bootObserved();
    const theirs = await test.sys.clone(sleeper, { credentials: OTHER });
    await test.asUser(async (sys) => {
      await expectErrno(sys.kill(theirs, SIGTERM), "EPERM");
      await expectErrno(sys.kill(1, SIGTERM), "EPERM");
      await expectErrno(sys.kill(12_345, SIGTERM), "ESRCH");
      await expectErrno(sys.kill(theirs, 32), "EINVAL");
      await expectErrno(sys.kill(theirs, -1), "EINVAL");
      await sys.kill(theirs, SIGCONT);
    });
    await test.asRoot((sys) => sys.kill(theirs, SIGKILL));
    await test.sys.wait({ pid: theirs });
  });

  it("fails with EACCES when the policy denies, but a process may always signal itself", async () => {
    const test = await bootObserved({ permissions: { process: "deny" } });
    await test.asUser(async (sys) => {
      const pid = await sys.clone(sleeper, { argv: ["victim"] });
      const { reason, subject } = await expectErrno(sys.kill(pid, SIGTERM), "EACCES");
      expect([reason, subject]).toEqual(["blocked by process.signal policy (process)", "victim"]);
      await sys.sigaction(SIGUSR2, "catch");
      await sys.kill(await sys.getpid(), SIGUSR2);
      expect(await sys.sigtimedwait([SIGUSR2], 0)).toBe(SIGUSR2);
      await test.sys.kill(pid, SIGKILL);
      await sys.wait();
    });
  });
}

function describeSigtimedwait(): void {
  it("takes the lowest of what is pending, or waits for one", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const own = await sys.getpid();
      await sys.sigprocmask("block", [SIGUSR1, SIGUSR2]);
      await sys.kill(own, SIGUSR2);
      await sys.kill(own, SIGUSR1);
      expect(await sys.sigtimedwait([SIGUSR2, SIGUSR1])).toBe(SIGUSR1);
      expect(await sys.sigtimedwait([SIGUSR2, SIGUSR1])).toBe(SIGUSR2);
      expect(await sys.sigtimedwait([SIGUSR2, SIGUSR1], 0)).toBeUndefined();
      const waiting = sys.sigtimedwait([SIGUSR1]);
      expect(await outcome(waiting)).toBe("waits");
      await sys.kill(own, SIGUSR2);
      expect(await outcome(waiting)).toBe("waits");
      await sys.kill(own, SIGUSR1);
      expect(await waiting).toBe(SIGUSR1);
    });
  });

  it("hears of children through SIGCHLD, caught or blocked", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.sigprocmask("block", [SIGCHLD]);
      await sys.clone(async () => 0);
      expect(await sys.sigtimedwait([SIGCHLD])).toBe(SIGCHLD);
      await sys.sigprocmask("set", []);
      await sys.sigaction(SIGCHLD, "catch");
      await sys.clone(async () => 0);
      expect(await sys.sigtimedwait([SIGCHLD])).toBe(SIGCHLD);
      await sys.wait();
      await sys.wait();
    });
  });

  it("answers nothing at its timeout", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const waiting = sys.sigtimedwait([SIGUSR1], 100);
      await test.host.clock.advance(99);
      expect(await outcome(waiting)).toBe("waits");
      await test.host.clock.advance(1);
      expect(await waiting).toBeUndefined();
    });
  });

  it("fails for another signal that is caught, for what is none, and without a timer", async () => {
    const test = await bootObserved({ limits: { maxTimers: 1 } });
    await test.asUser(async (sys) => {
      await sys.sigaction(SIGUSR2, "catch");
      const waiting = sys.sigtimedwait([SIGUSR1]);
      expect(await outcome(waiting)).toBe("waits");
      await sys.kill(await sys.getpid(), SIGUSR2);
      await expectErrno(waiting, "EINTR");
      expect(await sys.sigtimedwait([SIGUSR2], 0)).toBe(SIGUSR2);
      await expectErrno(sys.sigtimedwait([99]), "EINVAL");
      const first = sys.sigtimedwait([SIGUSR1], 10);
      await expectErrno(sys.sigtimedwait([SIGUSR1], 10), "EAGAIN");
      await test.host.clock.advance(10);
      await first;
    });
  });
}
