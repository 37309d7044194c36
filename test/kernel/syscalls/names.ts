import { expect, it } from "vitest";
import { O_DIRECTORY, O_RDONLY } from "../../../src/kernel/abi/open-flags.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { OTHER, readText, type TestKernel, USER, writeText } from "../../support/test-kernel.ts";
import { mountReadOnly } from "./situations.ts";

const long = "t".repeat(4096);

export function describeNames(): void {
  describeCall("mkdir", describeMkdir);
  describeCall("rmdir", describeRmdir);
  describeCall("unlink", describeUnlink);
  describeCall("rename", describeRename);
  describeCall("link", describeLink);
  describeCall("symlink", describeSymlink);
  describeCall("readlink", () => {
    it("answers the text of a link, and fails with EINVAL for anything else", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.symlink("any/where", "link");
        expect(await sys.readlink("link")).toBe("any/where");
        await expectErrno(sys.readlink("/tmp"), "EINVAL");
        await expectErrno(sys.readlink("missing"), "ENOENT");
      });
    });
  });
  describeCall("mknod", describeMknod);
}

function describeMkdir(): void {
  it("makes a directory with the mode that the mask leaves, without set-id bits", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.umask(0o022);
      await sys.mkdir("d", 0o7777);
      const { kind, mode, uid, nlink } = await sys.stat("d");
      expect({ kind, mode, uid, nlink }).toEqual({
        kind: "directory",
        mode: 0o1755,
        uid: 1000,
        nlink: 2,
      });
    });
  });

  it("passes the setgid bit and the group of its parent on", async () => {
    const test = await bootObserved();
    await test.sys.mkdir("/tmp/shared", 0o777);
    await test.sys.chown("/tmp/shared", -1, 77);
    await test.sys.chmod("/tmp/shared", 0o2777);
    await test.asUser(async (sys) => {
      await sys.mkdir("shared/d", 0o755);
      await writeText(sys, "shared/f", "", 0o644);
      await writeText(sys, "shared/g", "", 0o2755);
      const [d, f, g] = [
        await sys.stat("shared/d"),
        await sys.stat("shared/f"),
        await sys.stat("shared/g"),
      ];
      expect([d.mode, d.gid]).toEqual([0o2755, 77]);
      expect([f.mode, f.gid]).toEqual([0o644, 77]);
      expect([g.mode, g.gid]).toEqual([0o755, 77]);
    });
  });

  it("fails where something is, where nothing may be, and at the limit", async () => {
    const test = await bootObserved({ limits: { maxInodeCount: 3 } });
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await sys.mkdir("d");
      await sys.symlink("nowhere", "link");
      for (const path of ["d", "d/", "link", "link/", "/", ".", ".."]) {
        await expectErrno(sys.mkdir(path), "EEXIST");
      }
      await expectErrno(sys.mkdir("/new"), "EACCES");
      await expectErrno(sys.mkdir("ro/new"), "EROFS");
      await expectErrno(sys.mkdir("more"), "ENOSPC");
    });
  });
}

function describeRmdir(): void {
  it("removes an empty directory, also one that somebody works in", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.mkdir("d");
      await sys.chdir("d");
      await sys.rmdir("../d/");
      await expectErrno(sys.getcwd(), "ENOENT");
      await expectErrno(sys.mkdir("x"), "ENOENT");
      expect((await sys.stat(".")).nlink).toBe(0);
      await sys.chdir("..");
      expect(await sys.getcwd()).toBe("/tmp");
    });
  });

  it("fails by what is there", async () => {
    const test = await bootObserved();
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await sys.mkdir("full");
      await sys.mkdir("full/inner");
      await sys.symlink("full", "link");
      await expectErrno(sys.rmdir("f"), "ENOTDIR");
      await expectErrno(sys.rmdir("link"), "ENOTDIR");
      await expectErrno(sys.rmdir("link/"), "ENOTDIR");
      await expectErrno(sys.rmdir("full"), "ENOTEMPTY");
      await expectErrno(sys.rmdir("full/inner/.."), "ENOTEMPTY");
      await expectErrno(sys.rmdir("full/inner/."), "EINVAL");
      await expectErrno(sys.rmdir("/"), "EBUSY");
      await expectErrno(sys.rmdir("ro"), "EBUSY");
      await expectErrno(sys.rmdir("ro/empty"), "EROFS");
      await expectErrno(sys.rmdir("/home/user"), "EACCES");
    });
  });

  it("fails with EPERM in a sticky directory for others than the owners", async () => {
    const test = await bootObserved();
    await test.asUser((sys) => sys.mkdir("d"));
    await test.as(OTHER, (sys) => expectErrno(sys.rmdir("d"), "EPERM"));
    await test.asUser((sys) => sys.rmdir("d"));
  });
}

function describeUnlink(): void {
  it("removes a name; an open file lives on, and its room is free after the last close", async () => {
    const test = await bootObserved();
    const before = test.kernel.limits.used("maxFilesystemBytes");
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "still here");
      const fd = await sys.open("f", O_RDONLY);
      await sys.unlink("f");
      await expectErrno(sys.lstat("f"), "ENOENT");
      const into = new Uint8Array(20);
      expect(await sys.read(fd, into)).toBe(10);
      expect((await sys.fstat(fd)).nlink).toBe(0);
      expect(test.kernel.limits.used("maxFilesystemBytes")).toBeGreaterThan(before);
    });
    expect(test.kernel.limits.used("maxFilesystemBytes")).toBe(before);
  });

  it("fails by what is there, and in sticky directories", async () => {
    const test = await bootObserved();
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await sys.mkdir("d");
      await sys.symlink("d", "link");
      for (const path of ["d", "d/", ".", "..", "/"]) await expectErrno(sys.unlink(path), "EISDIR");
      await expectErrno(sys.unlink("f/"), "ENOTDIR");
      await expectErrno(sys.unlink("link/"), "ENOTDIR");
      await expectErrno(sys.unlink("/bin"), "EISDIR");
      await expectErrno(sys.unlink("ro/file"), "EROFS");
    });
    await test.as(OTHER, async (sys) => {
      await expectErrno(sys.unlink("f"), "EPERM");
      await expectErrno(sys.unlink("/root/x"), "EACCES");
    });
    await test.asUser((sys) => sys.unlink("link"));
  });
}

function describeRename(): void {
  it("moves a name and replaces what is there", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "a", "A");
      await writeText(sys, "b", "B");
      await sys.rename("a", "b");
      expect(await readText(sys, "b")).toBe("A");
      await expectErrno(sys.lstat("a"), "ENOENT");
      await sys.mkdir("d");
      await sys.mkdir("e");
      await sys.rename("d/", "e/");
      await expectErrno(sys.lstat("d"), "ENOENT");
      await sys.link("b", "c");
      await sys.rename("b", "c");
      expect((await sys.stat("b")).nlink).toBe(2);
    });
  });

  it("takes working directories, open directories, open files and mounts along", async () => {
    const test = await bootObserved();
    await test.sys.mkdir("/tmp/a");
    await test.sys.mkdir("/tmp/a/b");
    await test.sys.mkdir("/tmp/a/b/mnt");
    await test.sys.chown("/tmp/a/b", 1000, 1000);
    await test.sys.mount({ type: "memory", target: "/tmp/a/b/mnt" });
    await test.asUser(async (sys) => {
      await writeText(sys, "/tmp/a/b/f", "x");
      const file = await sys.open("/tmp/a/b/f", O_RDONLY);
      const directory = await sys.open("/tmp/a/b", O_RDONLY | O_DIRECTORY);
      await sys.chdir("/tmp/a/b");
      await test.sys.rename("/tmp/a", "/tmp/z");
      expect(await sys.getcwd()).toBe("/tmp/z/b");
      expect((await sys.stat("..")).ino).toBe((await sys.stat("/tmp/z")).ino);
      expect(await sys.readlink(`/proc/self/fd/${file}`)).toBe("/tmp/z/b/f");
      expect((await sys.stat({ at: directory, path: ".." })).ino).toBe(
        (await sys.stat("/tmp/z")).ino,
      );
      await sys.chdir("/");
      await sys.fchdir(directory);
      expect(await sys.getcwd()).toBe("/tmp/z/b");
      await sys.rename("f", "g");
      expect(await sys.readlink(`/proc/self/fd/${file}`)).toBe("/tmp/z/b/g");
      expect(await readText(sys, "/proc/mounts")).toContain("memory /tmp/z/b/mnt memory rw 0 0\n");
    });
    await test.sys.umount("/tmp/z/b/mnt");
  });

  it("fails by what is where", async () => {
    const test = await bootObserved();
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "");
      await sys.mkdir("d");
      await sys.mkdir("d/e");
      await sys.mkdir("full");
      await writeText(sys, "full/x", "");
      await expectErrno(sys.rename("missing", "f"), "ENOENT");
      await expectErrno(sys.rename("f", "d/e"), "EISDIR");
      await expectErrno(sys.rename("d", "f"), "ENOTDIR");
      await expectErrno(sys.rename("f/", "g"), "ENOTDIR");
      await expectErrno(sys.rename("f", "g/"), "ENOTDIR");
      await expectErrno(sys.rename("d", "full"), "ENOTEMPTY");
      await expectErrno(sys.rename("d", "d/e/inside"), "EINVAL");
      await expectErrno(sys.rename("d/.", "x"), "EBUSY");
      await expectErrno(sys.rename("f", "d/.."), "EBUSY");
      await expectErrno(sys.rename("/", "x"), "EBUSY");
      await expectErrno(sys.rename("ro", "x"), "EBUSY");
      await expectErrno(sys.rename("f", "ro/f"), "EXDEV");
      await expectErrno(sys.rename("f", "/dev/shm/f"), "EXDEV");
      await expectErrno(sys.rename("ro/file", "ro/other"), "EROFS");
      await expectErrno(sys.rename("f", "/bin/f"), "EACCES");
    });
    await test.as(OTHER, async (sys) => {
      await writeText(sys, "mine", "");
      await expectErrno(sys.rename("f", "taken"), "EPERM");
      await expectErrno(sys.rename("mine", "f"), "EPERM");
    });
  });
}

function describeLink(): void {
  it("gives a file a second name, and a link, too", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await writeText(sys, "a", "text");
      await sys.link("a", "b");
      expect((await sys.stat("b")).ino).toBe((await sys.stat("a")).ino);
      expect((await sys.stat("a")).nlink).toBe(2);
      await sys.symlink("nowhere", "s");
      await sys.link("s", "t");
      expect(await sys.readlink("t")).toBe("nowhere");
    });
  });

  it("fails by what is where, and at the limits", async () => {
    const test = await bootObserved({ limits: { maxInodeCount: 5 } });
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await writeText(sys, "a", "");
      await sys.mkdir("d");
      await expectErrno(sys.link("a", "a"), "EEXIST");
      await expectErrno(sys.link("a", "new/"), "ENOENT");
      await expectErrno(sys.link("d", "e"), "EPERM");
      await expectErrno(sys.link("a", "/dev/shm/a"), "EXDEV");
      await expectErrno(sys.link("a", "/bin/a"), "EACCES");
      await expectErrno(sys.link("ro/file", "ro/second"), "EROFS");
      await sys.link("a", "b");
      await sys.link("a", "c");
      await expectErrno(sys.link("a", "e"), "ENOSPC");
    });
  });

  it("fails with EMLINK when a file has 65,000 names", async () => {
    const test = await bootObserved({ limits: { maxInodeCount: 100_000 } });
    await test.asUser(async (sys) => {
      await writeText(sys, "a", "");
      for (let i = 1; i < 65_000; i++) await test.sys.link("/tmp/a", `/tmp/n${i}`);
      await expectErrno(sys.link("a", "one-more"), "EMLINK");
    });
  });
}

function describeSymlink(): void {
  it("makes a link with any text", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.symlink("t".repeat(4095), "link");
      const { kind, mode, size } = await sys.lstat("link");
      expect({ kind, mode, size }).toEqual({ kind: "symlink", mode: 0o777, size: 4095 });
    });
  });

  it("fails for texts that cannot be, where something is, and at the limit", async () => {
    const test = await bootObserved({ limits: { maxInodeCount: 2 } });
    await mountReadOnly(test, "/tmp/ro");
    await test.asUser(async (sys) => {
      await sys.symlink("x", "link");
      await expectErrno(sys.symlink("x", "link"), "EEXIST");
      await expectErrno(sys.symlink("x", "link/"), "EEXIST");
      await expectErrno(sys.symlink("x", "new/"), "ENOENT");
      await expectErrno(sys.symlink("", "new"), "ENOENT");
      await expectErrno(sys.symlink("a\0b", "new"), "EINVAL");
      await expectErrno(sys.symlink(long, "new"), "ENAMETOOLONG");
      await expectErrno(sys.symlink("é".repeat(2048), "new"), "ENAMETOOLONG");
      await expectErrno(sys.symlink("x", "/new"), "EACCES");
      await expectErrno(sys.symlink("x", "ro/new"), "EROFS");
      await expectErrno(sys.symlink("x", "more"), "ENOSPC");
    });
  });
}

function describeMknod(): void {
  it("makes FIFOs and files; devices as root", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.mknod("fifo", "fifo", 0o600);
      await sys.mknod("file", "file", 0o640);
      expect([(await sys.stat("fifo")).kind, (await sys.stat("fifo")).mode]).toEqual([
        "fifo",
        0o600,
      ]);
      expect([(await sys.stat("file")).kind, (await sys.stat("file")).mode]).toEqual([
        "file",
        0o640,
      ]);
    });
    await test.asRoot((sys) => sys.mknod("null", "device", 0o666, 0x103));
    expect(await statFacts(test.sys, "/tmp/null")).toEqual({ kind: "device", rdev: 0x103 });
  });

  it("fails where something is, without the right, and at the limit", async () => {
    const test: TestKernel = await bootObserved({ limits: { maxInodeCount: 2 } });
    await mountReadOnly(test, "/tmp/ro");
    await test.as(USER, async (sys) => {
      await sys.mknod("fifo", "fifo");
      await expectErrno(sys.mknod("fifo", "fifo"), "EEXIST");
      await expectErrno(sys.mknod("dev", "device"), "EPERM");
      await expectErrno(sys.mknod("dir", "directory" as "file"), "EINVAL");
      await expectErrno(sys.mknod("/bin/fifo", "fifo"), "EACCES");
      await expectErrno(sys.mknod("ro/fifo", "fifo"), "EROFS");
      await expectErrno(sys.mknod("more", "fifo"), "ENOSPC");
    });
  });
}

async function statFacts(sys: Sys, path: string): Promise<{ kind: string; rdev: number }> {
  const { kind, rdev } = await sys.stat(path);
  return { kind, rdev };
}
