import { describe, expect, it } from "vitest";
import type { FileSystem, Inode } from "../../src/kernel/vfs/file-system.ts";

/** A file system whose files guests cannot make: read-only, or made up by the kernel. */
export interface FixedFileSystem {
  readonly fs: FileSystem;
  /** A path from the root to a file that is there, and one to a link where there is any. */
  readonly file: readonly string[];
  readonly link?: readonly string[];
  /** What every change fails with. */
  readonly refusal: "EROFS" | "EPERM";
}

/** What such a driver must do; those that guests write to have describeFileSystemContract. */
export function describeFixedFileSystemContract(
  name: string,
  make: () => FixedFileSystem | Promise<FixedFileSystem>,
): void {
  describe(`${name} (fixed file system contract)`, () => {
    describeLooking(make);
    describeRefusing(make);
  });
}

type Make = Parameters<typeof describeFixedFileSystemContract>[1];

function describeLooking(make: Make): void {
  it("has a directory for its root and names its type", async () => {
    const { fs } = await make();
    expect((await fs.stat(fs.root)).kind).toBe("directory");
    expect((await fs.statFs()).type).toBe(fs.type);
    await fs.sync();
  });

  it("gives the same inode for every lookup of a name", async () => {
    const { fs, file } = await make();
    const first = await find(fs, file);
    expect(await find(fs, file)).toBe(first);
    const { kind, ino, dev } = await fs.stat(first);
    expect([kind, ino, dev]).toEqual([first.kind, first.ino, 0]);
  });

  it("finds nothing where there is nothing", async () => {
    const { fs } = await make();
    expect(await fs.lookup(fs.root, "no-such-name")).toBeUndefined();
  });

  it.each([1, 2, 1000])(
    "lists every entry once in pages of %i, as lookups find it",
    async (limit) => {
      const { fs } = await make();
      const names: string[] = [];
      for (let cursor: number | undefined = 0; cursor !== undefined; ) {
        const page = await fs.list(fs.root, cursor, limit);
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        for (const entry of page.entries) {
          const inode = await fs.lookup(fs.root, entry.name);
          expect([inode?.kind, inode?.ino]).toEqual([entry.kind, entry.ino]);
          names.push(entry.name);
        }
        cursor = page.cursor;
      }
      expect(new Set(names).size).toBe(names.length);
      expect(names.length).toBeGreaterThan(0);
    },
  );

  it("reads links, and only links", async () => {
    const { fs, file, link } = await make();
    await expect(fs.readlink(await find(fs, file), 1)).rejects.toMatchObject({ errno: "EINVAL" });
    if (link !== undefined) expect(await fs.readlink(await find(fs, link), 1)).not.toBe("");
  });
}

function describeRefusing(make: Make): void {
  it("refuses every change, and nothing changes", async () => {
    const { fs, file, refusal } = await make();
    const inode = await find(fs, file);
    const name = file.at(-1) ?? "";
    const directory = await find(fs, file.slice(0, -1));
    const before = (await fs.list(directory, 0, 10_000)).entries.map((entry) => entry.name);
    const at = { directory, name };
    const made = { kind: "file", mode: 0o644, uid: 0, gid: 0 } as const;
    const changes: Record<string, () => Promise<unknown>> = {
      create: () => fs.create({ directory, name: "new" }, made),
      link: () => fs.link({ directory, name: "new" }, inode),
      unlink: () => fs.unlink(at),
      rmdir: () => fs.rmdir(at),
      rename: () => fs.rename(at, { directory, name: "new" }),
    };
    for (const [change, attempt] of Object.entries(changes)) {
      await expect(attempt(), change).rejects.toMatchObject({ errno: refusal });
    }
    const after = (await fs.list(directory, 0, 10_000)).entries.map((entry) => entry.name);
    expect(after).toEqual(before);
    expect(await find(fs, file)).toBe(inode);
  });
}

async function find(fs: FileSystem, path: readonly string[]): Promise<Inode> {
  let at: Inode = fs.root;
  for (const name of path) {
    const next = await fs.lookup(at, name);
    if (next === undefined) throw new Error(`there is no ${name}`);
    at = next;
  }
  return at;
}
