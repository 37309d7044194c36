import { expect, it } from "vitest";
import {
  O_CLOEXEC,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
} from "../../../src/kernel/abi/open-flags.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { OTHER, ROOT, readText, writeText } from "../../support/test-kernel.ts";
import { interrupted, mountReadOnly } from "./situations.ts";

export function describeOpen(): void {
  describeCall("open", describeSuccess);
  describeCall("open", describeFailures);
}

function describeSuccess(): void {
  it("gives the lowest free fd", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fds = [];
      for (let i = 0; i < 4; i++) fds.push(await sys.open("/dev/null", O_RDONLY));
      expect(fds).toEqual([0, 1, 2, 3]);
      await sys.close(1);
      expect(await sys.open("/dev/null", O_RDONLY)).toBe(1);
    });
  });

  it("makes a file with the mode that the mask leaves, owned by who makes it", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.umask(0o027);
      const fd = await sys.open("f", O_CREAT | O_EXCL | O_WRONLY, 0o4777);
      const { mode, uid, gid, kind, size, nlink } = await sys.fstat(fd);
      expect({ mode, uid, gid, kind, size, nlink }).toEqual({
        mode: 0o4750,
        uid: 1000,
        gid: 1000,
        kind: "file",
        size: 0,
        nlink: 1,
      });
    });
  });

  it("opens a file it makes for writing whatever its mode", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR, 0);
      expect(await sys.write(fd, encodeText("x"))).toBe(1);
      await expectErrno(sys.open("f", O_RDONLY), "EACCES");
    });
  });

  it("makes what a dangling link leads to, but not with O_EXCL", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.symlink("real", "link");
      await expectErrno(sys.open("link", O_CREAT | O_EXCL | O_WRONLY), "EEXIST");
      await sys.open("link", O_CREAT | O_WRONLY);
      expect((await sys.lstat("real")).kind).toBe("file");
      expect((await sys.lstat("link")).kind).toBe("symlink");
    });
  });

  it("cuts with O_TRUNC, and not without", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "content");
      await sys.open("f", O_CREAT | O_WRONLY);
      expect(await readText(sys, "f")).toBe("content");
      await sys.open("f", O_WRONLY | O_TRUNC);
      expect(await readText(sys, "f")).toBe("");
    });
  });

  it("closes on exec only with O_CLOEXEC", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const kept = await sys.open("/dev/null", O_RDONLY);
      const closed = await sys.open("/dev/null", O_RDONLY | O_CLOEXEC);
      expect(await sys.fcntl(kept, { request: "F_GETFD" })).toBe(0);
      expect(await sys.fcntl(closed, { request: "F_GETFD" })).toBe(1);
    });
  });
}

function describeFailures(): void {
  it("fails by what is there", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await sys.symlink("f", "link");
      await sys.mknod("fifo", "fifo");
      await expectErrno(sys.open("f", O_CREAT | O_EXCL), "EEXIST");
      await expectErrno(sys.open("/tmp", O_WRONLY), "EISDIR");
      await expectErrno(sys.open("/tmp", O_RDONLY | O_CREAT), "EISDIR");
      await expectErrno(sys.open("/tmp", O_RDONLY | O_TRUNC), "EISDIR");
      await expectErrno(sys.open("new/", O_RDONLY | O_CREAT), "EISDIR");
      await expectErrno(sys.open("f", O_RDONLY | O_DIRECTORY), "ENOTDIR");
      await expectErrno(sys.open("f/", O_RDONLY), "ENOTDIR");
      await expectErrno(sys.open("link", O_RDONLY | O_NOFOLLOW), "ELOOP");
      await expectErrno(sys.open("fifo", O_WRONLY | O_NONBLOCK), "ENXIO");
      await expectErrno(sys.open("/dev/tty", O_RDWR), "ENXIO");
      await expectErrno(sys.open("f", O_CREAT | O_DIRECTORY), "EINVAL");
    });
  });

  it("fails with EACCES by the mode, and for root never", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "secret", "", 0o600);
      await sys.mkdir("mine", 0o755);
    });
    await test.as(OTHER, async (sys) => {
      await expectErrno(sys.open("secret", O_RDONLY), "EACCES");
      await expectErrno(sys.open("mine/new", O_CREAT | O_WRONLY), "EACCES");
    });
    await test.as(ROOT, (sys) => sys.open("secret", O_RDWR));
  });

  it("fails with EROFS where nothing can be written", async () => {
    const test = await bootObserved();
    await mountReadOnly(test, "/tmp/ro");
    await test.asRoot(async (sys) => {
      await expectErrno(sys.open("ro/file", O_WRONLY), "EROFS");
      await expectErrno(sys.open("ro/file", O_RDONLY | O_TRUNC), "EROFS");
      await expectErrno(sys.open("ro/new", O_CREAT | O_WRONLY), "EROFS");
      expect(await readText(sys, "ro/file")).toBe("kept");
    });
  });

  it("makes and cuts nothing when no fd is left", async () => {
    const test = await bootObserved({ limits: { maxOpenFds: 2 } });
    await writeText(test.sys, "/tmp/f", "content", 0o666);
    await test.asUser(async (sys) => {
      await sys.pipe();
      const { reason } = await expectErrno(sys.open("new", O_CREAT | O_WRONLY), "EMFILE");
      expect(reason).toBe("limit maxOpenFds is 2; raise limits.maxOpenFds of the VM");
      await expectErrno(sys.open("f", O_WRONLY | O_TRUNC), "EMFILE");
      await expectErrno(sys.lstat("new"), "ENOENT");
    });
    expect(await readText(test.sys, "/tmp/f")).toBe("content");
  });

  it("makes and cuts nothing when the VM has too many open files", async () => {
    const test = await bootObserved({ limits: { maxOpenFiles: 1 } });
    await writeText(test.sys, "/tmp/f", "content", 0o666);
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_RDONLY);
      const { reason } = await expectErrno(sys.open("f", O_WRONLY | O_TRUNC), "ENFILE");
      expect(reason).toBe("limit maxOpenFiles is 1; raise limits.maxOpenFiles of the VM");
      await expectErrno(sys.open("new", O_CREAT | O_WRONLY), "ENFILE");
      await expectErrno(sys.lstat("new"), "ENOENT");
      await sys.close(fd);
      expect(await readText(sys, "f")).toBe("content");
    });
    expect(test.kernel.limits.used("maxOpenFiles")).toBe(0);
  });

  it("fails with ENOSPC when the VM has too many files", async () => {
    const test = await bootObserved({ limits: { maxInodeCount: 1 } });
    await test.asUser(async (sys) => {
      await sys.open("a", O_CREAT | O_WRONLY);
      const { reason } = await expectErrno(sys.open("b", O_CREAT | O_WRONLY), "ENOSPC");
      expect(reason).toBe("limit maxInodeCount is 1; raise limits.maxInodeCount of the VM");
    });
  });

  it("fails with EINTR when a caught signal comes while it waits at a FIFO", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.mknod("fifo", "fifo");
      await interrupted(sys, (own) => own.open("fifo", O_RDONLY));
    });
    expect(test.kernel.limits.used("maxPipes")).toBe(0);
  });
}
