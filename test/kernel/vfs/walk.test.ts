import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isKernelError } from "../../../src/kernel/abi/kernel-error.ts";
import { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY } from "../../../src/kernel/abi/open-flags.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { OTHER, readText, TestKernel, writeText } from "../../support/test-kernel.ts";
import { notLinux, unless } from "../../support/unless.ts";
import { randomPath, randomTree, type TreeEntry } from "./random-tree.ts";
import { type Found, TreeModel } from "./walk-model.ts";

describe("the path walk against a plain model", () => {
  it("finds the same, or fails with the same errno, in any tree", async () => {
    await fc.assert(
      fc.asyncProperty(
        randomTree(""),
        fc.array(randomPath, { maxLength: 12 }),
        async (tree, paths) => {
          const test = new TestKernel((await TestKernel.boot()).host, {});
          const model = new TreeModel();
          for (const name of ["dev", "proc", "bin", "tmp", "root", "home"]) {
            model.add({ kind: "directory", path: name, target: "" });
          }
          for (const entry of tree) {
            if (model.add(entry)) await make(test.sys, `/${entry.path}`, entry);
          }
          for (const path of [...paths, ...tree.map((entry) => entry.path)]) {
            for (const followsLast of [true, false]) {
              expect([path, await find(test, path, followsLast)]).toEqual([
                path,
                model.find(path, followsLast),
              ]);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

async function make(sys: Sys, path: string, { kind, target }: TreeEntry): Promise<void> {
  if (kind === "directory") await sys.mkdir(path);
  else if (kind === "file") await writeText(sys, path, "");
  else await sys.symlink(target, path);
}

async function find({ kernel }: TestKernel, path: string, followsLast: boolean): Promise<Found> {
  try {
    const { existing } = await kernel.vfs.walkFrom(kernel.init, path, followsLast);
    if (existing === undefined) return { errno: "ENOENT" };
    return { path: existing.path, kind: existing.inode.kind };
  } catch (error) {
    if (isKernelError(error)) return { errno: error.errno };
    throw error;
  }
}

describe("the path walk against the host's", unless(notLinux), () => {
  let root = "";
  beforeAll(() => {
    root = fs.mkdtempSync(join(tmpdir(), "agentos-walk-"));
  });
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  /** Node's errno, or what the call answers. */
  function host<T>(call: () => T): T | { errno: string } {
    try {
      return call();
    } catch (error) {
      if (error instanceof Error && "code" in error) return { errno: String(error.code) };
      throw error;
    }
  }

  async function ours<T>(call: Promise<T>): Promise<T | { errno: string }> {
    return call.catch((error: unknown) => {
      if (isKernelError(error)) return { errno: error.errno };
      throw error;
    });
  }

  /**
   * Whether our walk stays in the tree: then the host may be asked to make something there. Links
   * and `..` lead out of it, and nothing outside is ours to change.
   */
  async function isInside({ kernel }: TestKernel, base: string, path: string): Promise<boolean> {
    try {
      const { path: end } = await kernel.vfs.walkFrom(kernel.init, path, "create");
      return end.startsWith(`${base}/`);
    } catch (error) {
      if (isKernelError(error)) return false;
      throw error;
    }
  }

  async function both(tree: readonly TreeEntry[], base: string): Promise<TestKernel> {
    const test = await TestKernel.boot();
    let above = "";
    for (const name of base.split("/").slice(1)) {
      above += `/${name}`;
      await ours(test.sys.mkdir(above));
    }
    fs.mkdirSync(base, { recursive: true });
    for (const entry of tree) {
      const path = `${base}/${entry.path}`;
      if (!(await isInside(test, base, path))) continue;
      const made = host(() => {
        if (entry.kind === "directory") fs.mkdirSync(path);
        else if (entry.kind === "file") fs.writeFileSync(path, "", { flag: "wx" });
        else fs.symlinkSync(entry.target, path);
      });
      const call =
        entry.kind === "directory"
          ? test.sys.mkdir(path)
          : entry.kind === "file"
            ? test.sys.open(path, O_CREAT | O_EXCL).then((fd) => test.sys.close(fd))
            : test.sys.symlink(entry.target, path);
      expect([entry, await ours(call)]).toEqual([entry, made]);
    }
    return test;
  }

  it("makes, finds and opens the same in any tree", async () => {
    let run = 0;
    const cases = fc.tuple(randomTree(`${root}/x`), fc.array(randomPath, { maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([tree, paths]) => {
        run += 1;
        const base = `${root}/x${run}/x`;
        const moved = tree.map((entry) => ({
          ...entry,
          target: entry.target.replace(`${root}/x`, base),
        }));
        const test = await both(moved, base);
        for (const path of [...paths, ...tree.map((entry) => entry.path)]) {
          const full = `${base}/${path}`;
          const { sys } = test;
          const kindOf = (stat: fs.Stats): string =>
            stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "symlink" : "file";
          const isMade = await isInside(test, base, full);
          const answers = [
            await ours(sys.stat(full).then(({ kind }) => kind)),
            await ours(sys.lstat(full).then(({ kind }) => kind)),
            await ours(sys.readlink(full)),
            await ours(sys.open(full, O_RDONLY | O_NOFOLLOW).then((fd) => sys.close(fd))),
            isMade && (await ours(sys.open(full, O_CREAT).then((fd) => sys.close(fd)))),
          ];
          const expected = [
            host(() => kindOf(fs.statSync(full))),
            host(() => kindOf(fs.lstatSync(full))),
            host(() => fs.readlinkSync(full)),
            host(() => fs.closeSync(fs.openSync(full, O_RDONLY | O_NOFOLLOW))),
            isMade && host(() => fs.closeSync(fs.openSync(full, O_CREAT))),
          ];
          expect([path, answers]).toEqual([path, expected]);
          const real = host(() => fs.realpathSync.native(full));
          const found = await find(test, full, true);
          if ("path" in found) expect([path, found.path]).toEqual([path, real]);
        }
      }),
      { numRuns: 120 },
    );
  });

  it("follows 40 links one after another, and no more", async () => {
    const base = `${root}/chain`;
    const chain = Array.from({ length: 42 }, (_, i) => ({
      kind: "symlink" as const,
      path: `l${i}`,
      target: i === 0 ? "end" : `l${i - 1}`,
    }));
    const test = await both([{ kind: "file", path: "end", target: "" }, ...chain], base);
    for (const name of ["l38", "l39", "l40", "l41"]) {
      const path = `${base}/${name}`;
      const expected = host(() => fs.statSync(path).isFile());
      expect([name, await ours(test.sys.stat(path).then(({ kind }) => kind === "file"))]).toEqual([
        name,
        expected,
      ]);
    }
    expect(await ours(test.sys.stat(`${base}/l40`))).toEqual({ errno: "ELOOP" });
  });

  it("takes names of 255 bytes and paths of 4095", async () => {
    const base = `${root}/long`;
    const test = await both([], base);
    const names = [
      "n".repeat(255),
      "n".repeat(256),
      "é".repeat(127),
      "é".repeat(128),
      "😀".repeat(64),
    ];
    for (const name of names) {
      const path = `${base}/${name}`;
      const made = host(() => fs.mkdirSync(path));
      expect([name, await ours(test.sys.mkdir(path))]).toEqual([name, made]);
    }
    for (const length of [4094, 4095, 4096, 5000]) {
      const path = `${base}${"/".repeat(length - base.length)}`;
      expect(path).toHaveLength(length);
      const seen = host(() => fs.statSync(path).isDirectory());
      const found = await ours(test.sys.stat(path).then(({ kind }) => kind === "directory"));
      expect([length, found]).toEqual([length, seen]);
    }
  });
});

describe("the path walk", () => {
  it("needs the right to search every directory on the way, also back up", async () => {
    const test = await TestKernel.boot();
    await test.sys.mkdir("/tmp/open");
    await test.sys.mkdir("/tmp/closed");
    await writeText(test.sys, "/tmp/closed/f", "inside");
    await test.sys.chmod("/tmp/closed", 0o600);
    await test.sys.symlink("/tmp/closed/f", "/tmp/link");
    await test.as(OTHER, async (sys) => {
      for (const path of ["closed/f", "closed/.", "closed/..", "open/../closed/../open", "link"]) {
        await expect(sys.stat(path)).rejects.toMatchObject({ errno: "EACCES" });
      }
      expect((await sys.stat("closed")).kind).toBe("directory");
    });
    await test.asRoot(async (sys) => expect(await readText(sys, "/tmp/link")).toBe("inside"));
  });

  it("stays in a removed directory and finds its way up", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await sys.mkdir("d");
      const fd = await sys.open("d", O_RDONLY);
      await sys.rmdir("d");
      await expect(sys.stat({ at: fd, path: "x" })).rejects.toMatchObject({ errno: "ENOENT" });
      expect((await sys.stat({ at: fd, path: "." })).nlink).toBe(0);
      expect((await sys.stat({ at: fd, path: ".." })).ino).toBe((await sys.stat("/tmp")).ino);
      expect((await sys.stat({ at: fd, path: "/tmp" })).kind).toBe("directory");
    });
  });

  it("never leaves the root", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const { ino } = await sys.stat("/");
      for (const path of ["/..", "/../../..", "../../../..", "/./../."]) {
        expect((await sys.stat(path)).ino).toBe(ino);
      }
    });
  });
});
