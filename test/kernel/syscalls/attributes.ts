import { expect, it } from "vitest";
import {
  F_OK,
  O_CREAT,
  O_RDONLY,
  O_RDWR,
  R_OK,
  W_OK,
  X_OK,
} from "../../../src/kernel/abi/open-flags.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { START_MS } from "../../support/manual-host.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { OTHER, USER, writeText } from "../../support/test-kernel.ts";
import { mountReadOnly } from "./situations.ts";

export function describeAttributes(): void {
  describeCall("stat", () => {
    it("tells everything of a file, through links", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await writeText(sys, "f", "hello", 0o640);
        await sys.symlink("f", "link");
        const { ino } = await sys.lstat("f");
        expect(await sys.stat("link")).toEqual({
          kind: "file",
          mode: 0o640,
          uid: 1000,
          gid: 1000,
          size: 5,
          nlink: 1,
          ino,
          dev: 1,
          rdev: 0,
          blocks: expect.any(Number),
          atimeMs: START_MS,
          mtimeMs: START_MS,
          ctimeMs: START_MS,
        });
      });
    });
  });
  describeCall("lstat", () => {
    it("tells of a link itself, but of its target behind a slash", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.symlink("/tmp", "link");
        expect((await sys.lstat("link")).kind).toBe("symlink");
        expect((await sys.lstat("link")).size).toBe(4);
        expect((await sys.lstat("link/")).kind).toBe("directory");
      });
    });
  });
  describeCall("fstat", () => {
    it("tells of files, directories, pipes, devices and terminals", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const kind = async (fd: number): Promise<string> => (await sys.fstat(fd)).kind;
        expect(await kind(await sys.open("f", O_CREAT | O_RDWR))).toBe("file");
        expect(await kind(await sys.open("/tmp", O_RDONLY))).toBe("directory");
        expect(await kind((await sys.pipe())[0])).toBe("fifo");
        expect(await kind(await sys.open("/dev/null", O_RDONLY))).toBe("device");
        expect(await kind((await sys.openpty()).slave)).toBe("device");
        expect(await kind(await sys.inotifyInit())).toBe("anonymous");
        await expectErrno(sys.fstat(99), "EBADF");
      });
    });
  });
  describeCall("access", describeAccess);
  describeCall("statfs", () => {
    it("tells what the file system holds and may hold", async () => {
      const test = await bootObserved({
        limits: { maxFilesystemBytes: 1 << 20, maxInodeCount: 10 },
      });
      await test.asUser(async (sys) => {
        await writeText(sys, "f", "x");
        const { freeBytes, ...rest } = await sys.statfs("/tmp");
        expect(rest).toEqual({
          type: "memory",
          blockSize: 4096,
          totalBytes: 1 << 20,
          totalInodes: 10,
          freeInodes: 9,
        });
        expect(freeBytes).toBeLessThan(1 << 20);
        expect((await sys.statfs("/proc")).type).toBe("proc");
      });
    });
  });
  describeCall("chmod", describeChmod);
  describeCall("fchmod", () => {
    it("changes the mode of an open file", async () => {
      const test = await bootObserved();
      await mountReadOnly(test, "/tmp/ro");
      await writeText(test.sys, "/tmp/roots", "");
      await test.asUser(async (sys) => {
        const fd = await sys.open("f", O_CREAT | O_RDWR);
        await sys.fchmod(fd, 0o600);
        expect((await sys.fstat(fd)).mode).toBe(0o600);
        await expectErrno(sys.fchmod(99, 0), "EBADF");
        await expectErrno(sys.fchmod((await sys.pipe())[0], 0), "EINVAL");
        await expectErrno(sys.fchmod(await sys.open("roots", O_RDONLY), 0o777), "EPERM");
        await expectErrno(sys.fchmod(await sys.open("ro/file", O_RDONLY), 0o777), "EROFS");
      });
    });
  });
  describeCall("chown", () => {
    it("changes owner and group, and takes the set-id bits", async () => {
      const test = await bootObserved();
      await test.asRoot(async (sys) => {
        await writeText(sys, "f", "");
        await sys.chmod("f", 0o6755);
        await sys.symlink("f", "link");
        await sys.chown("link", 5, 6);
        expect(await owner(sys, "f")).toEqual({ uid: 5, gid: 6, mode: 0o755 });
        expect(await owner(sys, "link")).toEqual({ uid: 0, gid: 0, mode: 0o777 });
        await sys.chown("f", -1, 7);
        expect(await owner(sys, "f")).toEqual({ uid: 5, gid: 7, mode: 0o755 });
      });
    });

    it("fails for whom the file is not to give", async () => {
      const test = await bootObserved();
      await failsToChown((sys, path, uid, gid) => sys.chown(path, uid, gid));
      await mountReadOnly(test, "/tmp/ro");
      await test.asRoot(async (sys) => {
        await expectErrno(sys.chown("/tmp/ro/file", 1, 1), "EROFS");
        await expectErrno(sys.chown("/tmp", 0.5, -1), "EINVAL");
      });
    });
  });
  describeCall("lchown", () => {
    it("changes a link itself", async () => {
      const test = await bootObserved();
      await mountReadOnly(test, "/tmp/ro");
      await test.asRoot(async (sys) => {
        await sys.symlink("nowhere", "link");
        await sys.lchown("link", 5, 6);
        expect(await owner(sys, "link")).toEqual({ uid: 5, gid: 6, mode: 0o777 });
        await expectErrno(sys.lchown("ro/link", 1, 1), "EROFS");
      });
      await failsToChown((sys, path, uid, gid) => sys.lchown(path, uid, gid));
    });
  });
  describeCall("fchown", () => {
    it("changes the owner of an open file", async () => {
      const test = await bootObserved();
      await mountReadOnly(test, "/tmp/ro");
      await test.asRoot(async (sys) => {
        const fd = await sys.open("f", O_CREAT | O_RDWR);
        await sys.fchown(fd, 5, 6);
        expect(await owner(sys, "f")).toEqual({ uid: 5, gid: 6, mode: 0o644 });
        await expectErrno(sys.fchown(99, 0, 0), "EBADF");
        await expectErrno(sys.fchown((await sys.pipe())[0], 0, 0), "EINVAL");
        await expectErrno(sys.fchown(await sys.open("ro/file", O_RDONLY), 1, 1), "EROFS");
      });
      await test.asUser(async (sys) => {
        await expectErrno(sys.fchown(await sys.open("f", O_RDONLY), 1000, -1), "EPERM");
      });
    });
  });
  describeCall("utimes", describeUtimes);
}

function describeAccess(): void {
  it("goes by the mode and the real ids, along the whole way", async () => {
    const test = await bootObserved();
    await writeText(test.sys, "/tmp/f", "", 0o640);
    await test.sys.chown("/tmp/f", 0, 1000);
    const asSetUid = { ...USER, euid: 0 };
    for (const who of [USER, asSetUid]) {
      await test.as(who, async (sys) => {
        await sys.access("f", F_OK);
        await sys.access("f", R_OK);
        await expectErrno(sys.access("f", W_OK), "EACCES");
        await expectErrno(sys.access("f", R_OK | X_OK), "EACCES");
        await expectErrno(sys.access("/root/any", F_OK), "EACCES");
        await expectErrno(sys.access("f", 8), "EINVAL");
      });
    }
    await test.asRoot(async (sys) => {
      await sys.access("f", R_OK | W_OK);
      await expectErrno(sys.access("f", X_OK), "EACCES");
    });
  });

  it("fails with EROFS for writing where nothing can be written, but not to devices", async () => {
    const test = await bootObserved();
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await expectErrno(sys.access("ro/file", W_OK), "EROFS");
      await sys.access("ro/file", R_OK);
      const [, writeFd] = await sys.pipe();
      await sys.access(`/proc/self/fd/${writeFd}`, F_OK);
    });
  });
}

function describeChmod(): void {
  it("changes the mode, through links", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await sys.symlink("f", "link");
      await sys.chmod("link", 0o170_4711);
      expect((await sys.stat("f")).mode).toBe(0o4711);
    });
  });

  it("keeps the setgid bit only for a group of one's own", async () => {
    const test = await bootObserved();
    await test.asUser((sys) => writeText(sys, "f", ""));
    await test.sys.chown("/tmp/f", -1, 77);
    await test.asUser(async (sys) => {
      await sys.chmod("f", 0o2755);
      expect((await sys.stat("f")).mode).toBe(0o755);
    });
  });

  it("fails with EPERM for others, and with EROFS", async () => {
    const test = await bootObserved();
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "", 0o666);
      await expectErrno(sys.chmod("ro/file", 0), "EROFS");
    });
    await test.as(OTHER, (sys) => expectErrno(sys.chmod("f", 0), "EPERM"));
  });
}

function describeUtimes(): void {
  it("sets times, leaves out what is left out, and takes now from the clock", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await sys.symlink("f", "link");
      await sys.utimes("link", { atimeMs: 1000.5, mtimeMs: 2000 });
      expect(await times(sys, "f")).toEqual([1000.5, 2000]);
      await test.host.clock.advance(500);
      await sys.utimes("f", { mtimeMs: "now" });
      expect(await times(sys, "f")).toEqual([1000.5, START_MS + 500]);
      await sys.utimes("link", { atimeMs: 1, mtimeMs: 2 }, { followsLast: false });
      expect(await times(sys, "f")).toEqual([1000.5, START_MS + 500]);
      expect(await times(sys, "link")).toEqual([1, 2]);
    });
  });

  it("lets whoever may write say now, and nobody else", async () => {
    const test = await bootObserved();
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await writeText(sys, "open", "");
      await sys.chmod("open", 0o666);
    });
    await test.as(OTHER, async (sys) => {
      await sys.utimes("open", { atimeMs: "now", mtimeMs: "now" });
      await expectErrno(sys.utimes("open", { mtimeMs: "now" }), "EPERM");
      await expectErrno(sys.utimes("open", { atimeMs: 1, mtimeMs: 1 }), "EPERM");
      await expectErrno(sys.utimes("f", { atimeMs: "now", mtimeMs: "now" }), "EACCES");
      await expectErrno(sys.utimes("open", { mtimeMs: Number.NaN }), "EINVAL");
      await expectErrno(sys.utimes("ro/file", { atimeMs: "now", mtimeMs: "now" }), "EROFS");
      await sys.utimes("f", {});
    });
  });
}

type Chown = (sys: Sys, path: string, uid: number, gid: number) => Promise<void>;

async function failsToChown(chown: Chown): Promise<void> {
  const test = await bootObserved();
  await test.asUser((sys) => writeText(sys, "f", ""));
  await test.as({ ...USER, groups: [1000, 50] }, async (sys) => {
    await chown(sys, "f", 1000, 50);
    await chown(sys, "f", -1, 1000);
    await expectErrno(chown(sys, "f", 1001, -1), "EPERM");
    await expectErrno(chown(sys, "f", -1, 51), "EPERM");
  });
  await test.as(OTHER, (sys) => expectErrno(chown(sys, "f", -1, 1001), "EPERM"));
}

async function owner(sys: Sys, path: string): Promise<object> {
  const { uid, gid, mode } = await sys.lstat(path);
  return { uid, gid, mode };
}

async function times(sys: Sys, path: string): Promise<number[]> {
  const { atimeMs, mtimeMs } = await sys.lstat(path);
  return [atimeMs, mtimeMs];
}
