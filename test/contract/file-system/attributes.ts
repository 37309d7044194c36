import { expect } from "vitest";
import type { Stat } from "../../../src/kernel/abi/stat.ts";
import type { Inode } from "../../../src/kernel/vfs/file-system.ts";
import { bytes, type ContractTests, expectErrno, type Tree } from "./setup.ts";

/** stat, setAttributes, link counts and times. */
export function attributesContract(tests: ContractTests): void {
  tests.it(
    "starts a file with the mode and owner it was made with",
    async (at) => {
      const file = await at.fs.create(at.name("f"), { kind: "file", mode: 0o4751, uid: 7, gid: 9 });
      const { kind, mode, uid, gid, size, nlink, ino, rdev } = await at.fs.stat(file);
      expect({ kind, mode, uid, gid, size, nlink, ino, rdev }).toEqual({
        kind: "file",
        mode: 0o4751,
        uid: 7,
        gid: 9,
        size: 0,
        nlink: 1,
        ino: file.ino,
        rdev: 0,
      });
    },
    ["owners"],
  );

  tests.it("leaves the number of the file system to the VFS", async (at) => {
    expect((await at.fs.stat(at.base)).dev).toBe(0);
  });

  tests.it("changes what it is told to and nothing else", async (at) => {
    const file = await at.file("file", "abc");
    const before = await at.fs.stat(file);
    await at.fs.setAttributes(file, { mode: 0o1600 });
    expect(await at.fs.stat(file)).toMatchObject({ ...unchanged(before), mode: 0o1600 });
    await at.fs.setAttributes(file, { atimeMs: 1234.5, mtimeMs: 5678 });
    expect(await at.fs.stat(file)).toMatchObject({ mode: 0o1600, atimeMs: 1234.5, mtimeMs: 5678 });
    await at.fs.setAttributes(file, { mode: 0 });
    expect((await at.fs.stat(file)).mode).toBe(0);
  });

  tests.it("keeps a time before 1970", async (at) => {
    const file = await at.file("file");
    await at.fs.setAttributes(file, { atimeMs: -86_400_000, mtimeMs: -1000 });
    expect(await at.fs.stat(file)).toMatchObject({ atimeMs: -86_400_000, mtimeMs: -1000 });
  });

  tests.it(
    "changes owners one by one",
    async (at) => {
      const directory = await at.directory("directory");
      await at.fs.setAttributes(directory, { uid: 1000 });
      expect(await at.fs.stat(directory)).toMatchObject({ uid: 1000, gid: 0 });
      await at.fs.setAttributes(directory, { gid: 50 });
      expect(await at.fs.stat(directory)).toMatchObject({ uid: 1000, gid: 50, mode: 0o755 });
    },
    ["owners"],
  );

  tests.it(
    "counts a directory's links as 2 and one for each subdirectory",
    async (at) => {
      const nlink = async () => (await at.fs.stat(at.base)).nlink;
      expect(await nlink()).toBe(2);
      await at.file("file");
      await at.directory("one");
      await at.directory("two");
      expect(await nlink()).toBe(4);
      await at.fs.rmdir(at.name("one"));
      await at.fs.unlink(at.name("file"));
      expect(await nlink()).toBe(3);
    },
    ["counts links of directories"],
  );

  tests.it(
    "moves mtime and ctime of a file by writing and truncating it",
    async (at) => {
      const file = await at.file("file", "abc");
      await expectMoved(at, file, ["mtimeMs", "ctimeMs"], async () => {
        await at.fs.write(file, bytes("x"), 0);
      });
      await expectMoved(at, file, ["mtimeMs", "ctimeMs"], () => at.fs.truncate(file, 1));
      await expectMoved(at, file, [], async () => {
        await at.fs.write(file, new Uint8Array(0), 0);
      });
    },
    ["exact times"],
  );

  tests.it(
    "moves only ctime by a change of attributes",
    async (at) => {
      const file = await at.file("file");
      await expectMoved(at, file, ["ctimeMs"], () => at.fs.setAttributes(file, { mode: 0o600 }));
      await expectMoved(at, file, ["ctimeMs"], () => at.fs.setAttributes(file, {}));
    },
    ["exact times"],
  );

  tests.it(
    "moves atime by reading only after a change or a day, as relatime does",
    async (at) => {
      const file = await at.file("file", "abc");
      const read = async () => {
        await at.fs.read(file, new Uint8Array(1), 0);
      };
      await expectMoved(at, file, ["atimeMs"], read);
      await expectMoved(at, file, [], read);
      await at.fs.write(file, bytes("x"), 0);
      await expectMoved(at, file, ["atimeMs"], read);
      await expectMoved(at, file, [], read);
      at.under.advance(24 * 60 * 60 * 1000);
      await expectMoved(at, file, ["atimeMs"], read);
    },
    ["exact times"],
  );

  tests.it(
    "moves a directory's mtime and ctime by each change of its names",
    async (at) => {
      const other = await at.directory("other");
      const changes: (() => Promise<unknown>)[] = [
        () => at.file("file"),
        () => at.directory("directory"),
        () => at.fs.rename(at.name("file"), at.name("moved")),
        () => at.fs.rename(at.name("moved"), at.name("moved", other)),
        () => at.fs.rename(at.name("moved", other), at.name("back")),
        () => at.fs.unlink(at.name("back")),
        () => at.fs.rmdir(at.name("directory")),
      ];
      for (const change of changes) {
        await expectMoved(at, at.base, ["mtimeMs", "ctimeMs"], change);
      }
      await at.file("same");
      await expectMoved(at, at.base, [], () => at.fs.rename(at.name("same"), at.name("same")));
      await expectMoved(at, at.base, [], () => expectErrno(at.file("same"), "EEXIST"));
    },
    ["exact times"],
  );

  tests.it(
    "moves a file's ctime by each change of its names",
    async (at) => {
      const file = await at.file("file");
      await expectMoved(at, file, ["ctimeMs"], () => at.fs.link(at.name("two"), file));
      await expectMoved(at, file, ["ctimeMs"], () =>
        at.fs.rename(at.name("two"), at.name("three")),
      );
      await expectMoved(at, file, ["ctimeMs"], () => at.fs.unlink(at.name("three")));
    },
    ["exact times", "hard links"],
  );

  tests.it("answers statfs with its type and what is free of how much", async (at) => {
    const facts = await at.fs.statFs();
    expect(facts.type).toBe(at.fs.type);
    expect(facts.freeBytes).toBeLessThanOrEqual(facts.totalBytes);
    expect(facts.freeInodes).toBeLessThanOrEqual(facts.totalInodes);
    await at.fs.sync();
  });
}

type Times = "atimeMs" | "mtimeMs" | "ctimeMs";

/** Passes when exactly these times of the file become now. */
async function expectMoved(
  at: Tree,
  inode: Inode,
  moved: readonly Times[],
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await at.fs.stat(inode);
  at.under.advance(1000);
  await change();
  const after = await at.fs.stat(inode);
  const times: Times[] = ["atimeMs", "mtimeMs", "ctimeMs"];
  expect(times.filter((time) => after[time] !== before[time])).toEqual(moved);
}

function unchanged(stat: Stat): Partial<Stat> {
  const { kind, uid, gid, size, nlink, ino, rdev, blocks, mtimeMs } = stat;
  return { kind, uid, gid, size, nlink, ino, rdev, blocks, mtimeMs };
}
