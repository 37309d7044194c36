import { describe, expect, it } from "vitest";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import { Limits, type LimitValues } from "../../../src/kernel/limits/limits.ts";
import { expectErrno } from "../../contract/file-system/setup.ts";
import { describeFileSystemContract } from "../../contract/file-system-contract.ts";

function make(values: Partial<LimitValues> = {}, isReadOnly = false) {
  let nowMs = 1_700_000_000_000;
  const limits = new Limits(values, () => {});
  const fs = new MemoryFileSystem({ now: () => nowMs, limits, isReadOnly });
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { fs, limits, advance };
}

function used(limits: Limits): number[] {
  return [limits.used("maxFilesystemBytes"), limits.used("maxInodeCount")];
}

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

async function readAll(fs: MemoryFileSystem, name: string): Promise<string> {
  const inode = await fs.lookup(fs.root, name);
  if (inode === undefined) return "no such file";
  const into = new Uint8Array((await fs.stat(inode)).size);
  await fs.read(inode, into, 0);
  return new TextDecoder().decode(into);
}

describeFileSystemContract("MemoryFileSystem", { make });

describe("MemoryFileSystem", () => {
  it("holds few bytes for a small file and no more than double for any", async () => {
    const { fs } = make();
    const file = await fs.create(
      { directory: fs.root, name: "f" },
      { kind: "file", mode: 0o644, uid: 0, gid: 0 },
    );
    const held: number[] = [];
    for (const size of [1, 512, 513, 5000, 40_000, 65_536, 65_537, 200_000]) {
      await fs.truncate(file, 0);
      await fs.write(file, new Uint8Array(size), 0);
      held.push((await fs.stat(file)).blocks * 512);
    }
    expect(held).toEqual([512, 512, 1024, 8192, 65_536, 65_536, 66_048, 200_704]);
  });

  it("makes the root as it is told to", async () => {
    const fs = new MemoryFileSystem({
      now: () => 5,
      rootMode: 0o1777,
      uid: 3,
      gid: 4,
      type: "tmpfs",
    });
    expect(await fs.stat(fs.root)).toEqual({
      kind: "directory",
      mode: 0o1777,
      uid: 3,
      gid: 4,
      size: 4096,
      nlink: 2,
      ino: 1,
      dev: 0,
      rdev: 0,
      blocks: 0,
      atimeMs: 5,
      mtimeMs: 5,
      ctimeMs: 5,
    });
    expect(fs.type).toBe("tmpfs");
  });

  it("fails every change with EROFS when read-only, and reads without moving atime", async () => {
    const { fs, advance } = make({}, true);
    fs.seed([
      { path: "/f", kind: "file", content: text("abc") },
      { path: "/d", kind: "directory" },
    ]);
    const file = await fs.lookup(fs.root, "f");
    if (file === undefined) throw new Error("not seeded");
    const at = { directory: fs.root, name: "f" };
    const before = await fs.stat(file);
    advance(1e9);
    await expectErrno(fs.write(file, text("x"), 0), "EROFS");
    await expectErrno(fs.truncate(file, 0), "EROFS");
    await expectErrno(
      fs.create({ ...at, name: "n" }, { kind: "file", mode: 0, uid: 0, gid: 0 }),
      "EROFS",
    );
    await expectErrno(fs.link({ ...at, name: "n" }, file), "EROFS");
    await expectErrno(fs.unlink(at), "EROFS");
    await expectErrno(fs.rmdir({ ...at, name: "d" }), "EROFS");
    await expectErrno(fs.rename(at, { ...at, name: "n" }), "EROFS");
    await expectErrno(fs.setAttributes(file, { mode: 0 }), "EROFS");
    expect(await readAll(fs, "f")).toBe("abc");
    expect(await fs.stat(file)).toEqual(before);
  });

  it("fails writes to a file that has neither name nor holder with ESTALE", async () => {
    const { fs, limits } = make();
    const at = { directory: fs.root, name: "f" };
    const file = await fs.create(at, { kind: "file", mode: 0o644, uid: 0, gid: 0 });
    await fs.unlink(at);
    await expectErrno(fs.write(file, text("x"), 0), "ESTALE");
    expect(limits.used("maxFilesystemBytes")).toBe(0);
  });

  it("gives a file whole to a holder that comes just after its last name went", async () => {
    const { fs, limits } = make();
    const at = { directory: fs.root, name: "f" };
    const file = await fs.create(at, { kind: "file", mode: 0o644, uid: 0, gid: 0 });
    await fs.write(file, text("abc"), 0);
    await fs.unlink(at);
    expect(used(limits)).toEqual([0, 0]);
    fs.retain(file);
    await fs.write(file, text("def"), "end");
    const into = new Uint8Array(6);
    expect(await fs.read(file, into, 0)).toBe(6);
    expect(new TextDecoder().decode(into)).toBe("abcdef");
    expect(used(limits)).toEqual([512, 0]);
    fs.release(file);
    expect(used(limits)).toEqual([0, 0]);
  });
});

describe("MemoryFileSystem.seed", () => {
  it("builds a tree with modes, owners, links and devices, in any order", async () => {
    const { fs } = make();
    fs.seed([
      { path: "/usr/bin/env", kind: "file", content: text("#!env"), mode: 0o755 },
      { path: "/usr", kind: "directory", mode: 0o700, uid: 5, gid: 6 },
      { path: "/bin", kind: "symlink", target: "usr/bin" },
      { path: "/usr/bin/env2", kind: "link", to: "/usr/bin/env" },
      { path: "/null", kind: "device", rdev: 0x103, mode: 0o666 },
      { path: "/", kind: "directory", mode: 0o711 },
    ]);
    const usr = await fs.lookup(fs.root, "usr");
    const bin = usr && (await fs.lookup(usr, "bin"));
    const env = bin && (await fs.lookup(bin, "env"));
    if (usr === undefined || bin === undefined || env === undefined) throw new Error("not seeded");
    expect(await fs.stat(usr)).toMatchObject({ mode: 0o700, uid: 5, gid: 6, nlink: 3 });
    expect(await fs.stat(env)).toMatchObject({ mode: 0o755, size: 5, nlink: 2, blocks: 0 });
    expect(await fs.lookup(bin, "env2")).toBe(env);
    expect((await fs.stat(fs.root)).mode).toBe(0o711);
    const { entries } = await fs.list(fs.root, 0, 10);
    expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
      ["usr", "directory"],
      ["bin", "symlink"],
      ["null", "device"],
    ]);
  });

  it("shares the bytes until a page is written, and never writes into them", async () => {
    const { fs, limits } = make();
    const content = new Uint8Array(200_000).fill(7);
    fs.seed([{ path: "/f", kind: "file", content }]);
    const file = await fs.lookup(fs.root, "f");
    if (file === undefined) throw new Error("not seeded");
    expect(limits.used("maxFilesystemBytes")).toBe(0);
    await fs.write(file, text("x"), 70_000);
    expect(limits.used("maxFilesystemBytes")).toBe(65_536);
    expect(content.every((byte) => byte === 7)).toBe(true);
    const into = new Uint8Array(200_000);
    expect(await fs.read(file, into, 0)).toBe(200_000);
    expect(into.findIndex((byte) => byte !== 7)).toBe(70_000);
    await fs.truncate(file, 100);
    await fs.truncate(file, 200);
    expect(await fs.read(file, into, 0)).toBe(200);
    expect([...into.subarray(98, 102)]).toEqual([7, 7, 0, 0]);
    expect(limits.used("maxFilesystemBytes")).toBe(0);
  });

  it("charges nothing for the image, and only new names of its files", async () => {
    const { fs, limits } = make({ maxInodeCount: 1 });
    fs.seed([
      { path: "/a/b/f", kind: "file", content: text("x") },
      { path: "/g", kind: "link", to: "/a/b/f" },
    ]);
    const file = await fs.lookup(fs.root, "g");
    if (file === undefined) throw new Error("not seeded");
    expect(limits.used("maxInodeCount")).toBe(0);
    await fs.link({ directory: fs.root, name: "h" }, file);
    expect(limits.used("maxInodeCount")).toBe(1);
    await fs.unlink({ directory: fs.root, name: "g" });
    expect(limits.used("maxInodeCount")).toBe(0);
    await fs.unlink({ directory: fs.root, name: "h" });
    expect(limits.used("maxInodeCount")).toBe(0);
  });

  it("refuses a path given twice and a link to nothing", () => {
    const { fs } = make();
    const twice = { path: "/f", kind: "file", content: text("x") } as const;
    expect(() => fs.seed([twice, twice])).toThrow("EEXIST: /f");
    expect(() => fs.seed([{ path: "/l", kind: "link", to: "/none" }])).toThrow("ENOENT: /none");
    expect(() => fs.seed([{ ...twice, path: "/f/g" }])).toThrow("ENOTDIR: f");
  });
});
