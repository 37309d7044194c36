import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FileSystem, MemoryFileSystem } from "../../../../src/kernel/index.ts";
import { Limits } from "../../../../src/kernel/limits/limits.ts";
import { ExecFiles } from "../../../../src/sandbox-escalation/files/exec/exec-files.ts";
import { MovingFile } from "../../../../src/sandbox-escalation/files/moving/moving-file.ts";
import { MovingFiles } from "../../../../src/sandbox-escalation/files/moving/moving-files.ts";
import { Disk } from "../../../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../../../src/vm/broker/folders/host-folder.ts";
import { bytes, expectErrno, newFile } from "../../../contract/file-system/setup.ts";
import { describeFileSystemContract } from "../../../contract/file-system-contract.ts";
import { hostProcesses } from "../../../support/host-process-sandbox.ts";

const disk = new Disk();
afterAll(() => disk.close());

/** Two file systems that show one directory: moving between them carries nothing. */
async function makeSeats() {
  const path = await mkdtemp(join(tmpdir(), "moving-files-"));
  const home = await HostFolder.open(disk, { path, limitBytes: 2 ** 40 });
  const away = new ExecFiles(hostProcesses(path, "bash"));
  const close = async (): Promise<void> => {
    await away.close();
    await home.close();
    await rm(path, { recursive: true });
  };
  return { path, home, away, fs: new MovingFiles(home), close };
}

const limits = new Limits({}, () => {});
const cannot = {
  "charges limits": "the host's disk has no limits of the VM's",
  "counts links of directories": "some file systems count none",
  "devices and fifos": "special files are not shared",
  "exact times": "the clock is not the test's",
  "files without a name": "a file that moves is found by its name",
  owners: "all that is shared is the VM's user's",
};

describeFileSystemContract("MovingFiles at home", {
  async make() {
    const { fs, close } = await makeSeats();
    return { fs, close, limits, advance: () => undefined };
  },
  cannot,
});

describeFileSystemContract("MovingFiles elsewhere", {
  async make() {
    const { fs, away, close } = await makeSeats();
    fs.moveAtOnce(away);
    return { fs, close, limits, advance: () => undefined };
  },
  timeoutMs: 60_000,
  cannot,
});

describeFileSystemContract("MovingFiles that move before each call", {
  async make() {
    const { fs, home, away, close } = await makeSeats();
    return { fs: restless(fs, home, away), close, limits, advance: () => undefined };
  },
  timeoutMs: 60_000,
  cannot,
});

const SYNCHRONOUS: ReadonlySet<unknown> = new Set(["retain", "release", "watch"]);

/**
 * A listing goes on where it began: its order is a file system's own, and so are the numbers in it of files that
 * nobody has looked up yet.
 */
function restless(fs: MovingFiles, home: FileSystem, away: FileSystem): FileSystem {
  let isListing = false;
  const step = async (name: unknown, call: () => unknown): Promise<unknown> => {
    const isLook = name === "lookup" || name === "stat" || name === "list";
    isListing &&= isLook || fs.files === home;
    if (!isListing) await fs.moveTo(fs.files === home ? away : home, async () => undefined);
    const answer = await call();
    isListing ||= name === "list";
    // As who serves a mount does with each file that it tells of.
    if (answer instanceof MovingFile) await fs.stat(answer);
    return answer;
  };
  return new Proxy(fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(value, target, args);
        return SYNCHRONOUS.has(name) ? call() : step(name, call);
      };
    },
  });
}

const now = (): number => Date.now();
const root = (fs: MovingFiles, name: string) => ({ directory: fs.root, name });

describe("files that move", () => {
  it("are the same files after it, with the content of where they are", async () => {
    const [home, away] = [new MemoryFileSystem({ now }), new MemoryFileSystem({ now })];
    const fs = new MovingFiles(home);
    const folder = await fs.create(root(fs, "folder"), newFile("directory"));
    const file = await fs.create({ directory: folder, name: "file" }, newFile("file"));
    await fs.write(file, bytes("home"), 0);
    const there = await away.create({ directory: away.root, name: "folder" }, newFile("directory"));
    const other = await away.create({ directory: there, name: "file" }, newFile("file"));
    await away.write(other, bytes("far away"), 0);
    await fs.moveTo(away, async () => undefined);
    expect((await fs.stat(file)).size).toBe(8);
    expect((await fs.stat(file)).ino).toBe(file.ino);
    expect(await fs.lookup(folder, "file")).toBe(file);
    expect((await fs.list(folder, 0, 10)).entries).toEqual([
      { name: "file", kind: "file", ino: file.ino },
    ]);
    fs.moveAtOnce(home);
    expect((await fs.stat(file)).size).toBe(4);
  });

  it("are stale when nothing of their kind is there", async () => {
    const [home, away] = [new MemoryFileSystem({ now }), new MemoryFileSystem({ now })];
    const fs = new MovingFiles(home);
    const gone = await fs.create(root(fs, "gone"), newFile("file"));
    const other = await fs.create(root(fs, "other"), newFile("file"));
    const folder = await fs.create(root(fs, "folder"), newFile("directory"));
    const unnamed = await fs.create(root(fs, "unnamed"), newFile("file"));
    fs.retain(unnamed);
    await fs.unlink(root(fs, "unnamed"));
    expect((await fs.stat(unnamed)).nlink).toBe(0);
    await away.create({ directory: away.root, name: "other" }, newFile("directory"));
    fs.moveAtOnce(away);
    for (const file of [gone, other]) await expectErrno(fs.stat(file), "ESTALE");
    expect((await fs.stat(unnamed)).nlink).toBe(0);
    await expectErrno(fs.read(unnamed, new Uint8Array(1), 0), "ESTALE");
    expect(await fs.lookup(folder, "x")).toBeUndefined();
    expect(await fs.list(folder, 0, 10)).toEqual({ entries: [], cursor: undefined });
    await expectErrno(fs.create({ directory: folder, name: "x" }, newFile("file")), "ENOENT");
    fs.release(unnamed);
  });

  it("keep calls waiting while they move, and stay when that fails", async () => {
    const [home, away] = [new MemoryFileSystem({ now }), new MemoryFileSystem({ now })];
    const fs = new MovingFiles(home);
    const file = await fs.create(root(fs, "file"), newFile("file"));
    let fail: (error: Error) => void = () => undefined;
    const moving = fs.moveTo(away, () => new Promise<void>((_, reject) => (fail = reject)));
    let isDone = false;
    const writing = fs.write(file, bytes("x"), 0).then(() => (isDone = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    fail(new Error("not there"));
    await expect(moving).rejects.toThrow("not there");
    await writing;
    expect(fs.files).toBe(home);
    expect((await home.list(home.root, 0, 10)).entries.length).toBe(1);
  });

  it("are held and watched where they are", async () => {
    const { path, home, away, fs, close } = await makeSeats();
    try {
      const told: string[] = [];
      const end = fs.watch(fs.root, ({ name }) => told.push(name));
      fs.moveAtOnce(away);
      fs.moveAtOnce(home);
      const write = async (): Promise<string[]> => {
        await writeFile(join(path, "seen"), "");
        return told;
      };
      await expect.poll(write).toContain("seen");
      end();
      const file = await fs.lookup(fs.root, "seen");
      if (file === undefined) throw new Error("not found");
      fs.retain(file);
      await fs.unlink(root(fs, "seen"));
      await fs.write(file, bytes("held"), 0);
      expect((await fs.stat(file)).size).toBe(4);
      fs.release(file);
    } finally {
      await close();
    }
  });
});
