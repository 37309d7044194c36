import { expect, it } from "vitest";
import {
  O_APPEND,
  O_CREAT,
  O_NONBLOCK,
  O_RDONLY,
  O_RDWR,
  O_WRONLY,
  SEEK_CUR,
  SEEK_END,
  SEEK_SET,
} from "../../../src/kernel/abi/open-flags.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { decodeText, encodeText } from "../../../src/kernel/abi/text.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { readText, USER, writeText } from "../../support/test-kernel.ts";
import { outcome } from "../../support/waiter.ts";
import { interrupted, mountReadOnly } from "./situations.ts";

const bytes = (count: number): Uint8Array => new Uint8Array(count);

export function describeFiles(): void {
  describeCall("close", () => {
    it("frees the number for the next file, and fails with EBADF the second time", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const fd = await sys.open("/dev/null", O_RDONLY);
        await sys.close(fd);
        await expectErrno(sys.close(fd), "EBADF");
        await expectErrno(sys.close(-1), "EBADF");
        expect(await sys.open("/dev/zero", O_RDONLY)).toBe(fd);
      });
    });
  });
  describeCall("read", () => describeRead(readings.read));
  describeCall("readThrough", () => describeRead(readings.readThrough));
  describeCall("readThrough", describeReadThrough);
  describeCall("write", describeWrite);
  describeCall("write", describeFullAndBroken);
  describeCall("pread", () => {
    it("reads at an offset and leaves the file's own alone", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await writeText(sys, "f", "abcdef");
        const fd = await sys.open("f", O_RDONLY);
        const into = bytes(3);
        expect(await sys.pread(fd, into, 2)).toBe(3);
        expect(into).toEqual(encodeText("cde"));
        expect(await sys.pread(fd, into, 6)).toBe(0);
        expect(await sys.seek(fd, 0, SEEK_CUR)).toBe(0);
      });
    });

    it("fails on what has no offsets, and for offsets that are none", async () => {
      const test = await bootObserved({ limits: { maxPreadBytes: 10 } });
      await test.asUser(async (sys) => {
        const [readFd] = await sys.pipe();
        await expectErrno(sys.pread(readFd, bytes(1), 0), "ESPIPE");
        const fd = await sys.open("f", O_CREAT | O_WRONLY);
        await expectErrno(sys.pread(fd, bytes(1), 0), "EBADF");
        const directory = await sys.open("/tmp", O_RDONLY);
        await expectErrno(sys.pread(directory, bytes(1), 0), "EISDIR");
        const readable = await sys.open("f", O_RDONLY);
        for (const offset of [-1, 0.5, Number.NaN, 2 ** 60]) {
          await expectErrno(sys.pread(readable, bytes(1), offset), "EINVAL");
        }
        const { reason } = await expectErrno(sys.pread(readable, bytes(11), 0), "EINVAL");
        expect(reason).toBe("limit maxPreadBytes is 10; raise limits.maxPreadBytes of the VM");
      });
    });
  });
  describeCall("pwrite", describePwrite);
  describeCall("seek", describeSeek);
  describeCall("truncate", describeTruncate);
  describeCall("ftruncate", () => {
    it("cuts and extends with zeros", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const fd = await sys.open("f", O_CREAT | O_RDWR);
        await sys.write(fd, encodeText("hello"));
        await sys.ftruncate(fd, 2);
        await sys.ftruncate(fd, 4);
        expect(await readText(sys, "f")).toBe("he\0\0");
        expect(await sys.seek(fd, 0, SEEK_CUR)).toBe(5);
      });
    });

    it("fails on what cannot be cut", async () => {
      const test = await bootObserved({ limits: { maxFileBytes: 100 } });
      await test.asUser(async (sys) => {
        const fd = await sys.open("f", O_CREAT | O_RDWR);
        await expectErrno(sys.ftruncate(99, 0), "EBADF");
        await expectErrno(sys.ftruncate(fd, -1), "EINVAL");
        await expectErrno(sys.ftruncate(await sys.open("f", O_RDONLY), 0), "EINVAL");
        await expectErrno(sys.ftruncate((await sys.pipe())[1], 0), "EINVAL");
        await expectErrno(sys.ftruncate(fd, 101), "EFBIG");
        expect((await sys.fstat(fd)).size).toBe(0);
      });
    });
  });
  describeCall("fsync", () => {
    it("returns for files and directories, and fails on what is kept nowhere", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.fsync(await sys.open("f", O_CREAT | O_RDWR));
        await sys.fsync(await sys.open("/tmp", O_RDONLY));
        await expectErrno(sys.fsync((await sys.pipe())[0]), "EINVAL");
        await expectErrno(sys.fsync(99), "EBADF");
      });
    });
  });
  describeCall("sync", () => {
    it("returns", async () => {
      const test = await bootObserved();
      await test.asUser((sys) => sys.sync());
    });
  });
}

/** `read`, and `readThrough` to a delimiter that is not there: what both have in common. */
const readings: Readonly<Record<"read" | "readThrough", Reading>> = {
  read: (sys, fd, into) => sys.read(fd, into),
  readThrough: (sys, fd, into) => sys.readThrough(fd, into, 10),
};

type Reading = (sys: Sys, fd: number, into: Uint8Array) => Promise<number>;

function describeRead(read: Reading): void {
  it("moves the offset and gives 0 at the end", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "abc");
      const fd = await sys.open("f", O_RDONLY);
      const into = bytes(2);
      expect(await read(sys, fd, into)).toBe(2);
      expect(await read(sys, fd, into)).toBe(1);
      expect(into).toEqual(encodeText("cb"));
      expect(await read(sys, fd, into)).toBe(0);
      expect(await read(sys, fd, bytes(0))).toBe(0);
    });
  });

  it("fails by what the fd is", async () => {
    const test = await bootObserved({ limits: { maxPreadBytes: 10 } });
    await test.asUser(async (sys) => {
      await expectErrno(read(sys, 99, bytes(1)), "EBADF");
      await expectErrno(read(sys, await sys.open("f", O_CREAT | O_WRONLY), bytes(1)), "EBADF");
      await expectErrno(read(sys, await sys.open("/tmp", O_RDONLY), bytes(1)), "EISDIR");
      await expectErrno(read(sys, await sys.open("/tmp", O_RDONLY), bytes(0)), "EISDIR");
      const fd = await sys.open("f", O_RDONLY);
      const { reason } = await expectErrno(read(sys, fd, bytes(11)), "EINVAL");
      expect(reason).toBe("limit maxPreadBytes is 10; raise limits.maxPreadBytes of the VM");
      const [readFd] = await sys.pipe(O_NONBLOCK);
      await expectErrno(read(sys, readFd, bytes(1)), "EAGAIN");
    });
  });

  it("fails with EINTR when a caught signal comes while it waits", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [readFd] = await sys.pipe();
      await interrupted(sys, (own) => read(own, readFd, bytes(1)));
    });
  });

  it("fails with EIO at a master whose slaves are closed", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { master, slave } = await sys.openpty();
      await sys.close(slave);
      await expectErrno(read(sys, master, bytes(1)), "EIO");
    });
  });
}

function describeReadThrough(): void {
  it("takes nothing beyond the delimiter, which it includes", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "ab\ncd\n\ne");
      const [readFd, writeFd] = await sys.pipe();
      await sys.write(writeFd, encodeText("ab\ncd\n\ne"));
      await sys.close(writeFd);
      for (const fd of [await sys.open("f", O_RDONLY), readFd]) {
        expect(await readLines(sys, fd, 10)).toEqual(["ab\n", "cd\n", "\n", "e"]);
      }
    });
  });

  it("leaves the rest to the next reader of the same open file", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "one\ntwo\n");
      const fd = await sys.open("f", O_RDONLY);
      const into = bytes(10);
      expect(await sys.readThrough(fd, into, 10)).toBe(4);
      expect(await sys.seek(fd, 0, SEEK_CUR)).toBe(4);
      expect(await sys.read(fd, into)).toBe(4);
      expect(into.subarray(0, 4)).toEqual(encodeText("two\n"));
    });
  });

  it("refuses a delimiter that is not a byte", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [readFd] = await sys.pipe();
      for (const delimiter of [-1, 256, 0.5, Number.NaN]) {
        await expectErrno(sys.readThrough(readFd, bytes(1), delimiter), "EINVAL");
      }
    });
  });
}

async function readLines(sys: Sys, fd: number, delimiter: number): Promise<string[]> {
  const lines: string[] = [];
  const into = bytes(10);
  for (;;) {
    const count = await sys.readThrough(fd, into, delimiter);
    if (count === 0) return lines;
    lines.push(decodeText(into.subarray(0, count)));
  }
}

function describeWrite(): void {
  it("appends with O_APPEND wherever the offset is", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "abc");
      const fd = await sys.open("f", O_WRONLY | O_APPEND);
      const second = await sys.open("f", O_WRONLY | O_APPEND);
      await sys.write(fd, encodeText("1"));
      await sys.write(second, encodeText("2"));
      await sys.seek(fd, 0, SEEK_SET);
      expect(await sys.write(fd, encodeText("3"))).toBe(1);
      expect(await sys.seek(fd, 0, SEEK_CUR)).toBe(6);
      expect(await readText(sys, "f")).toBe("abc123");
    });
  });

  it("takes the set-id bits from a file that somebody but root writes", async () => {
    const test = await bootObserved();
    await test.as(USER, async (sys) => {
      await writeText(sys, "f", "x", 0o777);
      await sys.chmod("f", 0o6777);
      const fd = await sys.open("f", O_WRONLY);
      expect((await sys.fstat(fd)).mode).toBe(0o6777);
      await sys.write(fd, encodeText("y"));
      expect((await sys.fstat(fd)).mode).toBe(0o777);
    });
  });

  it("fails by what the fd is", async () => {
    const test = await bootObserved({ limits: { maxFdWriteBytes: 10 } });
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await expectErrno(sys.write(99, bytes(1)), "EBADF");
      await expectErrno(sys.write(await sys.open("f", O_RDONLY), bytes(1)), "EBADF");
      await expectErrno(sys.write(await sys.open("/tmp", O_RDONLY), bytes(1)), "EBADF");
      const fd = await sys.open("f", O_WRONLY);
      const { reason } = await expectErrno(sys.write(fd, bytes(11)), "EINVAL");
      expect(reason).toBe("limit maxFdWriteBytes is 10; raise limits.maxFdWriteBytes of the VM");
      expect(await sys.write(await sys.open("/dev/null", O_WRONLY), bytes(10))).toBe(10);
    });
  });
}

function describePwrite(): void {
  it("writes at an offset, leaves the file's own alone, and fills holes with zeros", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_WRONLY);
      expect(await sys.pwrite(fd, encodeText("x"), 3)).toBe(1);
      expect(await sys.seek(fd, 0, SEEK_CUR)).toBe(0);
      expect(await readText(sys, "f")).toBe("\0\0\0x");
    });
  });

  it("fails beyond the limits, and on what has no offsets", async () => {
    const test = await bootObserved({
      limits: { maxFileBytes: 100_000, maxFilesystemBytes: 8192 },
    });
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_WRONLY);
      await expectErrno(sys.pwrite(99, bytes(1), 0), "EBADF");
      await expectErrno(sys.pwrite((await sys.pipe())[1], bytes(1), 0), "ESPIPE");
      await expectErrno(sys.pwrite(fd, bytes(1), -1), "EINVAL");
      await expectErrno(sys.pwrite(fd, bytes(1), 100_000), "EFBIG");
      const { reason } = await expectErrno(sys.pwrite(fd, bytes(10_000), 0), "ENOSPC");
      expect(reason).toBe(
        "limit maxFilesystemBytes is 8192; raise limits.maxFilesystemBytes of the VM",
      );
      expect((await sys.fstat(fd)).size).toBe(0);
    });
  });
}

function describeSeek(): void {
  it("moves from the start, from here and from the end, also past it", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "abcdef");
      const fd = await sys.open("f", O_RDONLY);
      expect(await sys.seek(fd, 4, SEEK_SET)).toBe(4);
      expect(await sys.seek(fd, -1, SEEK_CUR)).toBe(3);
      expect(await sys.seek(fd, -2, SEEK_END)).toBe(4);
      expect(await sys.seek(fd, 10, SEEK_END)).toBe(16);
      expect(await sys.read(fd, bytes(1))).toBe(0);
    });
  });

  it("fails before the start, and where there are no offsets", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      await expectErrno(sys.seek(fd, -1, SEEK_SET), "EINVAL");
      await expectErrno(sys.seek(fd, 0, 7), "EINVAL");
      await expectErrno(sys.seek(fd, Number.NaN, SEEK_SET), "EINVAL");
      await expectErrno(sys.seek(99, 0, SEEK_SET), "EBADF");
      await expectErrno(sys.seek((await sys.pipe())[0], 0, SEEK_SET), "ESPIPE");
    });
  });
}

function describeTruncate(): void {
  it("cuts and extends the file at a path", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "abc");
      await sys.truncate("f", 1);
      await sys.truncate("f", 3);
      expect(await readText(sys, "f")).toBe("a\0\0");
    });
  });

  it("fails on what has no size, without permission, and beyond the limit", async () => {
    const test = await bootObserved({ limits: { maxFileBytes: 100 } });
    await mountReadOnly(test, "/tmp/ro");
    await writeText(test.sys, "/tmp/roots", "", 0o644);
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await sys.mknod("fifo", "fifo");
      await expectErrno(sys.truncate("/tmp", 0), "EISDIR");
      await expectErrno(sys.truncate("fifo", 0), "EINVAL");
      await expectErrno(sys.truncate("f", -1), "EINVAL");
      await expectErrno(sys.truncate("roots", 0), "EACCES");
      await expectErrno(sys.truncate("ro/file", 0), "EROFS");
      await expectErrno(sys.truncate("f", 101), "EFBIG");
    });
  });
}

function describeFullAndBroken(): void {
  it("fails with EPIPE once nobody can read, after SIGPIPE", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.sigaction(signals.SIGPIPE, "ignore");
      const [readFd, writeFd] = await sys.pipe();
      await sys.close(readFd);
      await expectErrno(sys.write(writeFd, bytes(1)), "EPIPE");
    });
    const status = await test.run(async (sys) => {
      const [readFd, writeFd] = await sys.pipe();
      await sys.close(readFd);
      await sys.write(writeFd, bytes(1));
      return 0;
    });
    expect(status).toEqual({ kind: "signaled", signal: signals.SIGPIPE });
  });

  it("waits while the pipe is full, or fails with EAGAIN", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [readFd, writeFd] = await sys.pipe(O_NONBLOCK);
      expect(await sys.write(writeFd, bytes(100_000))).toBe(65_536);
      await expectErrno(sys.write(writeFd, bytes(1)), "EAGAIN");
      await sys.fcntl(writeFd, { request: "F_SETFL", flags: 0 });
      const writing = sys.write(writeFd, bytes(1));
      expect(await outcome(writing)).toBe("waits");
      await sys.read(readFd, bytes(65_536));
      expect(await writing).toBe(1);
    });
  });

  it("fails with EINTR when a caught signal comes before anything is written", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [, writeFd] = await sys.pipe();
      await sys.write(writeFd, bytes(65_536));
      await interrupted(sys, (own) => own.write(writeFd, bytes(1)));
    });
  });

  it("fails with ENOSPC, EFBIG and EIO, writing nothing", async () => {
    const test = await bootObserved({ limits: { maxFileBytes: 100, maxFilesystemBytes: 1 } });
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_WRONLY);
      await expectErrno(sys.write(fd, bytes(101)), "EFBIG");
      await expectErrno(sys.write(fd, bytes(100)), "ENOSPC");
      expect((await sys.fstat(fd)).size).toBe(0);
      await expectErrno(sys.write(await sys.open("/dev/full", O_WRONLY), bytes(1)), "ENOSPC");
      const { master, slave } = await sys.openpty();
      await sys.close(master);
      await expectErrno(sys.write(slave, bytes(1)), "EIO");
    });
  });
}
