import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DirectoryEntries } from "../../../../src/kernel/filesystems/memory/directory-entries.ts";
import { MemoryInode } from "../../../../src/kernel/filesystems/memory/memory-inode.ts";

const inode = new MemoryInode(1, { kind: "file", mode: 0, uid: 0, gid: 0 }, 0);

function listAll(entries: DirectoryEntries, limit: number): string[] {
  const names: string[] = [];
  let cursor: number | undefined = 0;
  while (cursor !== undefined) {
    const page: ReturnType<DirectoryEntries["page"]> = entries.page(cursor, limit);
    names.push(...page.entries.map(({ name }) => name));
    cursor = page.cursor;
  }
  return names;
}

describe("DirectoryEntries", () => {
  it("lists as a Map keeps order, after any additions and removals", () => {
    const step = fc.record({ isAdded: fc.boolean(), key: fc.integer({ min: 0, max: 400 }) });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 1500 }),
        fc.integer({ min: 1, max: 300 }),
        (steps, limit) => {
          const entries = new DirectoryEntries();
          const model = new Set<string>();
          for (const { isAdded, key } of steps) {
            if (isAdded) entries.set(`n${key}`, inode);
            else entries.delete(`n${key}`);
            if (isAdded) model.add(`n${key}`);
            else model.delete(`n${key}`);
          }
          expect(entries.size).toBe(model.size);
          expect(listAll(entries, limit)).toEqual([...model]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("goes on from a removed entry with the next one", () => {
    const entries = new DirectoryEntries();
    for (let i = 0; i < 1000; i++) entries.set(`n${i}`, inode);
    const { cursor } = entries.page(0, 500);
    for (let i = 400; i < 900; i++) entries.delete(`n${i}`);
    expect(entries.page(cursor ?? -1, 1).entries.map(({ name }) => name)).toEqual(["n900"]);
  });

  it("keeps a name's place when it leads elsewhere", () => {
    const entries = new DirectoryEntries();
    const other = new MemoryInode(2, { kind: "file", mode: 0, uid: 0, gid: 0 }, 0);
    for (const name of ["a", "b", "c"]) entries.set(name, inode);
    entries.set("b", other);
    expect(listAll(entries, 10)).toEqual(["a", "b", "c"]);
    expect(entries.find("b")).toBe(other);
  });
});
