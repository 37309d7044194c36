import { describe, expect, it } from "vitest";
import { O_RDWR } from "../../../src/kernel/abi/open-flags.ts";
import type { OpenFile } from "../../../src/kernel/fd/open-file.ts";
import { DeviceFileSystem } from "../../../src/kernel/filesystems/device-file-system.ts";
import { MemoryDevice } from "../../../src/kernel/filesystems/devices/memory-device.ts";
import { nullKind } from "../../../src/kernel/filesystems/devices/memory-device-kinds.ts";
import { Limits, type LimitValues } from "../../../src/kernel/limits/limits.ts";
import { bytes, expectErrno } from "../../contract/file-system/setup.ts";
import { describeFileSystemContract } from "../../contract/file-system-contract.ts";

function make(values: Partial<LimitValues> = {}) {
  let nowMs = 1_700_000_000_000;
  let drawn = 0;
  const limits = new Limits(values, () => {});
  const host = {
    now: () => nowMs,
    random: (into: Uint8Array) => {
      for (let i = 0; i < into.length; i++) into[i] = (drawn += 1) & 0xff;
    },
  };
  const fs = new DeviceFileSystem({ host, limits });
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { fs, limits, advance };
}

async function open(fs: DeviceFileSystem, name: string): Promise<OpenFile> {
  const inode = await fs.lookup(fs.root, name);
  if (inode === undefined) throw new Error(`there is no ${name}`);
  return fs.openDevice(inode, O_RDWR);
}

/** Nothing here waits. */
const waiter = {
  wait: (): Promise<boolean> => Promise.reject(new Error("a device waited")),
};

async function read(file: OpenFile, length: number): Promise<number[]> {
  const into = new Uint8Array(length).fill(0xee);
  const count = await file.read(into, waiter);
  return [...into.subarray(0, count)];
}

describeFileSystemContract("DeviceFileSystem", { make });

describe("DeviceFileSystem", () => {
  it("has the devices, links and directories of a Linux /dev", async () => {
    const { fs, limits } = make();
    const { entries } = await fs.list(fs.root, 0, 100);
    const rows: string[] = [];
    for (const { name } of entries) {
      const inode = await fs.lookup(fs.root, name);
      if (inode === undefined) continue;
      const { kind, mode, rdev, gid } = await fs.stat(inode);
      const detail = kind === "symlink" ? await fs.readlink(inode) : `${rdev >> 8}:${rdev & 0xff}`;
      rows.push(`${name} ${kind} ${mode.toString(8)} ${gid} ${detail}`);
    }
    expect(rows).toEqual([
      "null device 666 0 1:3",
      "zero device 666 0 1:5",
      "full device 666 0 1:7",
      "random device 666 0 1:8",
      "urandom device 666 0 1:9",
      "tty device 666 5 5:0",
      "ptmx device 666 5 5:2",
      "pts directory 755 0 0:0",
      "shm directory 1777 0 0:0",
      "fd symlink 777 0 /proc/self/fd",
      "stdin symlink 777 0 /proc/self/fd/0",
      "stdout symlink 777 0 /proc/self/fd/1",
      "stderr symlink 777 0 /proc/self/fd/2",
    ]);
    expect(limits.used("maxInodeCount")).toBe(0);
  });

  it("reads nothing from null and takes everything", async () => {
    const file = await open(make().fs, "null");
    expect(await read(file, 10)).toEqual([]);
    expect(await file.write(new Uint8Array(100_000), waiter)).toBe(100_000);
    expect(await file.pread(new Uint8Array(5), 7)).toBe(0);
    expect(await file.pwrite(bytes("abc"), 7)).toBe(3);
    expect(await file.seek(100, 0)).toBe(0);
    expect(file.describe()).toBe("/dev/null");
    expect(await file.stat()).toMatchObject({ kind: "device", rdev: 0x103, mode: 0o666 });
    await expectErrno(file.truncate(0), "EINVAL");
  });

  it("reads zeros from zero and takes everything", async () => {
    const file = await open(make().fs, "zero");
    expect(await read(file, 4)).toEqual([0, 0, 0, 0]);
    const into = new Uint8Array(3).fill(1);
    expect(await file.pread(into, 2 ** 40)).toBe(3);
    expect([...into]).toEqual([0, 0, 0]);
    expect(await file.write(bytes("abc"), waiter)).toBe(3);
  });

  it("reads zeros from full and fails every write with ENOSPC", async () => {
    const file = await open(make().fs, "full");
    expect(await read(file, 2)).toEqual([0, 0]);
    await expectErrno(file.write(bytes("a"), waiter), "ENOSPC");
    await expectErrno(file.pwrite(bytes("a"), 0), "ENOSPC");
  });

  it("reads the host's randomness from random and urandom", async () => {
    const { fs } = make();
    const random = await open(fs, "random");
    const urandom = await open(fs, "urandom");
    expect(await read(random, 3)).toEqual([1, 2, 3]);
    expect(await read(urandom, 3)).toEqual([4, 5, 6]);
    expect(await urandom.write(bytes("seed"), waiter)).toBe(4);
    expect(urandom.describe()).toBe("/dev/urandom");
  });

  it("opens devices that were added, by number, under any name", async () => {
    const { fs } = make();
    fs.addDevice("mine", {
      rdev: 0x2a01,
      mode: 0o600,
      gid: 7,
      open: (flags, node) => new MemoryDevice(flags, node, nullKind),
    });
    expect((await open(fs, "mine")).describe()).toBe("/dev/mine");
    const other = await fs.create(
      { directory: fs.root, name: "other" },
      { kind: "device", mode: 0o600, uid: 0, gid: 0, rdev: 0x2a01 },
    );
    const file = await fs.openDevice(other, O_RDWR);
    expect([file.describe(), (await file.stat()).ino]).toEqual(["/dev/mine", other.ino]);
    expect(() =>
      fs.addDevice("null", { rdev: 9, mode: 0, open: (f, n) => new MemoryDevice(f, n, nullKind) }),
    ).toThrow("EEXIST");
  });

  it("charges files that guests make in shm", async () => {
    const { fs } = make({ maxFilesystemBytes: 1000 });
    const shm = await fs.lookup(fs.root, "shm");
    if (shm === undefined) throw new Error("there is no shm");
    const file = await fs.create(
      { directory: shm, name: "f" },
      { kind: "file", mode: 0o600, uid: 0, gid: 0 },
    );
    await expectErrno(fs.write(file, new Uint8Array(2000), 0), "ENOSPC");
  });
});
