import { describe, expect, it } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { WCONTINUED, WNOHANG, WUNTRACED } from "../../../src/kernel/abi/wait-status.ts";
import { readAll, sleeper, TestKernel } from "../../support/test-kernel.ts";
import { outcome, settle } from "../../support/waiter.ts";

const { SIGCONT, SIGINT, SIGKILL, SIGSTOP, SIGTERM, SIGTSTP, SIGUSR1, SIGWINCH } = signals;

describe("signals", () => {
  it("end a process that does nothing about them, and leave alone by default what they only tell", async () => {
    const test = await TestKernel.boot();
    for (const signal of Object.values(signals)) {
      const pid = await test.start(sleeper, { pgid: 0 });
      await test.sys.kill(pid, signal);
      const { status } = (await test.sys.wait({ pid, flags: WNOHANG | WUNTRACED })) ?? {};
      const isQuiet = [signals.SIGCHLD, SIGCONT, signals.SIGURG, SIGWINCH].includes(signal as 17);
      const isStop = [SIGSTOP, SIGTSTP, signals.SIGTTIN, signals.SIGTTOU].includes(signal as 19);
      const kind = isQuiet ? undefined : isStop ? "stopped" : "signaled";
      expect([signal, status]).toEqual([signal, kind && { kind, signal }]);
      if (kind === "signaled") continue;
      await test.sys.kill(pid, SIGKILL);
      await test.sys.wait({ pid });
    }
  });

  it("do nothing to pid 1 that it does not catch", async () => {
    const test = await TestKernel.boot();
    await test.asRoot(async (sys) => {
      for (const signal of Object.values(signals)) await sys.kill(1, signal);
    });
    expect(test.kernel.init.state).toBe("running");
  });

  it("that are blocked wait even when they are ignored, and are dropped when let go", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await sys.sigaction(SIGUSR1, "ignore");
      await sys.sigprocmask("block", [SIGUSR1]);
      await sys.kill(await sys.getpid(), SIGUSR1);
      expect(await sys.sigpending()).toEqual([SIGUSR1]);
      await sys.sigprocmask("set", []);
      expect(await sys.sigpending()).toEqual([]);
    });
  });

  it("cannot be kept off when they are SIGKILL or SIGSTOP", async () => {
    const test = await TestKernel.boot();
    const pid = await test.start(
      async (sys) => {
        await sys.sigprocmask("set", [SIGKILL, SIGSTOP, SIGTERM]);
        await sys.nanosleep(1e9);
        return 0;
      },
      { signals: { ignore: [SIGKILL, SIGSTOP] } },
    );
    await settle();
    await test.sys.kill(pid, SIGTERM);
    await test.sys.kill(pid, SIGSTOP);
    expect((await test.sys.wait({ flags: WUNTRACED }))?.status.kind).toBe("stopped");
    await test.sys.kill(pid, SIGKILL);
    expect((await test.sys.wait())?.status).toEqual({ kind: "signaled", signal: SIGKILL });
  });
});

describe("a stopped process", () => {
  it("makes no calls until it is continued", async () => {
    const test = await TestKernel.boot();
    let count = 0;
    const pid = await test.start(async (sys) => {
      for (;;) {
        await sys.nanosleep(1);
        count += 1;
      }
    });
    await test.host.clock.advance(3);
    expect(count).toBe(3);
    await test.sys.kill(pid, SIGSTOP);
    await test.host.clock.advance(10);
    expect(count).toBe(3);
    await test.sys.kill(pid, SIGCONT);
    await settle();
    expect(count).toBe(4);
    await test.host.clock.advance(2);
    expect(count).toBe(6);
    await test.sys.kill(pid, SIGKILL);
    await test.sys.wait({ pid });
  });

  it("acts on other signals when it is continued, but dies of SIGKILL at once", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const pid = await sys.clone(sleeper);
      await sys.kill(pid, SIGSTOP);
      await sys.kill(pid, SIGTERM);
      await sys.wait({ pid, flags: WUNTRACED });
      expect(await sys.wait({ pid, flags: WNOHANG })).toBeUndefined();
      await sys.kill(pid, SIGCONT);
      expect((await sys.wait({ pid }))?.status).toEqual({ kind: "signaled", signal: SIGTERM });
      const second = await sys.clone(sleeper);
      await sys.kill(second, SIGSTOP);
      await sys.kill(second, SIGKILL);
      expect((await sys.wait({ pid: second }))?.status).toEqual({
        kind: "signaled",
        signal: SIGKILL,
      });
    });
  });

  it("forgets stop signals that wait when SIGCONT comes, and SIGCONT when a stop comes", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const own = await sys.getpid();
      await sys.sigprocmask("block", [SIGTSTP, SIGCONT]);
      await sys.kill(own, SIGTSTP);
      await sys.kill(own, SIGCONT);
      expect(await sys.sigpending()).toEqual([SIGCONT]);
      await sys.kill(own, SIGTSTP);
      expect(await sys.sigpending()).toEqual([SIGTSTP]);
      await sys.sigtimedwait([SIGTSTP], 0);
    });
  });

  it("is continued by SIGCONT even where that is blocked, ignored or caught", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      for (const way of ["block", "ignore", "catch"] as const) {
        const pid = await sys.clone(async (child) => {
          if (way === "block") await child.sigprocmask("block", [SIGCONT]);
          else await child.sigaction(SIGCONT, way);
          await child.kill(await child.getpid(), SIGSTOP);
          return (await child.sigtimedwait([SIGCONT], 0)) ?? 100;
        });
        await sys.wait({ pid, flags: WUNTRACED });
        await sys.kill(pid, SIGCONT);
        expect((await sys.wait({ pid, flags: WCONTINUED }))?.status).toEqual({ kind: "continued" });
        const code = way === "ignore" ? 100 : SIGCONT;
        expect((await sys.wait({ pid }))?.status).toEqual({ kind: "exited", code });
      }
    });
  });

  it("takes a stop of the second kind as no news", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const pid = await sys.clone(sleeper);
      await sys.kill(pid, SIGSTOP);
      await sys.wait({ pid, flags: WUNTRACED });
      await sys.kill(pid, SIGTSTP);
      expect(await sys.wait({ pid, flags: WUNTRACED | WNOHANG })).toBeUndefined();
      await sys.kill(pid, SIGKILL);
      await sys.wait({ pid });
    });
  });
});

describe("a caught signal", () => {
  it("stays until it is fetched: every wait before that fails with EINTR", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await sys.sigaction(SIGINT, "catch");
      await sys.kill(await sys.getpid(), SIGINT);
      await expect(sys.nanosleep(1)).rejects.toMatchObject({ errno: "EINTR" });
      await expect(sys.nanosleep(1)).rejects.toMatchObject({ errno: "EINTR" });
      expect(await sys.sigtimedwait([SIGINT], 0)).toBe(SIGINT);
      const sleeping = sys.nanosleep(1);
      expect(await outcome(sleeping)).toBe("waits");
      await test.host.clock.advance(1);
      await sleeping;
    });
  });

  it("makes a write that has written something answer how much", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const [readFd, writeFd] = await sys.pipe();
      await sys.sigaction(SIGINT, "catch");
      const writing = sys.write(writeFd, new Uint8Array(100_000));
      expect(await outcome(writing)).toBe("waits");
      await sys.kill(await sys.getpid(), SIGINT);
      expect(await writing).toBe(65_536);
      await sys.sigtimedwait([SIGINT], 0);
      await sys.close(writeFd);
      expect(await readAll(sys, readFd)).toHaveLength(65_536);
    });
  });

  it("that is blocked does not interrupt", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await sys.sigaction(SIGINT, "catch");
      await sys.sigprocmask("block", [SIGINT]);
      const sleeping = sys.nanosleep(5);
      await sys.kill(await sys.getpid(), SIGINT);
      expect(await outcome(sleeping)).toBe("waits");
      await sys.sigprocmask("set", []);
      await expect(sleeping).rejects.toMatchObject({ errno: "EINTR" });
      expect(test.host.clock.timers).toBe(0);
    });
  });
});
