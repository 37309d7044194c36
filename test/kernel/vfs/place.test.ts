import { describe, expect, it } from "vitest";
import type { Inode } from "../../../src/kernel/vfs/file-system.ts";
import type { Mount } from "../../../src/kernel/vfs/mount-table.ts";
import { isWithin, joinPath, type Place, relocate } from "../../../src/kernel/vfs/place.ts";

const mount = { dev: 1 } as Mount;
const other = { dev: 2 } as Mount;
let lastIno = 0;

function inode(kind: Inode["kind"]): Inode {
  lastIno += 1;
  return { ino: lastIno, kind };
}

const root: Place = { mount, inode: inode("directory"), path: "/", parent: undefined, name: "" };

function at(parent: Place, name: string, node = inode("directory"), on = mount): Place {
  return { mount: on, inode: node, path: joinPath(parent.path, name), parent, name };
}

describe("a place", () => {
  const a = at(root, "a");
  const b = at(a, "b");
  const c = at(b, "c");

  it("moves with the directory above it", () => {
    const moved = at(root, "z", a.inode);
    expect(relocate(c, a, moved).path).toBe("/z/b/c");
    expect(relocate(c, a, moved).parent?.parent).toBe(moved);
    expect(relocate(a, a, moved)).toBe(moved);
    expect(relocate(root, a, moved)).toBe(root);
    const beside = at(root, "ab");
    expect(relocate(beside, a, moved)).toBe(beside);
  });

  it("of a file with two names moves only with its own name", () => {
    const file = inode("file");
    const first = at(a, "one", file);
    const second = at(a, "two", file);
    const moved = at(b, "three", file);
    expect(relocate(first, first, moved)).toBe(moved);
    expect(relocate(second, first, moved)).toBe(second);
  });

  it("is within itself and what is above it, of the same mount", () => {
    expect([isWithin(c, a), isWithin(c, c), isWithin(c, root), isWithin(a, c)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(isWithin(c, { ...a, mount: other })).toBe(false);
  });
});
