import { appendFileSync, linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { FileSystem, Inode } from "../../../../src/kernel/index.ts";
import { FolderReader } from "../../../../src/vm/broker/software/folder-reader.ts";
import { BLOCK_BYTES } from "../../../../src/vm/filesystems/host-directory/host-directory-file-system.ts";
import { describeFixedFileSystemContract } from "../../../contract/fixed-file-system-contract.ts";
import { HostFolder, ServedFolder, type ServedOptions } from "../../../support/host-folder.ts";

const reader = new FolderReader();
const folders: HostFolder[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
afterAll(() => reader.close());

type Tree = ConstructorParameters<typeof HostFolder>[0];

async function serve(
  tree: Tree,
  options: ServedOptions = {},
): Promise<{
  readonly folder: HostFolder;
  readonly served: ServedFolder;
  readonly fs: FileSystem;
}> {
  const folder = new HostFolder(tree);
  folders.push(folder);
  const served = await ServedFolder.open(reader, folder, options);
  return { folder, served, fs: served.fs };
}

async function find(fs: FileSystem, path: string): Promise<Inode> {
  let at: Inode = fs.root;
  for (const name of path.split("/")) {
    const next = await fs.lookup(at, name);
    if (next === undefined) throw new Error(`there is no ${path}`);
    at = next;
  }
  return at;
}

async function readAll(fs: FileSystem, path: string, chunkBytes = 1 << 16): Promise<Uint8Array> {
  const inode = await find(fs, path);
  const chunks: Uint8Array[] = [];
  for (let offset = 0; ; ) {
    const into = new Uint8Array(chunkBytes);
    const count = await fs.read(inode, into, offset);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(into.subarray(0, count));
    offset += count;
  }
}

function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) * 7) & 0xff);
}

describeFixedFileSystemContract("HostDirectoryFileSystem", async () => {
  const { fs } = await serve({ "d/file": "x", "d/link": { link: "file" }, other: "" });
  return { fs, file: ["d", "file"], link: ["d", "link"], refusal: "EROFS" };
});

describe("HostDirectoryFileSystem", () => {
  it("asks once for a directory, and never for what is not in it", async () => {
    const { served, fs } = await serve({ "a/b/c": "1", "a/d": "2" });
    for (let i = 0; i < 100; i++) {
      await fs.stat(await find(fs, "a/b/c"));
      expect(await fs.lookup(await find(fs, "a"), `none-${i}`)).toBeUndefined();
    }
    expect([served.lists, served.reads]).toEqual([3, 0]);
  });

  it("asks once, however many want a directory or a block at the same time", async () => {
    const { served, fs } = await serve({ a: "1" });
    const inodes = await Promise.all(Array.from({ length: 50 }, () => find(fs, "a")));
    await Promise.all(inodes.map((inode) => fs.read(inode, new Uint8Array(1), 0)));
    expect([served.lists, served.reads]).toEqual([1, 1]);
    expect(new Set(inodes).size).toBe(1);
  });

  it("numbers every file, and no two alike, hard links of the host included", async () => {
    const { folder, fs } = await serve({ "a/f": "1", "b/f": "2" });
    linkSync(join(folder.path, "a/f"), join(folder.path, "b/same"));
    const paths = ["a", "a/f", "b", "b/f", "b/same"];
    const stats = await Promise.all(paths.map(async (path) => fs.stat(await find(fs, path))));
    expect(new Set([fs.root.ino, ...stats.map(({ ino }) => ino)]).size).toBe(6);
    expect(stats.map(({ nlink }) => nlink)).toEqual([1, 1, 1, 1, 1]);
  });

  it("says that all belongs to root and can be read by all", async () => {
    const { fs } = await serve({ "d/f": "123" });
    expect(await fs.stat(await find(fs, "d/f"))).toMatchObject({
      kind: "file",
      mode: 0o644,
      uid: 0,
      gid: 0,
      size: 3,
      nlink: 1,
      blocks: 1,
    });
    expect(await fs.stat(await find(fs, "d"))).toMatchObject({ kind: "directory", mode: 0o755 });
  });

  it.each([0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, BLOCK_BYTES * 5 + 17])(
    "reads a file of %i bytes, in small parts and at once",
    async (length) => {
      const content = pattern(length);
      const { fs } = await serve({ f: content });
      expect(Buffer.compare(await readAll(fs, "f", 60_000), content)).toBe(0);
      expect(Buffer.compare(await readAll(fs, "f", 1 << 22), content)).toBe(0);
      const inode = await find(fs, "f");
      expect(await fs.read(inode, new Uint8Array(10), length)).toBe(0);
      expect(await fs.read(inode, new Uint8Array(10), length + 1000)).toBe(0);
      expect(await fs.read(inode, new Uint8Array(10), 2 ** 52)).toBe(0);
    },
  );

  it("keeps contents, and no more of them than it may", async () => {
    const bytes = BLOCK_BYTES * 8;
    const { served, fs } = await serve({ big: pattern(BLOCK_BYTES * 20), small: "s" }, { bytes });
    await readAll(fs, "small");
    await readAll(fs, "small");
    expect(served.reads).toBe(1);
    await readAll(fs, "big");
    expect(served.caches.blocks.heldBytes).toBeLessThanOrEqual(bytes);
    expect(served.reads).toBe(21);
    await readAll(fs, "small");
    expect(served.reads).toBe(22);
  });

  it("forgets listings it has no room for, and knows a file that is held again", async () => {
    const tree = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`d${i % 20}/f${i}`, String(i)]),
    );
    const { served, fs } = await serve(tree, { entries: 60 });
    const held = await find(fs, "d3/f3");
    const directory = await find(fs, "d3");
    for (let i = 0; i < 400; i++) await find(fs, `d${i % 20}/f${i}`);
    expect(served.caches.listings.entries).toBeLessThanOrEqual(60);
    expect(served.lists).toBeGreaterThan(21);
    expect(await find(fs, "d3/f3")).toBe(held);
    expect(await find(fs, "d3")).toBe(directory);
  });

  it("fails a directory that is too large for the VM, and goes on", async () => {
    const tree = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`many/f${i}`, ""]));
    const { fs } = await serve({ ...tree, a: "1" }, { entries: 20 });
    await expect(fs.lookup(await find(fs, "many"), "f1")).rejects.toMatchObject({
      errno: "EOVERFLOW",
      reason: "of a directory of software this VM can hold 20 entries",
    });
    expect(Buffer.from(await readAll(fs, "a")).toString()).toBe("1");
  });
});

describe("a host directory that changes all the same", () => {
  it("fails a file that is not as it was with ESTALE", async () => {
    const { folder, fs } = await serve({ grown: "1", rewritten: "1", gone: "1", kept: "1" });
    for (const name of ["grown", "rewritten", "gone", "kept"]) await find(fs, name);
    await readAll(fs, "kept");
    appendFileSync(join(folder.path, "grown"), "2");
    rmSync(join(folder.path, "rewritten"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    writeFileSync(join(folder.path, "rewritten"), "2");
    rmSync(join(folder.path, "gone"));
    for (const name of ["grown", "rewritten", "gone"]) {
      await expect(readAll(fs, name), name).rejects.toMatchObject({
        errno: "ESTALE",
        reason: "the host has changed this software",
      });
    }
    folder.remove();
    expect(Buffer.from(await readAll(fs, "kept")).toString()).toBe("1");
  });

  it("fails what it has not seen with ESTALE, and sees it when it is back", async () => {
    const { folder, fs } = await serve({ "d/f": "1" });
    const directory = await find(fs, "d");
    renameSync(join(folder.path, "d"), join(folder.path, "elsewhere"));
    await expect(fs.list(directory, 0, 10)).rejects.toMatchObject({ errno: "ESTALE" });
    renameSync(join(folder.path, "elsewhere"), join(folder.path, "d"));
    expect((await fs.list(directory, 0, 10)).entries).toHaveLength(1);
  });
});
