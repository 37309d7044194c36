// Whoever makes directories makes them as deep as paths can be, and fills the deepest: nothing takes the square of it.
import { describe, expect, it } from "vitest";
import type { FileSystem, Inode } from "../../../../src/kernel/index.ts";
import { MemoryFileSystem } from "../../../../src/kernel/index.ts";
import { listTree } from "../../../../src/sandbox-escalation/files/carry/list-tree.ts";
import { ancestorsOf, parentOf } from "../../../../src/sandbox-escalation/files/carry/tree.ts";
import { MovingFiles } from "../../../../src/sandbox-escalation/files/moving/moving-files.ts";

describe("deep trees", () => {
  it("finds the directories of paths, each once, outer ones first", () => {
    expect(ancestorsOf(["a/b/c", "a/b/d", "a/e/f", "g"])).toEqual(["a", "a/b", "a/e"]);
    expect([parentOf("a/b/c"), parentOf("a")]).toEqual(["a/b", undefined]);
  });

  it("finds those of many files, two thousand directories deep", () => {
    const deep = Array.from({ length: 2000 }, () => "d").join("/");
    const paths = Array.from({ length: 50_000 }, (_, i) => `${deep}/${i}`);
    expect(ancestorsOf(paths)).toHaveLength(2000);
  });

  it("lists no tree whose paths together are longer than memory", async () => {
    const files = new MemoryFileSystem({ now: Date.now });
    await deepen(files, "d".repeat(255), 2000);
    await expect(listTree(files)).rejects.toThrow("too many levels deep");
  });

  it("finds a file again that lies deeper than calls can lie in calls", async () => {
    const home = new MemoryFileSystem({ now: Date.now });
    const moving = new MovingFiles(home);
    const deepest = await deepen(moving, "d", 20_000);
    moving.moveAtOnce(new MemoryFileSystem({ now: Date.now }));
    moving.moveAtOnce(home);
    expect((await moving.stat(deepest)).kind).toBe("directory");
  });
});

async function deepen(files: FileSystem, name: string, levels: number): Promise<Inode> {
  const directory = { kind: "directory", mode: 0o755, uid: 1000, gid: 1000 } as const;
  let at = files.root;
  for (let i = 0; i < levels; i++) at = await files.create({ directory: at, name }, directory);
  return at;
}
