import { expect } from "vitest";
import { bytes, type ContractTests, expectErrno, newFile, type Tree } from "./setup.ts";

/** What is charged, what is given back, and that what does not fit changes nothing. */
export function limitsContract(tests: ContractTests): void {
  tests.it(
    "gives back all bytes and inodes once everything is removed",
    async (at) => {
      const before = used(at);
      const directory = await at.directory("directory");
      const file = await at.file("file", "x".repeat(100_000), directory);
      await at.fs.write(file, bytes("y"), 2 ** 30);
      await at.make("symlink", "symlink");
      await at.fs.create(at.name("long"), { ...newFile("symlink"), target: "t".repeat(3000) });
      expect(used(at).bytes).toBeGreaterThanOrEqual(before.bytes + 100_001);
      expect(used(at).inodes).toBeGreaterThanOrEqual(before.inodes + 4);
      await at.fs.unlink(at.name("file", directory));
      await at.fs.rmdir(at.name("directory"));
      await at.fs.unlink(at.name("symlink"));
      await at.fs.unlink(at.name("long"));
      expect(used(at)).toEqual(before);
    },
    ["charges limits"],
  );

  tests.it(
    "gives back what a truncate cuts off",
    async (at) => {
      const before = used(at);
      const file = await at.file("file", "x".repeat(300_000));
      const full = used(at).bytes;
      await at.fs.truncate(file, 70_000);
      expect(used(at).bytes).toBeLessThan(full);
      await at.fs.truncate(file, 0);
      expect(used(at).bytes).toBe(before.bytes);
      await at.fs.truncate(file, 2 ** 30);
      expect(used(at).bytes).toBe(before.bytes);
    },
    ["charges limits"],
  );

  tests.it(
    "gives a held file's bytes back when its last holder lets go",
    async (at) => {
      const before = used(at);
      const file = await at.file("file", "x".repeat(5000));
      const full = used(at);
      at.fs.retain(file);
      await at.fs.unlink(at.name("file"));
      expect(used(at)).toEqual(full);
      at.fs.release(file);
      expect(used(at)).toEqual(before);
    },
    ["charges limits"],
  );

  tests.it(
    "gives back a file that was replaced by rename",
    async (at) => {
      await at.file("from", "short");
      const one = used(at);
      await at.file("to", "x".repeat(5000));
      await at.fs.rename(at.name("from"), at.name("to"));
      expect(used(at)).toEqual(one);
    },
    ["charges limits"],
  );

  tests.it(
    "counts further names of a file and gives them back",
    async (at) => {
      const before = used(at);
      const file = await at.file("file");
      const one = used(at);
      await at.fs.link(at.name("two"), file);
      expect(used(at).inodes).toBe(one.inodes + 1);
      await at.fs.unlink(at.name("file"));
      expect(used(at)).toEqual(one);
      await at.fs.unlink(at.name("two"));
      expect(used(at)).toEqual(before);
    },
    ["charges limits", "hard links"],
  );

  tests.it(
    "fails a write that does not fit with ENOSPC and changes nothing",
    async (at) => {
      const file = await at.file("file", "abc");
      const stat = await at.fs.stat(file);
      const before = used(at);
      at.under.advance(1000);
      await expectErrno(at.fs.write(file, new Uint8Array(300_000), 1), "ENOSPC");
      await expectErrno(at.fs.write(file, new Uint8Array(300_000), "end"), "ENOSPC");
      expect(await at.fs.stat(file)).toEqual(stat);
      expect(used(at)).toEqual(before);
      expect(await at.read(file)).toBe("abc");
      await at.fs.write(file, bytes("def"), "end");
      expect(await at.read(file)).toBe("abcdef");
    },
    ["charges limits"],
    { maxFilesystemBytes: 200_000 },
  );

  tests.it(
    "fails to create or link with ENOSPC once inodes are used up",
    async (at) => {
      const names: string[] = [];
      while (used(at).inodes < 20) {
        names.push(`file-${names.length}`);
        await at.file(names.at(-1) ?? "");
      }
      const parent = await at.fs.stat(at.base);
      for (const kind of ["file", "directory", "symlink"] as const) {
        await expectErrno(at.make("more", kind), "ENOSPC");
      }
      expect(await at.names()).toEqual(names.toSorted());
      expect(await at.fs.stat(at.base)).toMatchObject({
        nlink: parent.nlink,
        mtimeMs: parent.mtimeMs,
      });
      await at.fs.unlink(at.name("file-0"));
      await at.file("more");
    },
    ["charges limits"],
    { maxInodeCount: 20 },
  );

  tests.it(
    "names the limit that was met",
    async (at) => {
      const file = await at.file("file");
      await expect(at.fs.write(file, new Uint8Array(300_000), 0)).rejects.toThrow(
        "maxFilesystemBytes is 200000",
      );
    },
    ["charges limits"],
    { maxFilesystemBytes: 200_000 },
  );

  tests.it(
    "answers statfs from its limits",
    async (at) => {
      const before = await at.fs.statFs();
      await at.file("file", "x".repeat(5000));
      const after = await at.fs.statFs();
      expect(before.freeInodes - after.freeInodes).toBe(1);
      expect(before.freeBytes - after.freeBytes).toBeGreaterThanOrEqual(5000);
    },
    ["charges limits"],
  );

  tests.it(
    "fails to name a file once more than 65000 times with EMLINK",
    async (at) => {
      const file = await at.file("file");
      for (let i = 1; i < 65_000; i++) await at.fs.link(at.name(`n${i}`), file);
      await expectErrno(at.fs.link(at.name("over"), file), "EMLINK");
      expect((await at.fs.stat(file)).nlink).toBe(65_000);
    },
    ["charges limits", "hard links"],
    { maxInodeCount: 100_000 },
  );
}

function used(at: Tree): { bytes: number; inodes: number } {
  const { limits } = at.under;
  return { bytes: limits.used("maxFilesystemBytes"), inodes: limits.used("maxInodeCount") };
}
