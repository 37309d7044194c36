import { expect, it } from "vitest";
import {
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_NONBLOCK,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
  SEEK_CUR,
} from "../../../src/kernel/abi/open-flags.ts";
import { POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT } from "../../../src/kernel/abi/poll.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import type { FcntlRequest } from "../../../src/kernel/syscalls/descriptors.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { readAll, readText } from "../../support/test-kernel.ts";
import { outcome } from "../../support/waiter.ts";
import { interrupted } from "./situations.ts";

export function describeDescriptors(): void {
  describeCall("dup", () => {
    it("gives the lowest fd from a number up, sharing the offset", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const fd = await sys.open("f", O_CREAT | O_RDWR);
        const second = await sys.dup(fd);
        const high = await sys.dup(fd, 10, true);
        expect([fd, second, high]).toEqual([0, 1, 10]);
        await sys.write(fd, encodeText("abc"));
        expect(await sys.seek(high, 0, SEEK_CUR)).toBe(3);
        expect(await sys.fcntl(high, { request: "F_GETFD" })).toBe(1);
        await sys.close(fd);
        await sys.write(second, encodeText("d"));
        expect(await readText(sys, "f")).toBe("abcd");
      });
    });

    it("fails for what is not open, for numbers that cannot be, and when none is left", async () => {
      const test = await bootObserved({ limits: { maxOpenFds: 4 } });
      await test.asUser(async (sys) => {
        const [fd] = await sys.pipe();
        await expectErrno(sys.dup(99), "EBADF");
        await expectErrno(sys.dup(fd, -1), "EINVAL");
        await expectErrno(sys.dup(fd, 4), "EINVAL");
        await sys.dup(fd, 3);
        await expectErrno(sys.dup(fd, 3), "EMFILE");
        expect(await sys.dup(fd)).toBe(2);
        const { reason } = await expectErrno(sys.dup(fd), "EMFILE");
        expect(reason).toBe("limit maxOpenFds is 4; raise limits.maxOpenFds of the VM");
      });
    });
  });
  describeCall("dup2", () => {
    it("puts a file at a number, closing what was there", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const [readFd, writeFd] = await sys.pipe();
        const fd = await sys.open("f", O_CREAT | O_RDWR | O_CLOEXEC);
        expect(await sys.dup2(fd, fd)).toBe(fd);
        expect(await sys.fcntl(fd, { request: "F_GETFD" })).toBe(1);
        expect(await sys.dup2(fd, writeFd)).toBe(writeFd);
        expect(await sys.fcntl(writeFd, { request: "F_GETFD" })).toBe(0);
        expect(await readAll(sys, readFd)).toBe("");
        expect(await sys.dup2(fd, 200, true)).toBe(200);
        expect(await sys.fcntl(200, { request: "F_GETFD" })).toBe(1);
      });
    });

    it("fails with EBADF and closes nothing", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const [fd] = await sys.pipe();
        for (const newFd of [-1, 256, 1.5, Number.NaN]) {
          await expectErrno(sys.dup2(fd, newFd), "EBADF");
        }
        await expectErrno(sys.dup2(99, fd), "EBADF");
        await expectErrno(sys.dup2(99, 99), "EBADF");
        await sys.fstat(fd);
      });
    });
  });
  describeCall("pipe", describePipe);
  describeCall("fcntl", describeFcntl);
  describeCall("poll", describePoll);
}

function describePipe(): void {
  it("carries bytes from one end to the other until the writers have closed", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [readFd, writeFd] = await sys.pipe(O_CLOEXEC);
      expect([readFd, writeFd]).toEqual([0, 1]);
      await sys.write(writeFd, encodeText("through"));
      await sys.close(writeFd);
      expect(await readAll(sys, readFd)).toBe("through");
      expect(await sys.fcntl(readFd, { request: "F_GETFD" })).toBe(1);
    });
    expect(test.kernel.limits.used("maxPipes")).toBe(0);
  });

  it("takes nothing when it fails", async () => {
    const test = await bootObserved({ limits: { maxOpenFds: 3, maxPipes: 2 } });
    await test.asUser(async (sys) => {
      await expectErrno(sys.pipe(O_APPEND), "EINVAL");
      await sys.pipe();
      await expectErrno(sys.pipe(), "EMFILE");
      expect(test.kernel.limits.used("maxPipes")).toBe(1);
      expect(await sys.open("/dev/null", O_RDONLY)).toBe(2);
    });
    await test.asUser(async (sys) => {
      const [readFd, writeFd] = await sys.pipe();
      await test.asUser(async (other) => {
        await other.pipe();
        await sys.close(readFd);
        const { reason } = await expectErrno(sys.pipe(), "ENFILE");
        expect(reason).toBe("limit maxPipes is 2; raise limits.maxPipes of the VM");
        await sys.close(writeFd);
        await sys.pipe();
      });
    });
  });
}

function describeFcntl(): void {
  it("tells and changes the flags of the open file, which copies share", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC);
      const copy = await sys.dup(fd);
      expect(await sys.fcntl(fd, { request: "F_GETFL" })).toBe(O_RDWR);
      const flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_CREAT;
      expect(await sys.fcntl(copy, { request: "F_SETFL", flags })).toBe(0);
      expect(await sys.fcntl(fd, { request: "F_GETFL" })).toBe(O_RDWR | O_APPEND | O_NONBLOCK);
    });
  });

  it("tells and changes the flag of the fd, which copies do not share", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("/dev/null", O_RDONLY);
      const copy = await sys.dup(fd);
      expect(await sys.fcntl(fd, { request: "F_SETFD", isCloseOnExec: true })).toBe(0);
      expect(await sys.fcntl(fd, { request: "F_GETFD" })).toBe(1);
      expect(await sys.fcntl(copy, { request: "F_GETFD" })).toBe(0);
    });
  });

  it("fails for what is not open and for requests there are none of", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [fd] = await sys.pipe();
      await expectErrno(sys.fcntl(99, { request: "F_GETFL" }), "EBADF");
      await expectErrno(sys.fcntl(fd, { request: "F_NONE" } as unknown as FcntlRequest), "EINVAL");
    });
  });
}

function describePoll(): void {
  it("tells what holds of each fd now", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [readFd, writeFd] = await sys.pipe();
      const file = await sys.open("f", O_CREAT | O_RDWR);
      const all = POLLIN | POLLOUT;
      const requests = [readFd, writeFd, file, 99, -1].map((fd) => ({ fd, events: all }));
      expect(await sys.poll(requests, 0)).toEqual([0, POLLOUT, all, POLLNVAL, 0]);
      await sys.write(writeFd, encodeText("x"));
      expect(await sys.poll([{ fd: readFd, events: POLLIN }])).toEqual([POLLIN]);
      expect(await sys.poll([{ fd: readFd, events: 0 }], 0)).toEqual([0]);
      await sys.close(writeFd);
      expect(await sys.poll([{ fd: readFd, events: POLLIN }])).toEqual([POLLIN | POLLHUP]);
    });
  });

  it("waits until something holds", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [readFd, writeFd] = await sys.pipe();
      const [otherRead, otherWrite] = await sys.pipe();
      const waiting = sys.poll([
        { fd: readFd, events: POLLIN },
        { fd: otherWrite, events: 0 },
      ]);
      expect(await outcome(waiting)).toBe("waits");
      await sys.close(otherRead);
      expect(await waiting).toEqual([0, POLLERR]);
      await sys.close(writeFd);
    });
  });

  it("answers nothing at its timeout, and not before", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [readFd] = await sys.pipe();
      const waiting = sys.poll([{ fd: readFd, events: POLLIN }], 100);
      await test.host.clock.advance(99);
      expect(await outcome(waiting)).toBe("waits");
      await test.host.clock.advance(1);
      expect(await waiting).toEqual([0]);
      expect(test.host.clock.timers).toBe(0);
      expect(test.kernel.limits.used("maxTimers")).toBe(0);
    });
  });

  it("fails with EINTR, for too many fds, and without a timer", async () => {
    const test = await bootObserved({ limits: { maxOpenFds: 3, maxTimers: 1 } });
    await test.asUser(async (sys) => {
      const [readFd] = await sys.pipe();
      await interrupted(sys, (own) => own.poll([{ fd: readFd, events: POLLIN }]));
      const request = { fd: readFd, events: POLLIN };
      await expectErrno(sys.poll([request, request, request, request]), "EINVAL");
      const first = sys.poll([request], 50);
      const { reason } = await expectErrno(sys.poll([request], 50), "EAGAIN");
      expect(reason).toBe("limit maxTimers is 1; raise limits.maxTimers of the VM");
      await test.host.clock.advance(50);
      expect(await first).toEqual([0]);
    });
  });
}
