import { describe, expect, it } from "vitest";
import type { Stat } from "../../../src/kernel/abi/stat.ts";
import type { Answer } from "../../../src/kernel/answer.ts";
import { OpenFile } from "../../../src/kernel/fd/open-file.ts";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import { Limits, type LimitValues } from "../../../src/kernel/limits/limits.ts";
import { LockTable } from "../../../src/kernel/locks/lock-table.ts";
import { MountTable } from "../../../src/kernel/vfs/mount-table.ts";
import type { Place } from "../../../src/kernel/vfs/place.ts";
import { outcome, settle, TestWaiter } from "../../support/waiter.ts";

/** A process as the lock table sees it. */
class Owner extends TestWaiter {
  readonly pid: number;

  constructor(pid: number) {
    super();
    this.pid = pid;
  }
}

/** An opening of the file at a place. */
class Opened extends OpenFile {
  readonly #place: Place;

  constructor(place: Place) {
    super(0);
    this.#place = place;
  }

  override describe(): string {
    return this.#place.path;
  }

  override stat(): Answer<Stat> {
    return this.#place.mount.fileSystem.stat(this.#place.inode);
  }

  override get place(): Place {
    return this.#place;
  }
}

describe("flock", () => {
  it("lets many share and one exclude", async () => {
    const { locks, a, b, c } = makeLocks();
    await locks.flock(a, "shared", true, waiter());
    await locks.flock(b, "shared", true, waiter());
    const exclusive = locks.flock(c, "exclusive", true, waiter());
    await expect(exclusive).rejects.toMatchObject({ errno: "EAGAIN" });
  });

  it("waits until the lock is given back", async () => {
    const { locks, a, b } = makeLocks();
    await locks.flock(a, "exclusive", false, waiter());
    const waiting = locks.flock(b, "shared", false, waiter());
    expect(await outcome(waiting)).toBe("waits");
    await locks.flock(a, "unlock", false, waiter());
    expect(await outcome(waiting)).toBe(undefined);
  });

  it("is given back when the open file is released", async () => {
    const { locks, a, b, limits } = makeLocks();
    await locks.flock(a, "exclusive", false, waiter());
    const waiting = locks.flock(b, "exclusive", false, waiter());
    await settle();
    a.drop();
    await waiting;
    b.drop();
    expect(limits.used("maxFileLocks")).toBe(0);
  });

  it("is given back when it comes after the file was closed", async () => {
    const { locks, a, b, limits } = makeLocks();
    await locks.flock(a, "exclusive", false, waiter());
    const waiting = locks.flock(b, "exclusive", false, waiter());
    await settle();
    b.drop();
    a.drop();
    await waiting;
    expect(limits.used("maxFileLocks")).toBe(0);
  });

  it("changes its kind, and loses what it had when the other cannot be had", async () => {
    const { locks, a, b, c } = makeLocks();
    await locks.flock(a, "exclusive", true, waiter());
    await locks.flock(a, "shared", true, waiter());
    await locks.flock(b, "shared", true, waiter());
    const upgrade = locks.flock(a, "exclusive", true, waiter());
    await expect(upgrade).rejects.toMatchObject({ errno: "EAGAIN" });
    await locks.flock(b, "exclusive", true, waiter());
    const third = locks.flock(c, "shared", true, waiter());
    await expect(third).rejects.toMatchObject({ errno: "EAGAIN" });
  });

  it("asks for what it has without waiting", async () => {
    const { locks, a, limits } = makeLocks();
    await locks.flock(a, "exclusive", false, waiter());
    await locks.flock(a, "exclusive", false, waiter());
    expect(limits.used("maxFileLocks")).toBe(1);
  });

  it("fails with EINTR when interrupted, holding nothing", async () => {
    const { locks, a, b, limits } = makeLocks();
    await locks.flock(a, "exclusive", false, waiter());
    const interrupted = waiter();
    const waiting = locks.flock(b, "shared", false, interrupted);
    await settle();
    interrupted.interrupt();
    await expect(waiting).rejects.toMatchObject({ errno: "EINTR" });
    a.drop();
    expect(limits.used("maxFileLocks")).toBe(0);
  });

  it("keeps apart from record locks and from other files", async () => {
    const { locks, a, b, other } = makeLocks();
    await locks.flock(a, "exclusive", true, waiter());
    await locks.setRecordLock(new Owner(2), b, { type: "write", start: 0, length: 0 }, false);
    await locks.flock(other, "exclusive", true, waiter());
    expect(locks.findConflict(new Owner(3), other, { type: "write", start: 0, length: 0 })).toBe(
      undefined,
    );
  });

  it("fails with ENOLCK at the limit", async () => {
    const { locks, a, b } = makeLocks({ maxFileLocks: 1 });
    await locks.flock(a, "shared", true, waiter());
    const second = locks.flock(b, "shared", true, waiter());
    await expect(second).rejects.toMatchObject({ errno: "ENOLCK" });
  });
});

describe("record locks", () => {
  it("belong to the process: its own are never in the way", async () => {
    const { locks, a, b } = makeLocks();
    const process = new Owner(1);
    await locks.setRecordLock(process, a, { type: "write", start: 0, length: 10 }, false);
    await locks.setRecordLock(process, b, { type: "read", start: 5, length: 10 }, false);
    expect(locks.findConflict(new Owner(2), a, { type: "write", start: 0, length: 0 })).toEqual({
      type: "write",
      start: 0,
      length: 5,
      pid: 1,
    });
  });

  it("tell a lock to the end of the file by a length of 0", async () => {
    const { locks, a } = makeLocks();
    await locks.setRecordLock(new Owner(1), a, { type: "read", start: 100, length: 0 }, false);
    const found = locks.findConflict(new Owner(2), a, { type: "write", start: 5000, length: 1 });
    expect(found).toEqual({ type: "read", start: 100, length: 0, pid: 1 });
    expect(locks.findConflict(new Owner(2), a, { type: "read", start: 5000, length: 1 })).toBe(
      undefined,
    );
    expect(locks.findConflict(new Owner(2), a, { type: "write", start: 0, length: 100 })).toBe(
      undefined,
    );
  });

  it("take a negative length as the bytes before", async () => {
    const { locks, a } = makeLocks();
    await locks.setRecordLock(new Owner(1), a, { type: "write", start: 10, length: -4 }, false);
    expect(locks.findConflict(new Owner(2), a, { type: "read", start: 0, length: 0 })).toEqual({
      type: "write",
      start: 6,
      length: 4,
      pid: 1,
    });
  });

  it.each([
    [-1, 5, "EINVAL"],
    [3, -4, "EINVAL"],
    [0.5, 1, "EINVAL"],
    [Number.MAX_SAFE_INTEGER, 2, "EOVERFLOW"],
  ])("refuse the range %d, %d with %s", async (start, length, errno) => {
    const { locks, a } = makeLocks();
    const setting = locks.setRecordLock(new Owner(1), a, { type: "read", start, length }, false);
    await expect(setting).rejects.toMatchObject({ errno });
  });

  it("fail with EAGAIN or wait until the range is free", async () => {
    const { locks, a, b } = makeLocks();
    const [first, second] = [new Owner(1), new Owner(2)];
    await locks.setRecordLock(first, a, { type: "write", start: 0, length: 10 }, false);
    const wanted = { type: "read", start: 9, length: 1 } as const;
    await expect(locks.setRecordLock(second, b, wanted, false)).rejects.toMatchObject({
      errno: "EAGAIN",
    });
    const waiting = locks.setRecordLock(second, b, wanted, true);
    await locks.setRecordLock(first, a, { type: "unlock", start: 0, length: 5 }, false);
    expect(await outcome(waiting)).toBe("waits");
    await locks.setRecordLock(first, a, { type: "unlock", start: 5, length: 5 }, false);
    expect(await outcome(waiting)).toBe(undefined);
  });

  it("go when the process closes any descriptor of the file, or ends", async () => {
    const { locks, a, b, other, limits } = makeLocks();
    const process = new Owner(1);
    await locks.setRecordLock(process, a, { type: "write", start: 0, length: 1 }, false);
    await locks.setRecordLock(process, other, { type: "write", start: 0, length: 1 }, false);
    locks.releaseClosed(new Owner(9), b);
    expect(limits.used("maxFileLocks")).toBe(2);
    locks.releaseClosed(process, b);
    expect(limits.used("maxFileLocks")).toBe(1);
    locks.releaseProcess(process);
    expect(limits.used("maxFileLocks")).toBe(0);
  });

  it("wake who waits when their holder ends", async () => {
    const { locks, a } = makeLocks();
    const [first, second] = [new Owner(1), new Owner(2)];
    const lock = { type: "write", start: 0, length: 0 } as const;
    await locks.setRecordLock(first, a, lock, false);
    const waiting = locks.setRecordLock(second, a, lock, true);
    await settle();
    locks.releaseProcess(first);
    expect(await outcome(waiting)).toBe(undefined);
  });

  it("fail with EDEADLK where waiting would close a circle of three", async () => {
    const { locks, a } = makeLocks();
    const owners = [new Owner(1), new Owner(2), new Owner(3)] as const;
    const lock = (start: number) => ({ type: "write", start, length: 1 }) as const;
    for (const [at, owner] of owners.entries())
      await locks.setRecordLock(owner, a, lock(at), false);
    const first = locks.setRecordLock(owners[0], a, lock(1), true);
    const second = locks.setRecordLock(owners[1], a, lock(2), true);
    expect([await outcome(first), await outcome(second)]).toEqual(["waits", "waits"]);
    const third = locks.setRecordLock(owners[2], a, lock(0), true);
    await expect(third).rejects.toMatchObject({ errno: "EDEADLK" });
    locks.releaseProcess(owners[2]);
    await second;
    locks.releaseProcess(owners[1]);
    await first;
  });

  it("fail with ENOLCK at the limit and change nothing", async () => {
    const { locks, a, limits } = makeLocks({ maxFileLocks: 2 });
    const process = new Owner(1);
    await locks.setRecordLock(process, a, { type: "write", start: 0, length: 9 }, false);
    const split = locks.setRecordLock(process, a, { type: "read", start: 3, length: 3 }, false);
    await expect(split).rejects.toMatchObject({ errno: "ENOLCK" });
    expect(limits.used("maxFileLocks")).toBe(1);
    expect(locks.findConflict(new Owner(2), a, { type: "read", start: 4, length: 1 })).toEqual({
      type: "write",
      start: 0,
      length: 9,
      pid: 1,
    });
  });
});

function makeLocks(values: Partial<LimitValues> = {}) {
  const limits = new Limits(values, () => {});
  const fileSystem = new MemoryFileSystem({ now: () => 0 });
  const { root } = new MountTable(fileSystem, limits);
  const open = (ino: number): Opened => {
    const file = new Opened({ ...root, inode: inodes[ino] ?? root.inode, path: `/${ino}` });
    file.retain();
    return file;
  };
  const inodes = [
    { ino: 100, kind: "file" },
    { ino: 101, kind: "file" },
  ] as const;
  return {
    limits,
    locks: new LockTable(limits),
    a: open(0),
    b: open(0),
    c: open(0),
    other: open(1),
  };
}

function waiter(): TestWaiter {
  return new TestWaiter();
}
