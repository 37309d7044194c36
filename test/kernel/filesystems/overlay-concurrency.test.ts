/** The overlay over layers that take their time: what others see while a change is under way. */
import { describe, expect, it } from "vitest";
import type { Answer } from "../../../src/kernel/answer.ts";
import type { SeedEntry } from "../../../src/kernel/filesystems/memory/seed.ts";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import { OverlayFileSystem } from "../../../src/kernel/filesystems/overlay-file-system.ts";
import type { FileSystem, Inode } from "../../../src/kernel/vfs/file-system.ts";
import { makeRandom } from "../../conformance/posix/differential/operation.ts";
import { bytes, newFile } from "../../contract/file-system/setup.ts";

/** The same file system, each of whose calls begins and ends some turns later. */
function slow(fs: FileSystem, random: () => number): FileSystem {
  const wait = async (): Promise<void> => {
    for (let turns = Math.floor(random() * 8); turns > 0; turns--) await Promise.resolve();
  };
  return new Proxy(fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name === "retain" || name === "release") return value.bind(target);
      return async (...args: unknown[]): Promise<unknown> => {
        await wait();
        const result: unknown = await Reflect.apply(value, target, args);
        await wait();
        return result;
      };
    },
  });
}

const image: SeedEntry[] = [
  { path: "/d/file", kind: "file", content: bytes("image") },
  { path: "/d/tree/a", kind: "file", content: bytes("a") },
  { path: "/d/tree/b/c", kind: "file", content: bytes("c") },
  { path: "/d/empty", kind: "directory" },
];

function make(seed: number): OverlayFileSystem {
  const random = makeRandom(seed);
  const now = (): number => 1;
  const lower = new MemoryFileSystem({ now, isReadOnly: true });
  lower.seed(image);
  const upper = new MemoryFileSystem({ now });
  return new OverlayFileSystem({ upper: slow(upper, random), lower: [slow(lower, random)] });
}

async function find(fs: FileSystem, ...names: string[]): Promise<Inode> {
  let inode = fs.root;
  for (const name of names) {
    const next = await fs.lookup(inode, name);
    if (next === undefined) throw new Error(`there is no ${names.join("/")}`);
    inode = next;
  }
  return inode;
}

async function namesIn(fs: FileSystem, directory: Inode): Promise<string[]> {
  const { entries } = await fs.list(directory, 0, 100);
  return entries.map(({ name }) => name).toSorted();
}

/** Looks again and again until the changes are done. */
async function watching<T>(changes: Promise<unknown>, look: () => Answer<T>): Promise<T[]> {
  const seen: T[] = [];
  let isDone = false;
  const done = changes.finally(() => {
    isDone = true;
  });
  while (!isDone) seen.push(await look());
  await done;
  return seen;
}

const seeds = Array.from({ length: 30 }, (_, i) => i + 1);

describe("OverlayFileSystem with slow layers", () => {
  it("never shows a name missing that is replaced all the time", async () => {
    for (const seed of seeds) {
      const fs = make(seed);
      const directory = await find(fs, "d");
      const replace = async (): Promise<void> => {
        for (let i = 0; i < 5; i++) {
          await fs.create({ directory, name: `new${i}` }, newFile("file"));
          await fs.rename({ directory, name: `new${i}` }, { directory, name: "file" });
        }
      };
      const seen = await watching(replace(), () => fs.lookup(directory, "file"));
      expect(seen.includes(undefined)).toBe(false);
      expect(await namesIn(fs, directory)).toEqual(["empty", "file", "tree"]);
    }
  });

  it("shows what was removed never again, nor while its name is made anew", async () => {
    for (const seed of seeds) {
      const fs = make(seed);
      const directory = await find(fs, "d");
      const old = [await find(fs, "d", "file"), await find(fs, "d", "empty")];
      const remake = async (name: string, kind: "file" | "directory"): Promise<void> => {
        await fs.setAttributes(await find(fs, "d", name), { mode: 0o700 });
        await (kind === "file" ? fs.unlink({ directory, name }) : fs.rmdir({ directory, name }));
        await fs.create({ directory, name }, newFile(kind));
      };
      for (const [i, [name, kind]] of (
        [
          ["file", "file"],
          ["empty", "directory"],
        ] as const
      ).entries()) {
        const seen = await watching(remake(name, kind), () => fs.lookup(directory, name));
        const firstGone = seen.findIndex((inode) => inode !== old[i]);
        const after = firstGone < 0 ? [] : seen.slice(firstGone);
        expect(after.filter((inode) => inode === old[i])).toEqual([]);
      }
      expect(await namesIn(fs, directory)).toEqual(["empty", "file", "tree"]);
    }
  });

  it("shows a moved directory of the image under one of its names, and nothing in between", async () => {
    for (const seed of seeds) {
      const fs = make(seed);
      const directory = await find(fs, "d");
      const tree = await find(fs, "d", "tree");
      const move = async (): Promise<void> => {
        await fs.rmdir({ directory, name: "empty" });
        await fs.rename({ directory, name: "tree" }, { directory, name: "empty" });
      };
      const old = await find(fs, "d", "empty");
      const seen = await watching(move(), () => fs.lookup(directory, "empty"));
      const firstGone = seen.findIndex((inode) => inode !== old);
      expect(firstGone < 0 ? [] : seen.slice(firstGone).filter((inode) => inode === old)).toEqual(
        [],
      );
      expect(await fs.lookup(directory, "empty")).toBe(tree);
      expect(await namesIn(fs, tree)).toEqual(["a", "b"]);
      expect(await namesIn(fs, directory)).toEqual(["empty", "file"]);
    }
  });

  it("copies each file up once, whoever writes first", async () => {
    for (const seed of seeds) {
      const fs = make(seed);
      const names = ["file", "file", "tree", "file"];
      const inodes = await Promise.all(names.map((name) => find(fs, "d", name)));
      expect(new Set(inodes).size).toBe(2);
      const file = await find(fs, "d", "file");
      await Promise.all([
        fs.write(file, bytes("1"), "end"),
        fs.setAttributes(file, { mode: 0o600 }),
        fs.write(file, bytes("2"), "end"),
        fs.setAttributes(await find(fs, "d"), { mode: 0o711 }),
      ]);
      const into = new Uint8Array(10);
      const count = await fs.read(file, into, 0);
      expect(["image12", "image21"]).toContain(new TextDecoder().decode(into.subarray(0, count)));
      expect(await find(fs, "d", "file")).toBe(file);
      expect((await fs.stat(file)).mode).toBe(0o600);
    }
  });

  it("keeps directories in a tree when two would move into each other", async () => {
    for (const seed of seeds) {
      const fs = make(seed);
      const directory = await find(fs, "d");
      const [tree, empty] = [await find(fs, "d", "tree"), await find(fs, "d", "empty")];
      const outcomes = await Promise.allSettled([
        fs.rename({ directory, name: "tree" }, { directory: empty, name: "in" }),
        fs.rename({ directory, name: "empty" }, { directory: tree, name: "in" }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      const names = await namesIn(fs, directory);
      expect([
        ["empty", "file"],
        ["file", "tree"],
      ]).toContainEqual(names);
    }
  });

  it("makes a name once when many make it at the same time", async () => {
    for (const seed of seeds) {
      const fs = make(seed);
      const directory = await find(fs, "d");
      await fs.unlink({ directory, name: "file" });
      const at = { directory, name: "file" };
      const made = await Promise.allSettled([1, 2, 3].map(() => fs.create(at, newFile("file"))));
      expect(made.filter(({ status }) => status === "fulfilled").length).toBe(1);
      expect(await namesIn(fs, directory)).toEqual(["empty", "file", "tree"]);
    }
  });
});
