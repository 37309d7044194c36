import { expect, it } from "vitest";
import { O_CREAT, O_RDONLY, O_RDWR, O_WRONLY } from "../../../src/kernel/abi/open-flags.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { USER } from "../../support/test-kernel.ts";
import { outcome } from "../../support/waiter.ts";
import { interrupted } from "./situations.ts";

const whole = { start: 0, length: 0 } as const;

export function describeLocks(): void {
  describeCall("flock", describeFlock);
  describeCall("setlk", describeSetlk);
  describeCall("getlk", () => {
    it("tells the lock in the way and who holds it", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const fd = await sys.open("f", O_CREAT | O_RDWR);
        await sys.setlk(fd, { type: "write", start: 10, length: 5 });
        const pid = await sys.getpid();
        expect(await sys.getlk(fd, { type: "write", ...whole })).toBeUndefined();
        await test.as(USER, async (other) => {
          const second = await other.open("f", O_RDWR);
          const found = await other.getlk(second, { type: "read", ...whole });
          expect(found).toEqual({ type: "write", start: 10, length: 5, pid });
          expect(await other.getlk(second, { type: "read", start: 0, length: 10 })).toBeUndefined();
        });
        await expectErrno(sys.getlk(99, { type: "read", ...whole }), "EBADF");
        await expectErrno(sys.getlk(fd, { type: "read", start: -1, length: 1 }), "EINVAL");
        const huge = { start: Number.MAX_SAFE_INTEGER, length: 2 };
        await expectErrno(sys.getlk(fd, { type: "read", ...huge }), "EOVERFLOW");
      });
    });
  });
}

function describeFlock(): void {
  it("keeps open files apart until the last fd of one is closed", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      const copy = await sys.dup(fd);
      const other = await sys.open("f", O_RDONLY);
      await sys.flock(fd, "exclusive");
      await sys.flock(copy, "exclusive", true);
      await expectErrno(sys.flock(other, "shared", true), "EAGAIN");
      const waiting = sys.flock(other, "shared");
      await sys.close(fd);
      expect(await outcome(waiting)).toBe("waits");
      await sys.close(copy);
      await waiting;
      await sys.flock(other, "unlock");
    });
    expect(test.kernel.limits.used("maxFileLocks")).toBe(0);
  });

  it("fails with EINTR, for what is not open, and at the limit", async () => {
    const test = await bootObserved({ limits: { maxFileLocks: 1 } });
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      const other = await sys.open("f", O_RDONLY);
      const third = await sys.open("g", O_CREAT | O_RDWR);
      await sys.flock(fd, "exclusive");
      await interrupted(sys, (own) => own.flock(other, "exclusive"));
      await expectErrno(sys.flock(99, "shared"), "EBADF");
      const { reason } = await expectErrno(sys.flock(third, "shared"), "ENOLCK");
      expect(reason).toBe("limit maxFileLocks is 1; raise limits.maxFileLocks of the VM");
    });
  });
}

function describeSetlk(): void {
  it("locks ranges against other processes until any fd of the file is closed", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      await sys.setlk(fd, { type: "write", start: 0, length: 10 });
      await test.as(USER, async (other) => {
        const theirs = await other.open("f", O_RDWR);
        await other.setlk(theirs, { type: "write", start: 10, length: 1 });
        await expectErrno(other.setlk(theirs, { type: "read", start: 9, length: 1 }), "EAGAIN");
        const waiting = other.setlk(theirs, { type: "read", start: 9, length: 1 }, true);
        expect(await outcome(waiting)).toBe("waits");
        await sys.close(await sys.open("f", O_RDONLY));
        await waiting;
      });
    });
    expect(test.kernel.limits.used("maxFileLocks")).toBe(0);
  });

  it("gives back what dup2 closes, and what an ended process held", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      await sys.setlk(fd, { type: "write", ...whole });
      await sys.dup2(await sys.open("/dev/null", O_RDONLY), fd);
      expect(test.kernel.limits.used("maxFileLocks")).toBe(0);
      const again = await sys.open("f", O_RDWR);
      await sys.setlk(again, { type: "write", ...whole });
      expect(test.kernel.limits.used("maxFileLocks")).toBe(1);
    });
    expect(test.kernel.limits.used("maxFileLocks")).toBe(0);
  });

  it("fails with EDEADLK when both would wait for ever", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      await sys.setlk(fd, { type: "write", start: 0, length: 1 });
      await test.as(USER, async (other) => {
        const theirs = await other.open("f", O_RDWR);
        await other.setlk(theirs, { type: "write", start: 1, length: 1 });
        const waiting = sys.setlk(fd, { type: "write", start: 1, length: 1 }, true);
        expect(await outcome(waiting)).toBe("waits");
        const closing = other.setlk(theirs, { type: "write", start: 0, length: 1 }, true);
        await expectErrno(closing, "EDEADLK");
        await other.close(theirs);
        await waiting;
      });
    });
  });

  it("fails without the access, for ranges that cannot be, with EINTR and at the limit", async () => {
    const test = await bootObserved({ limits: { maxFileLocks: 1 } });
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      const readFd = await sys.open("f", O_RDONLY);
      const writeFd = await sys.open("f", O_WRONLY);
      await expectErrno(sys.setlk(99, { type: "read", ...whole }), "EBADF");
      await expectErrno(sys.setlk(readFd, { type: "write", ...whole }), "EBADF");
      await expectErrno(sys.setlk(writeFd, { type: "read", ...whole }), "EBADF");
      await expectErrno(sys.setlk(fd, { type: "read", start: 0, length: -1 }), "EINVAL");
      const huge = { start: Number.MAX_SAFE_INTEGER, length: 2 };
      await expectErrno(sys.setlk(fd, { type: "read", ...huge }), "EOVERFLOW");
      await sys.setlk(fd, { type: "write", start: 0, length: 1 });
      const { reason } = await expectErrno(
        sys.setlk(fd, { type: "write", start: 5, length: 1 }),
        "ENOLCK",
      );
      expect(reason).toBe("limit maxFileLocks is 1; raise limits.maxFileLocks of the VM");
      await test.as(USER, async (other) => {
        const theirs = await other.open("f", O_RDWR);
        await interrupted(other, (own) => own.setlk(theirs, { type: "read", ...whole }, true));
      });
    });
  });
}
