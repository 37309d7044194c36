import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import {
  type FileSystem,
  type Inode,
  isKernelError,
  Policy,
} from "../../../../src/kernel/index.ts";
import { Disk } from "../../../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../../../src/vm/broker/folders/host-folder.ts";
import { serveInProcess } from "../../../support/served-mount.ts";
import { TestFolder } from "../../../support/test-folder.ts";
import { notLinux, unless } from "../../../support/unless.ts";

const disk = new Disk();
afterAll(() => disk.close());

const PACKAGES = 20;
const PARTS = 10;
const FILES = 5;

/** 220 directories with 1,000 small files. */
function makeTree(): TestFolder {
  const files: Record<string, string> = {};
  for (let i = 0; i < PACKAGES * PARTS * FILES; i++) {
    const part = Math.floor(i / FILES);
    files[`package-${part % PACKAGES}/part-${part}/file-${i}`] = `content ${i}`;
  }
  return new TestFolder(files);
}

async function serveTree(options: Parameters<typeof serveInProcess>[1] = {}) {
  const folder = makeTree();
  const fs = await HostFolder.open(disk, { path: folder.path, isReadOnly: true });
  onTestFinished(async () => {
    await fs.close();
    folder.remove();
  });
  return { path: folder.path, ...serveInProcess(fs, { now: () => 0, ...options }) };
}

/** Paths of all files with their content, as a walk finds them; what cannot be listed is named. */
async function walk(
  fs: FileSystem,
  isReading = false,
  directory: Inode = fs.root,
  path = "",
): Promise<string[]> {
  const found: string[] = [];
  try {
    const { entries } = await fs.list(directory, 0, 100);
    for (const { name } of entries) {
      const inode = await fs.lookup(directory, name, isReading);
      if (inode === undefined) continue;
      const at = `${path}/${name}`;
      if (inode.kind === "directory") found.push(...(await walk(fs, isReading, inode, at)));
      else found.push(isReading ? `${at}: ${await read(fs, inode)}` : at);
    }
  } catch (error) {
    if (!isKernelError(error)) throw error;
    found.push(`${path}: ${error.errno}`);
  }
  return found;
}

async function read(fs: FileSystem, inode: Inode): Promise<string> {
  const into = new Uint8Array(100);
  return Buffer.from(into.subarray(0, await fs.read(inode, into, 0))).toString();
}

function tree(isReading: boolean): string[] {
  return Array.from({ length: PACKAGES * PARTS * FILES }, (_, i) => {
    const part = Math.floor(i / FILES);
    const path = `/package-${part % PACKAGES}/part-${part}/file-${i}`;
    return isReading ? `${path}: content ${i}` : path;
  }).toSorted();
}

describe("a tree of a host folder", unless(notLinux), () => {
  it("is walked with few requests, in the order of names", async () => {
    const { served, asked } = await serveTree();
    const found = await walk(served);
    expect(found.toSorted()).toEqual(tree(false));
    expect(found[0]).toBe("/package-0/part-0/file-0");
    expect(asked.filter((call) => call === "survey").length).toBeLessThan(20);
    expect(asked.filter((call) => call !== "survey" && call !== "none")).toEqual([]);
  });

  it("is read with few requests", async () => {
    const { served, asked } = await serveTree();
    expect((await walk(served, true)).toSorted()).toEqual(tree(true));
    expect(asked.length).toBeLessThan(60);
    asked.length = 0;
    await walk(served, true);
    expect(asked.filter((call) => call !== "none")).toEqual([]);
  });

  it("is found whole where less is kept than it has", async () => {
    const { served } = await serveTree({ entries: 200, contentBytes: 4000 });
    for (let round = 0; round < 2; round++) {
      expect((await walk(served, true)).toSorted()).toEqual(tree(true));
    }
  });

  it("is fetched ahead no further than a few answers", async () => {
    const { served, asked } = await serveTree();
    const [first] = (await served.list(served.root, 0, 100)).entries;
    const directory = await served.lookup(served.root, first?.name ?? "");
    if (directory === undefined) throw new Error("there is no directory");
    await served.list(directory, 0, 100);
    expect(asked.filter((call) => call === "survey").length).toBeLessThanOrEqual(2);
  });

  it("has what was changed while it was fetched ahead", async () => {
    const { path, served, outsideChanged } = await serveTree();
    await walk(served, true);
    writeFileSync(join(path, "package-3/part-3/file-15"), "changed 15");
    renameSync(join(path, "package-4/part-4"), join(path, "package-4/part-moved"));
    rmSync(join(path, "package-5"), { recursive: true });
    mkdirSync(join(path, "package-5"));
    outsideChanged();
    const expected = tree(true)
      .filter((line) => !line.startsWith("/package-5/"))
      .map((line) => line.replace("content 15", line.endsWith(" 15") ? "changed 15" : "content 15"))
      .map((line) => line.replace("/part-4/", "/part-moved/"));
    expect((await walk(served, true)).toSorted()).toEqual(expected.toSorted());
  });

  it("says of the directories that cannot be listed that they cannot, and of no others", async () => {
    const rules = [
      { mode: "deny", operations: ["readdir"], paths: ["/mnt/package-7/part-*"] },
    ] as const;
    const policy = new Policy({ fs: { default: "allow", rules } });
    const { served } = await serveTree({ policy });
    const refused = Array.from(
      { length: PARTS },
      (_, i) => `/package-7/part-${i * PACKAGES + 7}: EACCES`,
    );
    const expected = [...tree(false).filter((at) => !at.startsWith("/package-7/")), ...refused];
    expect((await walk(served)).toSorted()).toEqual(expected.toSorted());
  });

  it("has a file that may not be known among those that may", async () => {
    const rules = [{ mode: "deny", paths: ["/mnt/package-1/part-1/file-5"] }] as const;
    const { served } = await serveTree({ policy: new Policy({ fs: { default: "allow", rules } }) });
    const directory = await served.lookup(served.root, "package-1");
    const part = directory && (await served.lookup(directory, "part-1"));
    if (part === undefined) throw new Error("there is no part");
    const names = (await served.list(part, 0, 100)).entries.map(({ name }) => name);
    expect(names.toSorted()).toEqual(["file-5", "file-6", "file-7", "file-8", "file-9"]);
    const looked = await Promise.resolve(served.lookup(part, "file-5")).catch(String);
    expect(looked).toContain("EACCES");
  });
});
