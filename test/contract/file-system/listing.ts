import { expect } from "vitest";
import { type ContractTests, type Tree } from "./setup.ts";

/** list: whole, in pages, and while the directory changes. */
export function listingContract(tests: ContractTests): void {
  tests.it("lists an empty directory as nothing", async (at) => {
    expect(await at.entries()).toEqual([]);
  });

  tests.it("lists names with the kind and number that lookup and stat give", async (at) => {
    await at.file("file");
    await at.directory("directory");
    await at.make("symlink", "symlink");
    const entries = await at.entries();
    expect(entries.length).toBe(3);
    for (const { name, kind, ino } of entries) {
      const inode = await at.find(name);
      expect(inode).toMatchObject({ kind, ino });
      expect(inode && (await at.fs.stat(inode)).ino).toBe(ino);
      expect(kind).toBe(name);
    }
  });

  tests.it("lists the same names in pages of any size", async (at) => {
    const names = await fill(at, 300);
    for (const limit of [1, 2, 7, 128, 299, 300, 301]) {
      expect(await at.names(at.base, limit)).toEqual(names);
    }
  });

  tests.it("lists each lasting entry once while others come and go", async (at) => {
    const names = await fill(at, 200);
    const seen: string[] = [];
    let cursor: number | undefined = 0;
    let round = 0;
    while (cursor !== undefined) {
      const page = await at.fs.list(at.base, cursor, 10);
      seen.push(...page.entries.map(({ name }) => name));
      cursor = page.cursor;
      await at.file(`added-${round}`);
      const removable = names.filter((name) => name.endsWith("5"));
      const removed = removable[round];
      if (removed !== undefined) await at.fs.unlink(at.name(removed));
      round += 1;
      expect(round).toBeLessThan(1000);
    }
    const lasting = names.filter((name) => !name.endsWith("5"));
    expect(seen.filter((name) => lasting.includes(name)).toSorted()).toEqual(lasting);
    expect(new Set(seen).size).toBe(seen.length);
  });

  tests.it("goes on after the entry it stopped at has been removed", async (at) => {
    const names = await fill(at, 20);
    const first = await at.fs.list(at.base, 0, 5);
    for (const { name } of first.entries) await at.fs.unlink(at.name(name));
    const next = await at.fs.list(at.base, first.cursor ?? -1, 1);
    for (const { name } of next.entries) await at.fs.unlink(at.name(name));
    const rest = await at.fs.list(at.base, next.cursor ?? -1, 100);
    const seen = [...first.entries, ...next.entries, ...rest.entries].map(({ name }) => name);
    expect(seen.toSorted()).toEqual(names);
    expect(rest.cursor).toBeUndefined();
  });

  tests.it("empties a directory that is listed while it is emptied", async (at) => {
    const names = await fill(at, 100);
    const removed: string[] = [];
    let cursor: number | undefined = 0;
    while (cursor !== undefined) {
      const page = await at.fs.list(at.base, cursor, 7);
      for (const { name } of page.entries) {
        await at.fs.unlink(at.name(name));
        removed.push(name);
      }
      cursor = page.cursor;
    }
    expect(removed.toSorted()).toEqual(names);
    expect(await at.names()).toEqual([]);
  });

  tests.it("lists a name once that is replaced by another file meanwhile", async (at) => {
    const names = await fill(at, 30);
    const half = await at.fs.list(at.base, 0, 15);
    const seen = half.entries.map(({ name }) => name);
    const early = seen[0] ?? "";
    const late = names.find((name) => !seen.includes(name)) ?? "";
    for (const name of [early, late]) {
      await at.file("new", "new");
      await at.fs.rename(at.name("new"), at.name(name));
    }
    const rest = await at.fs.list(at.base, half.cursor ?? -1, 100);
    seen.push(...rest.entries.map(({ name }) => name));
    expect(seen.toSorted()).toEqual(names);
  });
}

async function fill(at: Tree, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => `entry-${String(i).padStart(3, "0")}`);
  for (const name of names) await at.file(name);
  return names;
}
