import { expect } from "vitest";
import type { FileKind } from "../../../src/kernel/abi/stat.ts";
import { bytes, type ContractTests, expectErrno, newFile } from "./setup.ts";

const special: FileKind[] = ["fifo", "device", "socket"];

/** create, lookup, link, unlink, rmdir, readlink, and holding what has no name any more. */
export function namesContract(tests: ContractTests): void {
  tests.it("finds what was created, and the same object each time", async (at) => {
    const file = await at.file("file");
    const directory = await at.directory("directory");
    expect(await at.find("file")).toBe(file);
    expect(await at.find("directory")).toBe(directory);
    expect(file.kind).toBe("file");
    expect(directory.kind).toBe("directory");
    expect(file.ino).not.toBe(directory.ino);
  });

  tests.it("finds nothing under a name that was never made, nor under Object's own", async (at) => {
    for (const name of ["nothing", "constructor", "__proto__", "toString"]) {
      expect(await at.find(name)).toBeUndefined();
    }
  });

  tests.it("keeps names apart that look alike", async (at) => {
    const names = ["__proto__", "é", "e\u0301", "A", "a", " ", "…", "\n", "a".repeat(255)];
    for (const name of names) await at.file(name, name);
    for (const name of names) {
      const inode = await at.find(name);
      expect(inode && (await at.read(inode))).toBe(name);
    }
    expect(await at.names()).toEqual(names.toSorted());
  });

  tests.it(
    "keeps names that are not UTF-8",
    async (at) => {
      await at.file("\udcff\udc80");
      expect(await at.names()).toEqual(["\udcff\udc80"]);
      expect(await at.find("\udcff\udc80")).toBeDefined();
      expect(await at.find("\udcff")).toBeUndefined();
    },
    ["names of any bytes"],
  );

  tests.it("fails to create with EEXIST where the name is taken by anything", async (at) => {
    const kinds: FileKind[] = ["file", "directory", "symlink"];
    for (const taken of kinds) {
      await at.make(taken, taken);
      for (const kind of kinds) await expectErrno(at.make(taken, kind), "EEXIST");
    }
    expect(await at.names()).toEqual(kinds.toSorted());
  });

  tests.it("answers a symlink's target as it was given, whatever is there", async (at) => {
    for (const target of ["a", "/", "../..", "a//b/", "ü".repeat(2000)]) {
      const link = await at.fs.create(at.name(`to ${target.slice(0, 2).replaceAll("/", "s")}`), {
        ...newFile("symlink"),
        target,
      });
      expect(await at.fs.readlink(link, 1)).toBe(target);
      expect((await at.fs.stat(link)).size).toBe(bytes(target).length);
    }
  });

  tests.it("fails to read the target of what is no symlink with EINVAL", async (at) => {
    await expectErrno(at.fs.readlink(await at.file("file"), 1), "EINVAL");
    await expectErrno(at.fs.readlink(at.base, 1), "EINVAL");
  });

  tests.it(
    "keeps the kind and numbers of devices, fifos and sockets",
    async (at) => {
      for (const kind of special) {
        const inode = await at.make(kind, kind);
        expect(await at.find(kind)).toBe(inode);
        const { rdev, size } = await at.fs.stat(inode);
        expect({ kind: inode.kind, rdev, size }).toEqual({
          kind,
          rdev: kind === "device" ? 0x0705 : 0,
          size: 0,
        });
      }
    },
    ["devices and fifos"],
  );

  tests.it(
    "fails to open a device that nothing is behind with ENXIO",
    async (at) => expectErrno(at.fs.openDevice(await at.make("d", "device"), 0), "ENXIO"),
    ["devices and fifos"],
  );

  tests.it(
    "gives a file a second name that shares everything",
    async (at) => {
      const file = await at.file("one", "shared");
      await at.fs.link(at.name("two"), file);
      expect(await at.find("two")).toBe(file);
      expect((await at.fs.stat(file)).nlink).toBe(2);
      await at.fs.unlink(at.name("one"));
      expect(await at.read(file)).toBe("shared");
      expect((await at.fs.stat(file)).nlink).toBe(1);
      expect(await at.names()).toEqual(["two"]);
    },
    ["hard links"],
  );

  tests.it(
    "links with EEXIST over any name and with ENOENT what has none left",
    async (at) => {
      const file = await at.file("file");
      await at.directory("directory");
      await expectErrno(at.fs.link(at.name("directory"), file), "EEXIST");
      await expectErrno(at.fs.link(at.name("file"), file), "EEXIST");
      at.fs.retain(file);
      await at.fs.unlink(at.name("file"));
      await expectErrno(at.fs.link(at.name("again"), file), "ENOENT");
      at.fs.release(file);
    },
    ["hard links"],
  );

  tests.it("removes names of files and symlinks, not of directories", async (at) => {
    await at.file("file");
    await at.make("symlink", "symlink");
    await at.directory("directory");
    await at.fs.unlink(at.name("file"));
    await at.fs.unlink(at.name("symlink"));
    await expectErrno(at.fs.unlink(at.name("directory")), "EISDIR");
    await expectErrno(at.fs.unlink(at.name("file")), "ENOENT");
    expect(await at.names()).toEqual(["directory"]);
    expect(await at.find("file")).toBeUndefined();
  });

  tests.it("removes empty directories only", async (at) => {
    const directory = await at.directory("directory");
    await at.file("file", "", directory);
    await at.file("plain");
    await at.make("link", "symlink");
    await expectErrno(at.fs.rmdir(at.name("directory")), "ENOTEMPTY");
    await expectErrno(at.fs.rmdir(at.name("plain")), "ENOTDIR");
    await expectErrno(at.fs.rmdir(at.name("link")), "ENOTDIR");
    await expectErrno(at.fs.rmdir(at.name("nothing")), "ENOENT");
    await at.fs.unlink(at.name("file", directory));
    await at.fs.rmdir(at.name("directory"));
    expect(await at.names()).toEqual(["link", "plain"]);
  });

  tests.it("makes a name anew after it was removed, with nothing of the old file", async (at) => {
    const old = await at.file("name", "old content");
    await at.fs.unlink(at.name("name"));
    const fresh = await at.file("name");
    expect(fresh).not.toBe(old);
    expect(await at.read(fresh)).toBe("");
  });

  tests.it("makes a directory anew after it was removed, empty", async (at) => {
    const old = await at.directory("d");
    await at.file("inside", "x", old);
    await at.fs.unlink(at.name("inside", old));
    await at.fs.rmdir(at.name("d"));
    expect(await at.names(await at.directory("d"))).toEqual([]);
  });

  tests.it(
    "keeps the content of a held file after its last name is gone",
    async (at) => {
      const file = await at.file("file", "still here");
      at.fs.retain(file);
      at.fs.retain(file);
      await at.fs.unlink(at.name("file"));
      at.fs.release(file);
      expect(await at.read(file)).toBe("still here");
      await at.fs.write(file, bytes(" and written"), "end");
      expect(await at.read(file)).toBe("still here and written");
      expect((await at.fs.stat(file)).nlink).toBe(0);
      at.fs.release(file);
      expect(await at.names()).toEqual([]);
    },
    ["files without a name"],
  );

  tests.it(
    "finds nothing in a removed directory and fails changes there with ENOENT",
    async (at) => {
      const gone = await at.directory("gone");
      const file = await at.file("file");
      at.fs.retain(gone);
      await at.fs.rmdir(at.name("gone"));
      expect(await at.fs.lookup(gone, "x")).toBeUndefined();
      expect(await at.entries(gone)).toEqual([]);
      expect((await at.fs.stat(gone)).nlink).toBe(0);
      await expectErrno(at.file("x", "", gone), "ENOENT");
      await expectErrno(at.directory("x", gone), "ENOENT");
      await expectErrno(at.fs.unlink(at.name("x", gone)), "ENOENT");
      await expectErrno(at.fs.rmdir(at.name("x", gone)), "ENOENT");
      await expectErrno(at.fs.rename(at.name("x", gone), at.name("y")), "ENOENT");
      await expectErrno(at.fs.rename(at.name("file"), at.name("x", gone)), "ENOENT");
      expect(await at.find("file")).toBe(file);
      at.fs.release(gone);
    },
  );

  tests.it(
    "fails to link into a removed directory with ENOENT",
    async (at) => {
      const gone = await at.directory("gone");
      const file = await at.file("file");
      await at.fs.rmdir(at.name("gone"));
      await expectErrno(at.fs.link(at.name("x", gone), file), "ENOENT");
      expect((await at.fs.stat(file)).nlink).toBe(1);
    },
    ["hard links"],
  );
}
