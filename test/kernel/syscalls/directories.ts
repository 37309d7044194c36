import { expect, it } from "vitest";
import { O_DIRECTORY, O_RDONLY } from "../../../src/kernel/abi/open-flags.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { OTHER, readText, writeText } from "../../support/test-kernel.ts";

export function describeDirectories(): void {
  describeCall("readdir", describeReaddir);
  describeCall("chdir", () => {
    it("goes where a path leads, and stays when it fails", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.mkdir("d");
        await sys.mkdir("closed", 0);
        await sys.symlink("d", "link");
        await writeText(sys, "f", "");
        await sys.chdir("link/");
        expect(await sys.getcwd()).toBe("/tmp/d");
        await sys.chdir("../../tmp/./d/..");
        expect(await sys.getcwd()).toBe("/tmp");
        await expectErrno(sys.chdir("f"), "ENOTDIR");
        await expectErrno(sys.chdir("missing"), "ENOENT");
        await expectErrno(sys.chdir("closed"), "EACCES");
        expect(await sys.getcwd()).toBe("/tmp");
        await sys.chdir("/../..");
        expect(await sys.getcwd()).toBe("/");
      });
    });
  });
  describeCall("fchdir", () => {
    it("goes to an open directory", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.mkdir("d", 0o700);
        const fd = await sys.open("d", O_RDONLY | O_DIRECTORY);
        await sys.fchdir(fd);
        expect(await sys.getcwd()).toBe("/tmp/d");
        await expectErrno(sys.fchdir(99), "EBADF");
        await expectErrno(sys.fchdir((await sys.pipe())[0]), "ENOTDIR");
        await expectErrno(sys.fchdir(await sys.open("/dev/null", O_RDONLY)), "ENOTDIR");
        await sys.chmod("/tmp/d", 0o600);
        await expectErrno(sys.fchdir(fd), "EACCES");
      });
    });
  });
  describeCall("getcwd", () => {
    it("answers the way without links, and ENOENT after the directory is gone", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.mkdir("d");
        await sys.symlink("d", "link");
        await sys.chdir("link");
        expect(await sys.getcwd()).toBe("/tmp/d");
        await sys.rmdir("/tmp/d");
        await expectErrno(sys.getcwd(), "ENOENT");
        await sys.mkdir("/tmp/d");
        await expectErrno(sys.getcwd(), "ENOENT");
      });
    });
  });
  describeCall("umask", () => {
    it("answers the mask before, and takes only permission bits", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        expect(await sys.umask()).toBe(0o022);
        expect(await sys.umask(0o7077)).toBe(0o022);
        expect(await sys.umask()).toBe(0o077);
        await sys.mkdir("d");
        expect((await sys.stat("d")).mode).toBe(0o700);
      });
      expect(await test.sys.umask()).toBe(0o022);
    });
  });
  describeCall("mount", describeMount);
  describeCall("umount", describeUmount);
}

function describeReaddir(): void {
  it("gives every entry once, in pages of any size, and again after a seek", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.mkdir("d");
      for (let i = 0; i < 10; i++) await writeText(sys, `d/f${i}`, "");
      await sys.symlink("x", "d/link");
      const fd = await sys.open("d", O_RDONLY | O_DIRECTORY);
      expect(await namesOf(sys, fd, 3)).toEqual([
        ...Array.from({ length: 10 }, (_, i) => `f${i}`),
        "link",
      ]);
      expect(await sys.readdir(fd)).toEqual([]);
      await sys.seek(fd, 0, 0);
      const link = (await sys.readdir(fd)).find(({ name }) => name === "link");
      expect(link).toEqual({ name: "link", kind: "symlink", ino: (await sys.lstat("d/link")).ino });
    });
  });

  it("never gives more than the limit at once", async () => {
    const test = await bootObserved({ limits: { maxReaddirEntries: 2 } });
    await test.asUser(async (sys) => {
      const fd = await sys.open("/", O_RDONLY);
      expect(await sys.readdir(fd, 1000)).toHaveLength(2);
      expect(await sys.readdir(fd)).toHaveLength(2);
    });
  });

  it("fails on what is no directory", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await expectErrno(sys.readdir(99), "EBADF");
      await expectErrno(sys.readdir(await sys.open("/dev/null", O_RDONLY)), "ENOTDIR");
      await expectErrno(sys.readdir(await sys.open("/", O_RDONLY), 0), "EINVAL");
      await expectErrno(sys.seek(await sys.open("/", O_RDONLY), 5, 0), "EINVAL");
    });
  });
}

function describeMount(): void {
  it("shows an empty file system, and what was there again after umount", async () => {
    const test = await bootObserved();
    const used = test.kernel.limits.used("maxFilesystemBytes");
    await test.asRoot(async (sys) => {
      await sys.mkdir("d");
      await sys.mkdir("d/below");
      await sys.mount({ type: "memory", target: "d" });
      await expectErrno(sys.stat("d/below"), "ENOENT");
      expect((await sys.stat("d")).dev).not.toBe((await sys.stat("/tmp")).dev);
      expect((await sys.stat("d/..")).ino).toBe((await sys.stat("/tmp")).ino);
      await writeText(sys, "d/f", "x".repeat(100_000));
      await sys.mount({ type: "memory", target: "d" });
      await expectErrno(sys.stat("d/f"), "ENOENT");
      await sys.umount("d");
      expect((await sys.stat("d/f")).size).toBe(100_000);
      await sys.umount("d");
      await sys.stat("d/below");
    });
    expect(test.kernel.limits.used("maxFilesystemBytes")).toBe(used);
    expect(test.kernel.limits.used("maxMounts")).toBe(3);
  });

  it("shows a directory at a second place, read-only where asked", async () => {
    const test = await bootObserved();
    await test.asRoot(async (sys) => {
      await sys.mkdir("a");
      await sys.mkdir("b");
      await sys.mount({ type: "bind", source: "a", target: "b", isReadOnly: true });
      await writeText(sys, "a/f", "shared");
      expect(await readText(sys, "b/f")).toBe("shared");
      expect((await sys.stat("b/f")).ino).toBe((await sys.stat("a/f")).ino);
      await expectErrno(sys.mkdir("b/new"), "EROFS");
      expect(await readText(sys, "/proc/mounts")).toContain("/tmp/a /tmp/b memory ro 0 0\n");
      await sys.mkdir("c");
      await sys.mount({ type: "bind", source: "b", target: "c" });
      await expectErrno(sys.mkdir("c/new"), "EROFS");
    });
  });

  it("keeps mounts over one directory apart that is seen at two places", async () => {
    const test = await bootObserved();
    await test.asRoot(async (sys) => {
      await sys.mkdir("a");
      await sys.mkdir("a/m");
      await sys.mkdir("b");
      await sys.mount({ type: "bind", source: "a", target: "b" });
      await sys.mount({ type: "memory", target: "a/m" });
      await writeText(sys, "a/m/one", "");
      await sys.mount({ type: "memory", target: "b/m" });
      await writeText(sys, "b/m/two", "");
      expect((await sys.stat("a/m/one")).kind).toBe("file");
      expect((await sys.stat("b/m/two")).kind).toBe("file");
      await sys.umount("b/m");
      expect((await sys.stat("a/m/one")).kind).toBe("file");
    });
  });

  it("fails for all but root, on what is no directory, and at the limit", async () => {
    const test = await bootObserved({ limits: { maxMounts: 4 } });
    await test.asUser((sys) => expectErrno(sys.mount({ type: "memory", target: "/tmp" }), "EPERM"));
    await test.asRoot(async (sys) => {
      await writeText(sys, "f", "");
      await sys.mkdir("d");
      await expectErrno(sys.mount({ type: "memory", target: "f" }), "ENOTDIR");
      await expectErrno(sys.mount({ type: "bind", source: "f", target: "d" }), "ENOTDIR");
      await expectErrno(sys.mount({ type: "memory", target: "/" }), "EBUSY");
      await expectErrno(sys.mount({ type: "ext4" as "memory", target: "d" }), "ENODEV");
      await sys.mount({ type: "memory", target: "d" });
      const { reason } = await expectErrno(sys.mount({ type: "memory", target: "d" }), "ENOSPC");
      expect(reason).toBe("limit maxMounts is 4; raise limits.maxMounts of the VM");
    });
  });
}

function describeUmount(): void {
  it("fails while the mount is in use", async () => {
    const test = await bootObserved();
    await test.asRoot(async (sys) => {
      await sys.mkdir("d");
      await sys.mount({ type: "memory", target: "d" });
      await sys.chdir("d");
      await expectErrno(sys.umount("/tmp/d"), "EBUSY");
      await sys.chdir("..");
      const fd = await sys.open("d", O_RDONLY);
      await expectErrno(sys.umount("d"), "EBUSY");
      await sys.close(fd);
      await sys.mkdir("d/inner");
      await sys.mount({ type: "memory", target: "d/inner" });
      await expectErrno(sys.umount("d"), "EBUSY");
      await sys.umount("d/inner");
      await sys.umount("d");
      await expectErrno(sys.umount("d"), "EINVAL");
      await expectErrno(sys.umount("/"), "EINVAL");
    });
    await test.as(OTHER, (sys) => expectErrno(sys.umount("/proc"), "EPERM"));
  });
}

async function namesOf(sys: Sys, fd: number, limit: number): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const page = await sys.readdir(fd, limit);
    if (page.length === 0) return names.toSorted();
    names.push(...page.map(({ name }) => name));
  }
}
