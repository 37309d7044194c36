import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, closeSync, openSync, readdirSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { isKernelError } from "../../../../src/kernel/abi/kernel-error.ts";
import type { Inode } from "../../../../src/kernel/vfs/file-system.ts";
import { Disk } from "../../../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../../../src/vm/broker/folders/host-folder.ts";
import { expectErrno } from "../../../contract/file-system/setup.ts";

const disk = new Disk();
afterAll(() => disk.close());

const SECRET = "the host's secret";
let base: string;
let shared: string;
let fs: HostFolder;

/** `shared` is what a sandbox writes to; beside it lies what nobody in it may see. */
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "hostile-directory-"));
  shared = join(base, "shared");
  await mkdir(shared);
  await mkdir(join(base, "outside"));
  await writeFile(join(base, "outside", "file"), SECRET);
  fs = await HostFolder.open(disk, { path: shared, limitBytes: 2 ** 30 });
  return async () => {
    await fs.close();
    await rm(base, { recursive: true });
  };
});

async function find(...names: string[]): Promise<Inode> {
  let at: Inode = fs.root;
  for (const name of names) {
    const next = await fs.lookup(at, name);
    if (next === undefined) throw new Error(`there is no ${name}`);
    at = next;
  }
  return at;
}

async function read(inode: Inode): Promise<string> {
  const into = new Uint8Array(100);
  return new TextDecoder().decode(into.subarray(0, await fs.read(inode, into, 0)));
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const newFile = { kind: "file", mode: 0o644, uid: 1000, gid: 1000 } as const;

describe("a watched file", () => {
  it("takes a part of the server's time, however often it changes, and is told of again", async () => {
    const path = join(shared, "file");
    await writeFile(path, "");
    let told = 0;
    const end = fs.watch(await find("file"), () => {
      told += 1;
    });
    const untilTold = async (): Promise<void> => {
      for (const before = told; told === before; ) {
        appendFileSync(path, "x");
        await new Promise(setImmediate);
      }
    };
    await untilTold();
    // Each of these is an event: only those that are alike are put together.
    for (let n = 0; n < 3000; n++) {
      appendFileSync(path, "x");
      chmodSync(path, n % 2 === 0 ? 0o600 : 0o644);
    }
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
    expect(told).toBeGreaterThan(1000);
    expect(told).toBeLessThan(2500);
    await untilTold();
    end();
  });
});

describe("a directory with very many files", () => {
  it("takes few descriptors of the server, however many of its files are held", async () => {
    const files: Inode[] = [];
    const before = readdirSync("/proc/self/fd").length;
    for (let n = 0; n < 2000; n++) {
      await writeFile(join(shared, `file-${n}`), `content ${n}`);
      const file = await find(`file-${n}`);
      fs.retain(file);
      await read(file);
      files.push(file);
    }
    await fs.statFs();
    expect(readdirSync("/proc/self/fd").length - before).toBeLessThan(1100);
    expect(await read(files[0] as Inode)).toBe("content 0");
    expect(await read(files[1999] as Inode)).toBe("content 1999");
    for (const file of files) fs.release(file);
  });

  it("holds up nobody else, however often it is listed", async () => {
    for (let n = 0; n < 20_000; n++) closeSync(openSync(join(shared, `file-${n}`), "w"));
    const other = await HostFolder.open(disk, { path: base, limitBytes: 2 ** 30 });
    const order: string[] = [];
    const listings = Array.from({ length: 8 }, () =>
      fs.list(fs.root, 0, 10).then(({ entries }) => order.push(`large ${entries.length}`)),
    );
    await other.lookup(other.root, "outside").then(() => order.push("found"));
    await other.list(other.root, 0, 10).then(() => order.push("listed"));
    await Promise.all(listings);
    expect(order.slice(0, 2)).toEqual(["found", "listed"]);
    expect(order.slice(2)).toEqual(Array(8).fill("large 10"));
    await other.close();
  });
});

describe("a shared directory with links that lead out of it", () => {
  it("shows links as links, and neither reads nor changes what they lead to", async () => {
    await symlink(join(base, "outside", "file"), join(shared, "link"));
    const link = await find("link");
    expect(link.kind).toBe("symlink");
    expect(await fs.readlink(link)).toBe(join(base, "outside", "file"));
    for (const attempt of [
      () => fs.read(link, new Uint8Array(9), 0),
      () => fs.write(link, bytes("changed"), 0),
      () => fs.truncate(link, 0),
    ]) {
      await expectErrno(attempt(), "EACCES");
    }
    await fs.setAttributes(link, { mode: 0o777, mtimeMs: 5000, atimeMs: 5000 });
    expect((await fs.stat(link)).mtimeMs).toBe(5000);
    expect(await readFile(join(base, "outside", "file"), "utf8")).toBe(SECRET);
    const outside = execFileSync("stat", ["-c", "%a %Y", join(base, "outside", "file")]);
    expect(outside.toString()).not.toContain(" 5\n");
    await expectErrno(fs.create({ directory: fs.root, name: "link" }, newFile), "EEXIST");
  });

  it("does not go through a link to a directory", async () => {
    await symlink(join(base, "outside"), join(shared, "door"));
    const door = await find("door");
    await expectErrno(fs.lookup(door, "file"), "ENOTDIR");
    await expectErrno(fs.list(door, 0, 10), "ENOTDIR");
    await expectErrno(fs.create({ directory: door, name: "new" }, newFile), "ENOTDIR");
    await expectErrno(fs.unlink({ directory: door, name: "file" }), "ENOTDIR");
  });

  it("takes no name that is a path", async () => {
    for (const name of ["..", ".", "", "../outside/file", "a/b", "a\0b"]) {
      await expectErrno(fs.lookup(fs.root, name), "EINVAL");
      await expectErrno(fs.unlink({ directory: fs.root, name }), "EINVAL");
    }
    await expectErrno(fs.lookup(fs.root, "x".repeat(256)), "ENAMETOOLONG");
  });

  it("keeps to the directory it knows when a link takes its place", async () => {
    await mkdir(join(shared, "d"));
    await writeFile(join(shared, "d", "file"), "inside");
    const directory = await find("d");
    execFileSync("sh", ["-c", `mv d e && ln -s ${join(base, "outside")} d`], { cwd: shared });
    expect(await read(await find("e", "file"))).toBe("inside");
    const file = await fs.lookup(directory, "file");
    expect(file && (await read(file))).toBe("inside");
  });
});

describe("a shared directory with special files", () => {
  it("neither waits for FIFOs nor opens devices and sockets", async () => {
    execFileSync("sh", ["-c", "mkfifo fifo"], { cwd: shared });
    const server = createServer().listen(join(shared, "socket"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    for (const [name, kind] of [
      ["fifo", "device"],
      ["socket", "socket"],
    ] as const) {
      const inode = await find(name);
      expect(inode.kind).toBe(kind);
      await expectErrno(fs.read(inode, new Uint8Array(1), 0), "EACCES");
      await expectErrno(fs.write(inode, bytes("x"), 0), "EACCES");
      await expectErrno(fs.openDevice(), "EACCES");
    }
    for (const kind of ["fifo", "device", "socket"] as const) {
      const made = fs.create({ directory: fs.root, name: "new" }, { ...newFile, kind });
      await expectErrno(made, "EPERM");
    }
  });
});

describe("a shared directory that others change", () => {
  it("sees at once what others write, cut, move and remove", async () => {
    await writeFile(join(shared, "file"), "one");
    const file = await find("file");
    await writeFile(join(shared, "file"), "two and more");
    expect(await read(file)).toBe("two and more");
    await truncate(join(shared, "file"), 3);
    expect((await fs.stat(file)).size).toBe(3);
    await rm(join(shared, "file"));
    expect(await fs.lookup(fs.root, "file")).toBeUndefined();
    await writeFile(join(shared, "file"), "three");
    expect(await read(await find("file"))).toBe("three");
  });

  it("reads a held file that others removed, and finds known files again when many were used", async () => {
    execFileSync("sh", ["-c", "for i in $(seq 600); do echo $i > f$i; done"], { cwd: shared });
    const held = await find("f1");
    fs.retain(held);
    const files: Inode[] = [];
    for (let i = 2; i <= 600; i++) files.push(await find(`f${i}`));
    await rm(join(shared, "f1"));
    await rm(join(shared, "f2"));
    expect(await read(held)).toBe("1\n");
    await expectErrno(fs.stat(files[0] ?? held), "ESTALE");
    expect(await read(files[1] ?? held)).toBe("3\n");
    fs.release(held);
  });

  it("adds no more than it may, and no bits that lend a user", async () => {
    const small = await HostFolder.open(disk, { path: shared, limitBytes: 100_000 });
    onTestFinished(() => small.close());
    const at = { directory: small.root, name: "file" };
    const file = await small.create(at, { ...newFile, mode: 0o6755 });
    expect((await small.stat(file)).mode).toBe(0o755);
    await small.setAttributes(file, { mode: 0o4711 });
    expect((await small.stat(file)).mode).toBe(0o711);
    await small.write(file, new Uint8Array(50_000), 0);
    await expectErrno(small.write(file, new Uint8Array(60_000), 50_000), "ENOSPC");
    await expectErrno(small.setAttributes(file, { uid: 0 }), "EPERM");
    await small.unlink(at);
    await small.write(await small.create(at, newFile), new Uint8Array(60_000), 0);
  });
});

/** Puts a link and a file, a link and a directory, in each other's place as fast as it can. */
const FLIP = `
const fs = require("node:fs");
const [outside] = process.argv.slice(1);
fs.mkdirSync("real"); fs.writeFileSync("real/file", "inside");
fs.symlinkSync(outside, "bad"); fs.symlinkSync(outside + "/file", "badfile");
process.stdout.write("ready");
for (;;) {
  try {
    fs.renameSync("real", "d"); fs.renameSync("d", "real"); fs.renameSync("bad", "d"); fs.renameSync("d", "bad");
    fs.writeFileSync("w", "inside"); fs.unlinkSync("w"); fs.symlinkSync(outside + "/file", "w"); fs.unlinkSync("w");
  } catch {}
}`;

describe("a shared directory in which somebody flips links", () => {
  it("leaks nothing and changes nothing outside, however often it is tried", async () => {
    const flipper = spawn(process.execPath, ["-e", FLIP, join(base, "outside")], { cwd: shared });
    onTestFinished(() => void flipper.kill("SIGKILL"));
    const gone = once(flipper, "exit");
    await once(flipper.stdout, "data");
    const seen = new Map<string, number>();
    const count = (word: string): void => void seen.set(word, (seen.get(word) ?? 0) + 1);
    const attempts = [
      async () => read(await find("d", "file")),
      async () => read(await find("w")),
      async () => String(await fs.write(await find("d", "file"), bytes("INSIDE"), 0)),
      async () => String(await fs.write(await find("w"), bytes("INSIDE"), 0)),
      async () =>
        String((await fs.create({ directory: await find("d"), name: "new" }, newFile)).kind),
      async () => String(await fs.unlink({ directory: await find("d"), name: "new" })),
      async () => String(await fs.setAttributes(await find("d", "file"), { mode: 0o600 })),
    ];
    for (let round = 0; round < 1500; round++) {
      for (const attempt of attempts) {
        count(await attempt().catch((error: unknown) => (isKernelError(error) ? "errno" : "none")));
      }
    }
    flipper.kill("SIGKILL");
    await gone;
    expect(seen.get(SECRET)).toBeUndefined();
    expect(seen.get("INSIDE") ?? seen.get("inside")).toBeGreaterThan(0);
    expect(await readFile(join(base, "outside", "file"), "utf8")).toBe(SECRET);
    expect(execFileSync("ls", [join(base, "outside")]).toString()).toBe("file\n");
    expect(execFileSync("stat", ["-c", "%a", join(base, "outside", "file")]).toString()).toBe(
      "644\n",
    );
  }, 60_000);
});

describe("a shared directory that is watched", () => {
  let told: string[];
  let wake = (): void => undefined;
  const until = async (word: string): Promise<void> => {
    while (!told.includes(word)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const watch = async (inode: Inode): Promise<() => void> => {
    told = [];
    const end = fs.watch(inode, ({ kind, name, isDirectory }) => {
      told.push(`${kind} ${name}${isDirectory ? "/" : ""}`);
      wake();
    });
    // Its beginning is a call like others: those after it find it begun.
    await fs.stat(inode);
    return end;
  };

  it("tells what others make, change and remove in it, and nothing after the end", async () => {
    await writeFile(join(shared, "old"), "");
    const end = await watch(fs.root);
    await chmod(shared, 0o700);
    await writeFile(join(shared, "old"), "changed");
    await until("changed old");
    await mkdir(join(shared, "new"));
    await until("created new/");
    await rm(join(shared, "old"));
    await until("removed old");
    expect(told.filter((word) => /\d/.test(word))).toEqual([]);
    end();
    const count = told.length;
    await writeFile(join(shared, "later"), "");
    await find("later");
    expect(told.length).toBe(count);
  });

  it("tells of one file that others change, remove, replace and rename", async () => {
    for (const loseName of [rm, replace, (path: string) => rename(path, `${path}.1`)]) {
      await writeFile(join(shared, "one"), "");
      const end = await watch(await find("one"));
      await writeFile(join(shared, "one"), "changed");
      await until("changed ");
      expect(told).not.toContain("removed ");
      await loseName(join(shared, "one"));
      await until("removed ");
      end();
    }
  });
});

async function replace(path: string): Promise<void> {
  await writeFile(`${path}.new`, "");
  await rename(`${path}.new`, path);
}
