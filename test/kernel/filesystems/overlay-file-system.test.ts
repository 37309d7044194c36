import { describe, expect, it } from "vitest";
import type { SeedEntry } from "../../../src/kernel/filesystems/memory/seed.ts";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import { OverlayFileSystem } from "../../../src/kernel/filesystems/overlay-file-system.ts";
import { Limits, type LimitValues } from "../../../src/kernel/limits/limits.ts";
import type { DirectoryName, FileSystem, Inode } from "../../../src/kernel/vfs/file-system.ts";
import { bytes, expectErrno, newFile } from "../../contract/file-system/setup.ts";
import { describeFileSystemContract } from "../../contract/file-system-contract.ts";

const image: SeedEntry[] = [
  {
    path: "/etc/passwd",
    kind: "file",
    content: bytes("root"),
    mode: 0o640,
    uid: 3,
    gid: 4,
    mtimeMs: 9,
  },
  { path: "/etc/deep/er/file", kind: "file", content: bytes("deep") },
  { path: "/etc/deep/link", kind: "symlink", target: "er/file" },
  { path: "/bin", kind: "directory", mode: 0o711 },
  { path: "/bin/one", kind: "file", content: bytes("linked"), mode: 0o755 },
  { path: "/bin/two", kind: "link", to: "/bin/one" },
  { path: "/empty", kind: "directory" },
];

function make(values: Partial<LimitValues> = {}, layers: SeedEntry[][] = []) {
  let nowMs = 1_700_000_000_000;
  const now = (): number => nowMs;
  const limits = new Limits(values, () => {});
  const lower = layers.map((entries) => {
    const fs = new MemoryFileSystem({ now, isReadOnly: true });
    fs.seed(entries);
    return fs;
  });
  const upper = new MemoryFileSystem({ now, limits });
  const fs = new OverlayFileSystem({ upper, lower });
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { fs, upper, lower, limits, advance };
}

async function at(fs: FileSystem, path: string): Promise<DirectoryName> {
  const names = path.split("/").filter((name) => name !== "");
  const name = names.pop() ?? "";
  return { directory: await find(fs, names.join("/")), name };
}

async function find(fs: FileSystem, path: string): Promise<Inode> {
  let inode = fs.root;
  for (const name of path.split("/").filter((part) => part !== "")) {
    const next = await fs.lookup(inode, name);
    if (next === undefined) throw new Error(`there is no ${path}`);
    inode = next;
  }
  return inode;
}

async function read(fs: FileSystem, path: string): Promise<string> {
  const inode = await find(fs, path);
  const into = new Uint8Array((await fs.stat(inode)).size);
  await fs.read(inode, into, 0);
  return new TextDecoder().decode(into);
}

async function names(fs: FileSystem, path: string, limit = 100): Promise<string[]> {
  const directory = await find(fs, path);
  const found: string[] = [];
  let cursor: number | undefined = 0;
  while (cursor !== undefined) {
    const page = await fs.list(directory, cursor, limit);
    found.push(...page.entries.map(({ name }) => name));
    cursor = page.cursor;
  }
  return found.toSorted();
}

describeFileSystemContract("OverlayFileSystem without lower layers", { make });

describeFileSystemContract("OverlayFileSystem over an image", {
  make: (values) => make(values, [[], image]),
});

/** The directory the contract works in is in the image itself. */
describeFileSystemContract("OverlayFileSystem over a removed directory of the image", {
  async make(values) {
    const made = make(values, [
      [{ path: "/contract/old/file", kind: "file", content: bytes("old") }],
    ]);
    await made.fs.unlink(await at(made.fs, "contract/old/file"));
    await made.fs.rmdir(await at(made.fs, "contract/old"));
    await made.fs.rmdir(await at(made.fs, "contract"));
    return made;
  },
});

describe("OverlayFileSystem", () => {
  it("shows the topmost file of each name and merges directories", async () => {
    const { fs } = make({}, [
      [
        { path: "/etc/hosts", kind: "file", content: bytes("top") },
        { path: "/bin", kind: "file", content: bytes("file") },
      ],
      [...image, { path: "/etc/hosts", kind: "file", content: bytes("bottom") }],
    ]);
    await fs.create(await at(fs, "/etc/new"), newFile("file"));
    for (const limit of [1, 2, 100]) {
      expect(await names(fs, "/etc", limit)).toEqual(["deep", "hosts", "new", "passwd"]);
    }
    expect(await names(fs, "/")).toEqual(["bin", "empty", "etc"]);
    expect(await read(fs, "/etc/hosts")).toBe("top");
    expect(await read(fs, "/bin")).toBe("file");
  });

  it("copies a file up by the first write, as it was, and keeps its identity", async () => {
    const { fs, lower, advance } = make({}, [image]);
    const file = await find(fs, "/etc/passwd");
    const directory = await find(fs, "/etc");
    const before = [await fs.stat(file), await fs.stat(directory)];
    fs.retain(file);
    advance(5000);
    await fs.write(file, bytes("!"), "end");
    expect(await find(fs, "/etc/passwd")).toBe(file);
    expect(await find(fs, "/etc")).toBe(directory);
    const { mode, uid, gid, ino, nlink } = await fs.stat(file);
    expect({ mode, uid, gid, ino, nlink }).toEqual({
      mode: 0o640,
      uid: 3,
      gid: 4,
      ino: before[0]?.ino,
      nlink: 1,
    });
    expect((await fs.stat(directory)).mtimeMs).toBe(before[1]?.mtimeMs);
    expect(await read(fs, "/etc/passwd")).toBe("root!");
    expect(await read(lower[0] ?? fs, "/etc/passwd")).toBe("root");
    const { entries } = await fs.list(directory, 0, 10);
    expect(entries).toContainEqual({ name: "passwd", kind: "file", ino });
    fs.release(file);
  });

  it("copies once when many write at the same time, and loses nothing", async () => {
    const { fs } = make({}, [image]);
    const file = await find(fs, "/etc/deep/er/file");
    await Promise.all(["a", "b", "c"].map((text) => fs.write(file, bytes(text), "end")));
    expect(await read(fs, "/etc/deep/er/file")).toMatch(/^deep(abc|acb|bac|bca|cab|cba)$/);
  });

  it("keeps holes and copies no more than a truncate leaves", async () => {
    const sparse = new Uint8Array(3_000_000);
    sparse[2_999_999] = 1;
    const { fs, limits } = make({}, [
      [
        { path: "/sparse", kind: "file", content: sparse },
        { path: "/big", kind: "file", content: new Uint8Array(3_000_000).fill(1) },
      ],
    ]);
    await fs.setAttributes(await find(fs, "/sparse"), { mode: 0o600 });
    expect(limits.used("maxFilesystemBytes")).toBeLessThanOrEqual(4 * 65_536);
    expect((await read(fs, "/sparse")).length).toBe(3_000_000);
    await fs.truncate(await find(fs, "/big"), 10);
    expect(limits.used("maxFilesystemBytes")).toBeLessThanOrEqual(4 * 65_536 + 512);
    expect(await read(fs, "/big")).toBe("\x01".repeat(10));
  });

  it("changes nothing when a copy does not fit", async () => {
    const content = new Uint8Array(300_000).fill(65);
    const { fs, limits } = make({ maxFilesystemBytes: 100_000 }, [
      [{ path: "/d/big", kind: "file", content }],
    ]);
    const file = await find(fs, "/d/big");
    await expectErrno(fs.write(file, bytes("x"), 0), "ENOSPC");
    expect(limits.used("maxFilesystemBytes")).toBe(0);
    expect(await read(fs, "/d/big")).toBe("A".repeat(300_000));
    await fs.truncate(file, 1000);
    expect(await read(fs, "/d/big")).toBe("A".repeat(1000));
  });

  it("hides what is removed, in lookups, listings and after it is made anew", async () => {
    const { fs, upper, lower } = make({}, [image]);
    await fs.unlink(await at(fs, "/etc/passwd"));
    await expectErrno(fs.unlink(await at(fs, "/etc/passwd")), "ENOENT");
    expect(await names(fs, "/etc")).toEqual(["deep"]);
    await fs.create(await at(fs, "/etc/passwd"), newFile("file"));
    expect(await read(fs, "/etc/passwd")).toBe("");
    await fs.unlink(await at(fs, "/etc/passwd"));
    await fs.rmdir(await at(fs, "/empty"));
    await fs.create(await at(fs, "/empty"), newFile("directory"));
    expect(await names(fs, "/empty")).toEqual([]);
    const again = new OverlayFileSystem({ upper, lower });
    expect(await names(again, "/etc")).toEqual(["deep"]);
    expect(await names(again, "/")).toEqual(["bin", "empty", "etc"]);
  });

  it("shows nothing of the image in a directory that replaces a removed one", async () => {
    const { fs, upper, lower } = make({}, [image]);
    for (const path of ["/etc/deep/er/file", "/etc/deep/link"]) await fs.unlink(await at(fs, path));
    await expectErrno(fs.rmdir(await at(fs, "/etc/deep")), "ENOTEMPTY");
    await fs.rmdir(await at(fs, "/etc/deep/er"));
    const old = await find(fs, "/etc/deep");
    await fs.rmdir(await at(fs, "/etc/deep"));
    expect((await fs.stat(old)).nlink).toBe(0);
    const made = await fs.create(await at(fs, "/etc/deep"), newFile("directory"));
    expect(made).not.toBe(old);
    expect(await names(fs, "/etc/deep")).toEqual([]);
    expect(await names(new OverlayFileSystem({ upper, lower }), "/etc/deep")).toEqual([]);
  });

  it("moves a directory of the image with all that is below it", async () => {
    const { fs, upper, lower } = make({}, [image]);
    const deep = await find(fs, "/etc/deep");
    const file = await find(fs, "/etc/deep/er/file");
    await fs.rename(await at(fs, "/etc/deep"), await at(fs, "/moved"));
    for (const seen of [fs, new OverlayFileSystem({ upper, lower })]) {
      expect(await names(seen, "/")).toEqual(["bin", "empty", "etc", "moved"]);
      expect(await names(seen, "/etc")).toEqual(["passwd"]);
      expect(await names(seen, "/moved")).toEqual(["er", "link"]);
      expect(await read(seen, "/moved/er/file")).toBe("deep");
    }
    expect(await find(fs, "/moved")).toBe(deep);
    expect(await find(fs, "/moved/er/file")).toBe(file);
    await fs.rename(await at(fs, "/moved"), await at(fs, "/empty"));
    expect(await names(fs, "/empty")).toEqual(["er", "link"]);
    expect(await names(new OverlayFileSystem({ upper, lower }), "/empty")).toEqual(["er", "link"]);
  });

  it("goes on with a listing while everything in it is copied up and moved", async () => {
    const entries = Array.from(
      { length: 40 },
      (_, i): SeedEntry => ({
        path: `/d/f${String(i).padStart(2, "0")}`,
        kind: "file",
        content: bytes("x"),
      }),
    );
    const { fs } = make({}, [entries]);
    const directory = await find(fs, "/d");
    const first = await fs.list(directory, 0, 15);
    for (const { path } of entries) await fs.write(await find(fs, path), bytes("y"), 0);
    const second = await fs.list(directory, first.cursor ?? -1, 15);
    await fs.rename(await at(fs, "/d"), await at(fs, "/e"));
    const third = await fs.list(directory, second.cursor ?? -1, 100);
    const seen = [first, second, third].flatMap((page) =>
      page.entries.map(({ name }) => `/d/${name}`),
    );
    expect(seen.toSorted()).toEqual(entries.map(({ path }) => path));
    expect(third.cursor).toBeUndefined();
  });

  it("keeps the names of one file of the image together", async () => {
    const { fs, upper } = make({}, [image]);
    const one = await find(fs, "/bin/one");
    expect(await find(fs, "/bin/two")).toBe(one);
    await fs.write(await find(fs, "/bin/two"), bytes("LIN"), 0);
    expect(await read(fs, "/bin/one")).toBe("LINked");
    expect((await fs.stat(one)).nlink).toBe(2);
    await fs.unlink(await at(fs, "/bin/two"));
    expect((await fs.stat(one)).nlink).toBe(1);
    expect(await read(fs, "/bin/one")).toBe("LINked");
    await fs.rename(await at(fs, "/bin/one"), await at(fs, "/three"));
    await fs.link(await at(fs, "/four"), one);
    expect([await read(fs, "/three"), await read(fs, "/four")]).toEqual(["LINked", "LINked"]);
    await fs.unlink(await at(fs, "/three"));
    await fs.unlink(await at(fs, "/four"));
    expect((await fs.stat(one)).nlink).toBe(0);
    expect(await names(upper, "/.wh..wh.work")).toEqual([]);
  });

  it("lets a holder write to a file of the image after it was removed", async () => {
    const { fs, limits } = make({}, [image]);
    const file = await find(fs, "/etc/passwd");
    fs.retain(file);
    await fs.unlink(await at(fs, "/etc/passwd"));
    const removed = limits.used("maxInodeCount");
    await fs.write(file, bytes("X"), 0);
    const into = new Uint8Array(10);
    expect(await fs.read(file, into, 0)).toBe(4);
    expect(new TextDecoder().decode(into.subarray(0, 4))).toBe("Xoot");
    expect((await fs.stat(file)).nlink).toBe(0);
    expect(await names(fs, "/etc")).toEqual(["deep"]);
    fs.release(file);
    expect(limits.used("maxFilesystemBytes")).toBe(0);
    expect(limits.used("maxInodeCount")).toBe(removed);
  });

  it("neither shows nor makes what it keeps for itself", async () => {
    const { fs, upper } = make({}, [image]);
    await fs.unlink(await at(fs, "/etc/passwd"));
    await fs.create(await at(fs, "/etc/passwd"), newFile("directory"));
    expect(await names(upper, "/")).toEqual([".wh..wh.work", "etc"]);
    expect(await names(upper, "/etc/passwd")).toEqual([".wh..wh..opq"]);
    expect(await names(fs, "/")).toEqual(["bin", "empty", "etc"]);
    expect(await fs.lookup(fs.root, ".wh..wh.work")).toBeUndefined();
    const hidden = await at(fs, "/.wh..wh.mine");
    await expectErrno(fs.create(hidden, newFile("file")), "EPERM");
    await expectErrno(fs.link(hidden, await find(fs, "/bin/one")), "EPERM");
    await expectErrno(fs.rename(await at(fs, "/bin"), hidden), "EPERM");
    await expectErrno(fs.create(await at(fs, "/wh"), { ...newFile("device"), rdev: 0 }), "EPERM");
  });

  it("empties a work directory that a crash left behind", async () => {
    const { upper, lower } = make({}, [image]);
    upper.seed([{ path: "/.wh..wh.work/7/inside", kind: "file", content: bytes("left") }]);
    const fs = new OverlayFileSystem({ upper, lower });
    await fs.write(await find(fs, "/etc/passwd"), bytes("x"), 0);
    expect(await names(upper, "/.wh..wh.work")).toEqual([]);
  });

  it("is read-only without an upper layer, and needs any", async () => {
    const { lower } = make({}, [image]);
    const fs = new OverlayFileSystem({ lower });
    expect(fs.isReadOnly).toBe(true);
    const file = await find(fs, "/etc/passwd");
    const place = await at(fs, "/etc/passwd");
    await expectErrno(fs.write(file, bytes("x"), 0), "EROFS");
    await expectErrno(fs.truncate(file, 0), "EROFS");
    await expectErrno(fs.setAttributes(file, { mode: 0 }), "EROFS");
    await expectErrno(fs.create({ ...place, name: "n" }, newFile("file")), "EROFS");
    await expectErrno(fs.link({ ...place, name: "n" }, file), "EROFS");
    await expectErrno(fs.unlink(place), "EROFS");
    await expectErrno(fs.rmdir(place), "EROFS");
    await expectErrno(fs.rename(place, { ...place, name: "n" }), "EROFS");
    expect(await read(fs, "/etc/passwd")).toBe("root");
    expect(() => new OverlayFileSystem({ lower: [] })).toThrow("EINVAL: overlay");
  });

  it("lets others have a turn during long copies", async () => {
    const { upper, lower } = make({}, [
      [{ path: "/f", kind: "file", content: new Uint8Array(2_000_000).fill(1) }],
    ]);
    let turns = 0;
    const yieldTurn = async (): Promise<void> => {
      turns += 1;
    };
    const fs = new OverlayFileSystem({ upper, lower, yieldTurn });
    await fs.write(await find(fs, "/f"), bytes("x"), 0);
    expect(turns).toBe(8);
  });
});
