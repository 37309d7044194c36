import { link, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { MemoryFileSystem } from "../../../../src/kernel/filesystems/memory-file-system.ts";
import { Limits, type LimitValues } from "../../../../src/kernel/limits/limits.ts";
import type { FileSystem, Inode } from "../../../../src/kernel/vfs/file-system.ts";
import { Disk } from "../../../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../../../src/vm/broker/folders/host-folder.ts";
import { describeFileSystemContract } from "../../../contract/file-system-contract.ts";
import { describeFixedFileSystemContract } from "../../../contract/fixed-file-system-contract.ts";
import { serveInProcess } from "../../../support/served-mount.ts";
import { TestFolder } from "../../../support/test-folder.ts";
import { notLinux, unless } from "../../../support/unless.ts";

const disk = new Disk();
afterAll(() => disk.close());

async function makeDirectory() {
  const path = await mkdtemp(join(tmpdir(), "served-"));
  const fs = await HostFolder.open(disk, { path, limitBytes: 2 ** 40 });
  const close = async (): Promise<void> => {
    await fs.close();
    await rm(path, { recursive: true });
  };
  return { path, fs, close };
}

describeFileSystemContract("ServedFileSystem of a MemoryFileSystem", {
  make(values: Partial<LimitValues>) {
    let nowMs = 1_700_000_000_000;
    const limits = new Limits(values, () => {});
    const now = (): number => nowMs;
    const { served } = serveInProcess(new MemoryFileSystem({ now, limits }), { now });
    const advance = (ms: number): void => {
      nowMs += ms;
    };
    return { fs: served, limits, advance };
  },
  cannot: { "charges limits": "what the server charges is let go of a moment later" },
});

describeFileSystemContract("ServedFileSystem of a HostFolder", {
  async make() {
    const { fs, close } = await makeDirectory();
    const { served } = serveInProcess(fs);
    return { fs: served, close, limits: new Limits({}, () => {}), advance: () => undefined };
  },
  cannot: {
    "charges limits": "the host's disk has no limits of the VM's",
    "counts links of directories": "some file systems of hosts count none",
    "devices and fifos": "special files are not shared",
    "exact times": "the host's clock is not the test's",
    owners: "all that is shared is the VM's user's",
  },
});

describeFixedFileSystemContract("ServedFileSystem of a read-only HostFolder", async () => {
  const folder = new TestFolder({ "d/file": "x", "d/link": { link: "file" }, other: "" });
  const fs = await HostFolder.open(disk, { path: folder.path, isReadOnly: true });
  onTestFinished(async () => {
    await fs.close();
    folder.remove();
  });
  const { served } = serveInProcess(fs);
  return { fs: served, file: ["d", "file"], link: ["d", "link"], refusal: "EROFS" };
});

async function find(fs: FileSystem, name: string): Promise<Inode> {
  const inode = await fs.lookup(fs.root, name);
  if (inode === undefined) throw new Error(`there is no ${name}`);
  return inode;
}

async function listAll(fs: FileSystem): Promise<void> {
  let cursor: number | undefined = 0;
  while (cursor !== undefined) cursor = (await fs.list(fs.root, cursor, 1000)).cursor;
}

async function read(fs: FileSystem, inode: Inode, length = 1 << 20): Promise<string> {
  const into = new Uint8Array(length);
  return new TextDecoder().decode(into.subarray(0, await fs.read(inode, into, 0)));
}

describe("ServedFileSystem", () => {
  it("asks once for what a walk and an open look at", async () => {
    const fs = new MemoryFileSystem({ now: () => 0 });
    fs.seed([{ path: "/file", kind: "file", content: Buffer.alloc(100, "x"), mode: 0o644 }]);
    const { served, asked } = serveInProcess(fs, { now: () => 0 });
    const file = await find(served, "file");
    for (let i = 0; i < 3; i++) expect((await served.stat(file)).size).toBe(100);
    for (let i = 0; i < 3; i++) expect(await read(served, file)).toBe("x".repeat(100));
    expect(asked).toEqual(["lookup", "read"]);
  });

  it("has a file come along that is found to be read, if it is not large", async () => {
    const fs = new MemoryFileSystem({ now: () => 0 });
    const large = Buffer.alloc((1 << 20) + 1, "l");
    fs.seed([
      { path: "/file", kind: "file", content: Buffer.from("0123456789"), mode: 0o644 },
      { path: "/large", kind: "file", content: large, mode: 0o644 },
    ]);
    const { served, asked } = serveInProcess(fs, { now: () => 0 });
    const file = await served.lookup(served.root, "file", true);
    if (file === undefined) throw new Error("there is no file");
    expect(await read(served, file)).toBe("0123456789");
    const into = new Uint8Array(4);
    expect([await served.read(file, into, 8), into[0], into[1]]).toEqual([2, 0x38, 0x39]);
    expect(await served.read(file, into, 10)).toBe(0);
    expect(asked).toEqual(["lookup"]);
    const other = await served.lookup(served.root, "large", true);
    if (other === undefined) throw new Error("there is no large");
    expect(await read(served, other, 3)).toBe("lll");
    expect(asked.slice(0, 3)).toEqual(["lookup", "lookup", "read"]);
  });

  it("gives each of several files that are found at one time what is its own", async () => {
    const fs = new MemoryFileSystem({ now: () => 0 });
    const names = ["a", "b", "c"];
    fs.seed(names.map((name) => ({ path: `/${name}`, kind: "file", content: Buffer.from(name) })));
    const { served } = serveInProcess(fs, { now: () => 0 });
    const look = async (name: string): Promise<Inode> => {
      const inode = await served.lookup(served.root, name, true);
      if (inode === undefined) throw new Error(`there is no ${name}`);
      return inode;
    };
    const found = await Promise.all(names.map(look));
    expect(await Promise.all(found.map((inode) => read(served, inode)))).toEqual(names);
  });

  it("believes what came along no longer than all else", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    await writeFile(join(path, "file"), "one");
    const { served, outsideChanged } = serveInProcess(fs, { now: () => 0 });
    const file = await served.lookup(served.root, "file", true);
    if (file === undefined) throw new Error("there is no file");
    await writeFile(join(path, "file"), "two");
    expect(await read(served, file)).toBe("one");
    outsideChanged();
    expect(await read(served, file)).toBe("two");
    expect(await served.lookup(served.root, "file", true)).toBe(file);
    await served.write(file, Buffer.from("sixty"), 0);
    // What is heard of the file later says nothing of what came before.
    expect((await served.stat(file)).size).toBe(5);
    expect(await read(served, file)).toBe("sixty");
  });

  it("reads a megabyte in order with the rest on its way", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    const content = Buffer.alloc(1 << 20, "0123456789abcdef");
    await writeFile(join(path, "file"), content);
    const { served, asked } = serveInProcess(fs);
    const file = await find(served, "file");
    const got: Uint8Array[] = [];
    for (let at = 0; ; ) {
      const into = new Uint8Array(65_536);
      const count = await served.read(file, into, at);
      if (count === 0) break;
      got.push(into.subarray(0, count));
      at += count;
    }
    expect(Buffer.concat(got).equals(content)).toBe(true);
    expect(asked.filter((call) => call === "read").length).toBeGreaterThanOrEqual(4);
  });

  it("reads much in one go, and asks nothing for the end of a file", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    const content = Buffer.from(Array.from({ length: 2_500_000 }, (_, i) => i % 251));
    await writeFile(join(path, "file"), content);
    const { served, asked } = serveInProcess(fs, { now: () => 0 });
    const file = await find(served, "file");
    const into = new Uint8Array(3_000_000);
    expect(await served.read(file, into, 0)).toBe(2_500_000);
    expect(content.equals(into.subarray(0, 2_500_000))).toBe(true);
    expect(await served.read(file, into, 2_500_000)).toBe(0);
    expect(asked).toEqual(["lookup", "read", "read", "read"]);
  });

  it("knows with a listing all that is in a directory, and what is not", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    for (let i = 0; i < 300; i++) await writeFile(join(path, `file-${i}`), String(i));
    const { served, asked } = serveInProcess(fs, { now: () => 0 });
    await listAll(served);
    asked.length = 0;
    for (let i = 0; i < 300; i++) {
      expect((await served.stat(await find(served, `file-${i}`))).size).toBe(String(i).length);
    }
    expect(await served.lookup(served.root, "none")).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("does not believe what it found beside a change of its own", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    for (let i = 0; i < 9; i++) await writeFile(join(path, `file-${i}`), "");
    const { served } = serveInProcess(fs, { now: () => 0 });
    await listAll(served);
    await find(served, "file-0");
    const [found] = await Promise.all([
      served.lookup(served.root, "file-1"),
      served.unlink({ directory: served.root, name: "file-2" }),
    ]);
    expect(found).toBeDefined();
    expect(await served.lookup(served.root, "file-2")).toBeUndefined();
  });

  it("tells with other requests what is held, and nothing of what was held for a moment", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    for (const name of ["a", "b"]) await writeFile(join(path, name), name);
    const { served, asked, service } = serveInProcess(fs, { now: () => 0 });
    const kept: unknown[] = [];
    const call = service.call.bind(service);
    service.call = (params, body) => {
      kept.push([params.request.call, params.hold, params.release]);
      return call(params, body);
    };
    const [a, b] = [await find(served, "a"), await find(served, "b")];
    kept.length = 0;
    served.retain(a);
    served.retain(b);
    served.release(b);
    expect(await read(served, a)).toBe("a");
    await served.unlink({ directory: served.root, name: "a" });
    expect(await read(served, a)).toBe("a");
    served.release(a);
    await expect.poll(() => asked.at(-1)).toBe("none");
    expect(kept).toEqual([
      ["read", [expect.any(Number)], undefined],
      ["unlink", undefined, undefined],
      ["read", undefined, undefined],
      ["none", undefined, [expect.any(Number)]],
    ]);
  });

  it("sees at once what the host changed when the host has answered a command", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    await writeFile(join(path, "file"), "one");
    // The clock stands still: only what is told can make anything old.
    const { served, outsideChanged } = serveInProcess(fs, { now: () => 0 });
    const file = await find(served, "file");
    expect(await read(served, file)).toBe("one");
    await writeFile(join(path, "file"), "two and three");
    outsideChanged();
    expect((await served.stat(file)).size).toBe(13);
    expect(await read(served, file)).toBe("two and three");
    await rm(join(path, "file"));
    expect(await served.lookup(served.root, "file")).toBeUndefined();
    await writeFile(join(path, "new"), "");
    expect(await served.lookup(served.root, "new")).toBeDefined();
  });

  it("sees what the host changed a moment ago without being told", async () => {
    let nowMs = 0;
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    await writeFile(join(path, "file"), "one");
    const { served } = serveInProcess(fs, { now: () => nowMs });
    const file = await find(served, "file");
    expect(await read(served, file)).toBe("one");
    await writeFile(join(path, "file"), "four");
    nowMs += 1000;
    expect(await read(served, file)).toBe("four");
    expect((await served.stat(file)).size).toBe(4);
  });

  it("finds files again that the server has forgotten, and a directory that is not there as empty", async () => {
    const fs = new MemoryFileSystem({ now: () => 0 });
    const { served } = serveInProcess(fs, { now: () => 0 });
    const owner = { mode: 0o755, uid: 0, gid: 0 } as const;
    const at = (name: string) => ({ directory: served.root, name });
    const directory = await served.create(at("d"), { kind: "directory", ...owner });
    const deep = await served.create({ directory, name: "deep" }, { kind: "file", ...owner });
    await served.write(deep, new TextEncoder().encode("here"), 0);
    for (let i = 0; i < 16_500; i++) await served.create(at(`f${i}`), { kind: "file", ...owner });
    expect(await read(served, deep)).toBe("here");
    expect(await served.lookup(directory, "deep")).toBeDefined();
  });
});

describe("directories of a host folder that a VM keeps", unless(notLinux), () => {
  /** A directory of 300 small files that was listed and read. */
  async function serveRead(entries?: number) {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    for (let i = 0; i < 300; i++) await writeFile(join(path, `file-${i}`), `content ${i}`);
    const pair = serveInProcess(fs, {
      now: () => 0,
      ...(entries === undefined ? {} : { entries }),
    });
    await readAll(pair.served);
    return { path, ...pair };
  }

  async function readAll(fs: FileSystem): Promise<string[]> {
    await listAll(fs);
    const all: string[] = [];
    for (let i = 0; i < 300; i++) {
      const file = await fs.lookup(fs.root, `file-${i}`, true);
      all.push(file === undefined ? "none" : await read(fs, file));
    }
    return all;
  }

  it("are read with few requests, and again with one that asks what has changed", async () => {
    const { served, asked, outsideChanged } = await serveRead();
    expect(asked.length).toBeLessThan(12);
    asked.length = 0;
    outsideChanged();
    const all = await readAll(served);
    expect([all[0], all[299]]).toEqual(["content 0", "content 299"]);
    expect(asked).toEqual(["changes"]);
  });

  it("never show what the host has changed, and ask for nothing else again", async () => {
    const { path, served, asked, outsideChanged } = await serveRead();
    await writeFile(join(path, "file-1"), "changed 1");
    await rm(join(path, "file-2"));
    await writeFile(join(path, "file-2"), "another");
    await rm(join(path, "file-3"));
    await writeFile(join(path, "new"), "");
    outsideChanged();
    asked.length = 0;
    expect(await served.lookup(served.root, "new")).toBeDefined();
    const all = await readAll(served);
    expect(all.slice(0, 5)).toEqual(["content 0", "changed 1", "another", "none", "content 4"]);
    expect(asked[0]).toBe("changes");
    expect(asked.filter((call) => call === "survey").length).toBe(1);
    expect(asked.length).toBeLessThan(12);
  });

  it("show a file with a second name elsewhere as it is, though nobody tells of that", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    await mkdir(join(path, "d"));
    await mkdir(join(path, "unseen"));
    await writeFile(join(path, "d/file"), "one");
    await link(join(path, "d/file"), join(path, "unseen/second"));
    const { served, outsideChanged } = serveInProcess(fs, { now: () => 0 });
    const d = await find(served, "d");
    await served.list(d, 0, 10);
    const file = await served.lookup(d, "file");
    if (file === undefined) throw new Error("there is no file");
    expect(await read(served, file)).toBe("one");
    await writeFile(join(path, "unseen/second"), "changed");
    outsideChanged();
    expect((await served.stat(file)).size).toBe(7);
    expect(await read(served, file)).toBe("changed");
  });

  it("are looked at anew after a while, for what nobody tells of", async () => {
    let nowMs = 0;
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    await writeFile(join(path, "file"), "one");
    const { served, asked } = serveInProcess(fs, { now: () => nowMs });
    await listAll(served);
    await served.stat(await find(served, "file"));
    asked.length = 0;
    nowMs += 4999;
    await served.stat(await find(served, "file"));
    expect(asked).toEqual(["changes"]);
    nowMs += 1;
    await served.stat(await find(served, "file"));
    expect(asked).toEqual(["changes", "lookup"]);
  });

  it("are kept up to a limit, and a larger one is passed on page by page", async () => {
    const { served, caches } = await serveRead(200);
    expect(caches.pictures.entries).toBeLessThanOrEqual(200);
    const names = new Set<string>();
    for (let cursor: number | undefined = 0; cursor !== undefined; ) {
      const page = await served.list(served.root, cursor, 50);
      for (const { name } of page.entries) names.add(name);
      cursor = page.cursor;
    }
    expect(names.size).toBe(300);
  });

  it("keep no more of names that are not there than of those that are", async () => {
    const { served, caches } = await serveRead(400);
    for (let i = 0; i < 1000; i++) {
      expect(await served.lookup(served.root, `none-${i}`)).toBeUndefined();
    }
    expect(caches.pictures.entries).toBeLessThanOrEqual(400);
  });

  it("hold no more content than they may", async () => {
    const { path, fs, close } = await makeDirectory();
    onTestFinished(close);
    for (let i = 0; i < 40; i++) await writeFile(join(path, `file-${i}`), Buffer.alloc(50_000));
    const { served, caches } = serveInProcess(fs, { contentBytes: 1 << 20 });
    await listAll(served);
    for (let i = 0; i < 40; i++) await read(served, await find(served, `file-${i}`));
    expect(caches.contents.heldBytes).toBeLessThanOrEqual(1 << 20);
    expect(caches.contents.heldBytes).toBeGreaterThan(1 << 19);
  });
});
