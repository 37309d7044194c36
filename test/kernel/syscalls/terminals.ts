import { expect, it } from "vitest";
import { O_NOCTTY, O_RDWR } from "../../../src/kernel/abi/open-flags.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import type { Termios } from "../../../src/kernel/abi/terminal.ts";
import { WUNTRACED } from "../../../src/kernel/abi/wait-status.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import type { TestKernel } from "../../support/test-kernel.ts";

export function describeTerminals(): void {
  describeCall("openpty", () => {
    it("opens both ends, and the slave has a name", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const { master, slave, path } = await sys.openpty({ rows: 24, cols: 80 });
        expect({ master, slave, path }).toEqual({ master: 0, slave: 1, path: "/dev/pts/0" });
        expect(await sys.ioctl(slave, { request: "TIOCGWINSZ" })).toEqual({ rows: 24, cols: 80 });
        expect((await sys.stat(path)).uid).toBe(1000);
        await expectErrno(sys.open("/dev/tty", O_RDWR), "ENXIO");
      });
      expect(test.kernel.limits.used("maxPtys")).toBe(0);
    });

    it("takes nothing when it fails", async () => {
      const test = await bootObserved({ limits: { maxOpenFds: 3, maxPtys: 2 } });
      await test.asUser(async (sys) => {
        await sys.openpty();
        await expectErrno(sys.openpty(), "EMFILE");
        await sys.dup(0);
        await expectErrno(sys.openpty(), "EMFILE");
        expect(test.kernel.limits.used("maxPtys")).toBe(1);
        await test.asUser(async (other) => {
          await other.openpty();
          const { reason } = await test.asUser((third) => expectErrno(third.openpty(), "ENOSPC"));
          expect(reason).toBe("limit maxPtys is 2; raise limits.maxPtys of the VM");
        });
      });
    });
  });
  describeCall("ioctl", describeIoctl);
}

function describeIoctl(): void {
  it("asks and sets what a terminal has", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { master, slave } = await sys.openpty();
      const termios = (await sys.ioctl(slave, { request: "TCGETS" })) as Termios;
      const raw = { ...termios, lflag: { ...termios.lflag, ICANON: false } };
      await sys.ioctl(slave, { request: "TCSETS", termios: raw });
      expect(await sys.ioctl(master, { request: "TCGETS" })).toEqual(raw);
      expect(await sys.ioctl(master, { request: "TIOCGPTN" })).toBe(0);
      const [readFd] = await sys.pipe();
      expect(await sys.ioctl(readFd, { request: "FIONREAD" })).toBe(0);
    });
  });

  it("fails by what the fd is and what is asked", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { slave } = await sys.openpty();
      const [readFd] = await sys.pipe();
      await expectErrno(sys.ioctl(99, { request: "TCGETS" }), "EBADF");
      await expectErrno(sys.ioctl(readFd, { request: "TCGETS" }), "ENOTTY");
      const size = { rows: 70_000, cols: 1 };
      await expectErrno(sys.ioctl(slave, { request: "TIOCSWINSZ", size }), "EINVAL");
      await expectErrno(sys.ioctl(slave, { request: "TIOCSCTTY" }), "EPERM");
    });
  });

  it("lets a session leader take a terminal and put groups in the foreground", async () => {
    const test = await bootObserved();
    await onTerminal(test, async (sys, slave) => {
      expect(await sys.ioctl(slave, { request: "TIOCGSID" })).toBe(await sys.getpid());
      await expectErrno(sys.ioctl(slave, { request: "TIOCSPGRP", pgid: 1 }), "EPERM");
      await expectErrno(sys.ioctl(slave, { request: "TIOCSPGRP", pgid: 30_000 }), "ESRCH");
      const tty = await sys.open("/dev/tty", O_RDWR | O_NOCTTY);
      expect(await sys.ioctl(tty, { request: "TIOCGPGRP" })).toBe(await sys.getpgid());
    });
  });

  it("stops who sets a terminal from the background, or interrupts it", async () => {
    const test = await bootObserved();
    await onTerminal(test, async (sys, slave) => {
      const termios = (await sys.ioctl(slave, { request: "TCGETS" })) as Termios;
      const set = (own: Sys) => own.ioctl(slave, { request: "TCSETS", termios });
      const stopped = await sys.clone(async (child) => Number((await set(child)) !== undefined), {
        pgid: 0,
      });
      expect(await sys.wait({ pid: stopped, flags: WUNTRACED })).toEqual({
        pid: stopped,
        status: { kind: "stopped", signal: signals.SIGTTOU },
      });
      await sys.ioctl(slave, { request: "TIOCSPGRP", pgid: stopped });
      await sys.kill(stopped, signals.SIGCONT);
      expect((await sys.wait({ pid: stopped }))?.status).toEqual({ kind: "exited", code: 0 });
      await sys.sigaction(signals.SIGTTOU, "ignore");
      await sys.ioctl(slave, { request: "TIOCSPGRP", pgid: await sys.getpgid() });
      await sys.sigaction(signals.SIGTTOU, "default");
      await inChild(test, sys, async (child) => {
        await child.sigaction(signals.SIGTTOU, "catch");
        await expectErrno(set(child), "EINTR");
      });
    });
  });

  it("fails with EIO once the terminal is hung up", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { master, slave } = await sys.openpty();
      await sys.close(master);
      await expectErrno(sys.ioctl(slave, { request: "TCGETS" }), "EIO");
    });
  });
}

/** Runs a step as the leader of a session whose terminal is the slave's. */
async function onTerminal(
  test: TestKernel,
  step: (sys: Sys, slave: number) => Promise<void>,
): Promise<void> {
  const { master, slave } = await test.sys.openpty();
  await test.as(
    test.kernel.init.credentials,
    async (sys) => {
      await sys.ioctl(slave, { request: "TIOCSCTTY" });
      await step(sys, slave);
    },
    { isSessionLeader: true },
  );
  await test.sys.close(master);
  await test.sys.close(slave);
}

/** Runs a step in a background group of the session; fails as the step does. */
async function inChild(
  test: TestKernel,
  sys: Sys,
  step: (sys: Sys) => Promise<void>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const pid = await sys.clone(
    async (child) => {
      await step(test.observe(child)).then(resolve, reject);
      return 0;
    },
    { pgid: 0 },
  );
  await sys.wait({ pid });
  await promise;
}
