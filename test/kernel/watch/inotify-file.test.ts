import { describe, expect, it } from "vitest";
import {
  decodeInotify,
  IN_ALL_EVENTS,
  IN_ATTRIB,
  IN_CREATE,
  IN_IGNORED,
  IN_MASK_ADD,
  IN_MASK_CREATE,
  IN_MODIFY,
  IN_Q_OVERFLOW,
  type InotifyEvent,
} from "../../../src/kernel/abi/inotify.ts";
import { O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import { POLLIN } from "../../../src/kernel/abi/poll.ts";
import { formatOf } from "../../../src/kernel/abi/stat.ts";
import { Limits, type LimitValues } from "../../../src/kernel/limits/limits.ts";
import type { Inode } from "../../../src/kernel/vfs/file-system.ts";
import { InotifyFile } from "../../../src/kernel/watch/inotify-file.ts";
import { WatchTable } from "../../../src/kernel/watch/watch-table.ts";
import { outcome, settle, TestWaiter } from "../../support/waiter.ts";

const directory: Inode = { ino: 1, kind: "directory" };
const file: Inode = { ino: 2, kind: "file" };
const waiter = new TestWaiter();

describe("reading an inotify file", () => {
  it("gives Linux's bytes: a header, then the name padded with NULs", async () => {
    const { table, inotify } = makeInotify();
    inotify.addWatch(directory, IN_CREATE);
    table.notify(directory, IN_CREATE, { name: "c0", cookie: 258 });
    const into = new Uint8Array(33);
    expect(await inotify.read(into, waiter)).toBe(32);
    const header = [1, 0, 0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 16, 0, 0, 0];
    const name = [0x63, 0x30, ...Array<number>(14).fill(0)];
    expect([...into.subarray(0, 32)]).toEqual([...header, ...name]);
  });

  it("has no name for the watched file itself, and keeps a byte for the NUL", async () => {
    const { table, inotify } = makeInotify();
    inotify.addWatch(directory, IN_ALL_EVENTS);
    table.notify(directory, IN_ATTRIB);
    table.notify(directory, IN_CREATE, { name: "x".repeat(15) });
    table.notify(directory, IN_CREATE, { name: "x".repeat(16) });
    expect(await inotify.ioctl({ request: "FIONREAD" })).toBe(16 + 32 + 48);
    expect(await readEvents(inotify)).toEqual([
      { wd: 1, mask: IN_ATTRIB, cookie: 0, name: "" },
      { wd: 1, mask: IN_CREATE, cookie: 0, name: "x".repeat(15) },
      { wd: 1, mask: IN_CREATE, cookie: 0, name: "x".repeat(16) },
    ]);
  });

  it("carries names that are not UTF-8", async () => {
    const { table, inotify } = makeInotify();
    inotify.addWatch(directory, IN_CREATE);
    table.notify(directory, IN_CREATE, { name: "\udcff€" });
    expect((await readEvents(inotify)).map(({ name }) => name)).toEqual(["\udcff€"]);
  });

  it("gives whole events, as many as fit, and EINVAL where none does", async () => {
    const { table, inotify } = makeInotify();
    inotify.addWatch(directory, IN_CREATE);
    for (const name of ["a", "b", "c"]) table.notify(directory, IN_CREATE, { name });
    const small = inotify.read(new Uint8Array(31), waiter);
    await expect(small).rejects.toMatchObject({ errno: "EINVAL" });
    expect(await inotify.read(new Uint8Array(95), waiter)).toBe(64);
    expect((await readEvents(inotify)).map(({ name }) => name)).toEqual(["c"]);
  });

  it("waits for an event, EAGAIN under O_NONBLOCK", async () => {
    const { table, inotify } = makeInotify();
    inotify.addWatch(file, IN_MODIFY);
    const reading = inotify.read(new Uint8Array(100), waiter);
    expect([await outcome(reading), inotify.poll()]).toEqual(["waits", 0]);
    table.notify(file, IN_MODIFY);
    expect(inotify.poll()).toBe(POLLIN);
    expect(await reading).toBe(16);
    inotify.flags |= O_NONBLOCK;
    const none = inotify.read(new Uint8Array(100), waiter);
    await expect(none).rejects.toMatchObject({ errno: "EAGAIN" });
  });

  it("fails with EINTR when interrupted", async () => {
    const { inotify } = makeInotify();
    const interrupted = new TestWaiter();
    const reading = inotify.read(new Uint8Array(100), interrupted);
    await settle();
    interrupted.interrupt();
    await expect(reading).rejects.toMatchObject({ errno: "EINTR" });
  });

  it("drops an event equal to the last unread one, and no other", async () => {
    const { table, inotify } = makeInotify();
    inotify.addWatch(file, IN_MODIFY | IN_ATTRIB);
    for (const mask of [IN_MODIFY, IN_MODIFY, IN_ATTRIB, IN_MODIFY]) table.notify(file, mask);
    expect((await readEvents(inotify)).map(({ mask }) => mask)).toEqual([
      IN_MODIFY,
      IN_ATTRIB,
      IN_MODIFY,
    ]);
    table.notify(file, IN_MODIFY);
    expect((await readEvents(inotify)).length).toBe(1);
  });

  it("says once that events were lost when it is full", async () => {
    const { table, inotify } = makeInotify({ maxWatchEvents: 2 });
    inotify.addWatch(directory, IN_CREATE);
    for (const name of ["a", "b", "c", "d"]) table.notify(directory, IN_CREATE, { name });
    expect(await readEvents(inotify)).toEqual([
      { wd: 1, mask: IN_CREATE, cookie: 0, name: "a" },
      { wd: 1, mask: IN_CREATE, cookie: 0, name: "b" },
      { wd: -1, mask: IN_Q_OVERFLOW, cookie: 0, name: "" },
    ]);
    table.notify(directory, IN_CREATE, { name: "e" });
    expect((await readEvents(inotify)).map(({ name }) => name)).toEqual(["e"]);
  });
});

describe("inotify files of one VM", () => {
  it("share maxWatchEvents, and give back what is read or closed", async () => {
    const { table, inotify, limits } = makeInotify({ maxWatchEvents: 3 });
    const other = new InotifyFile({ watches: table, limits, ino: 8, flags: 0 });
    inotify.addWatch(directory, IN_CREATE);
    other.addWatch(directory, IN_CREATE);
    for (const name of ["a", "b"]) table.notify(directory, IN_CREATE, { name });
    expect((await readEvents(inotify)).map(({ name }) => name)).toEqual(["a", "b"]);
    expect((await readEvents(other)).map(({ name, mask }) => [name, mask])).toEqual([
      ["a", IN_CREATE],
      ["", IN_Q_OVERFLOW],
    ]);
    expect(limits.used("maxWatchEvents")).toBe(0);
    table.notify(directory, IN_CREATE, { name: "c" });
    other.retain();
    other.drop();
    expect(limits.used("maxWatchEvents")).toBe(1);
  });
});

describe("watches of an inotify file", () => {
  it("have one descriptor for each file, whose mask a second call replaces or widens", async () => {
    const { table, inotify } = makeInotify();
    expect([inotify.addWatch(file, IN_MODIFY), inotify.addWatch(directory, IN_CREATE)]).toEqual([
      1, 2,
    ]);
    expect(inotify.addWatch(file, IN_ATTRIB)).toBe(1);
    table.notify(file, IN_MODIFY);
    expect(inotify.poll()).toBe(0);
    inotify.addWatch(file, IN_MODIFY | IN_MASK_ADD);
    table.notify(file, IN_MODIFY);
    table.notify(file, IN_ATTRIB);
    expect((await readEvents(inotify)).map(({ mask }) => mask)).toEqual([IN_MODIFY, IN_ATTRIB]);
  });

  it("refuse masks that cannot be", () => {
    const { inotify } = makeInotify();
    expect(() => inotify.addWatch(file, 0)).toThrow("EINVAL");
    expect(() => inotify.addWatch(file, IN_MODIFY | IN_MASK_ADD | IN_MASK_CREATE)).toThrow(
      "EINVAL",
    );
    inotify.addWatch(file, IN_MODIFY | IN_MASK_CREATE);
    expect(() => inotify.addWatch(file, IN_MODIFY | IN_MASK_CREATE)).toThrow("EEXIST");
  });

  it("end with IN_IGNORED when removed, and get a new descriptor next time", async () => {
    const { inotify, limits } = makeInotify();
    inotify.addWatch(file, IN_MODIFY);
    inotify.removeWatch(1);
    expect(await readEvents(inotify)).toEqual([{ wd: 1, mask: IN_IGNORED, cookie: 0, name: "" }]);
    expect(() => inotify.removeWatch(1)).toThrow("EINVAL");
    expect([limits.used("maxWatches"), inotify.addWatch(file, IN_MODIFY)]).toEqual([0, 2]);
  });

  it("end with the file that holds them", () => {
    const { table, inotify, limits } = makeInotify();
    inotify.addWatch(file, IN_MODIFY);
    inotify.addWatch(directory, IN_CREATE);
    inotify.drop();
    table.notify(file, IN_MODIFY);
    expect([limits.used("maxWatches"), inotify.poll()]).toEqual([0, 0]);
  });

  it("leave nothing behind when the limit is met", () => {
    const { inotify } = makeInotify({ maxWatches: 1 });
    inotify.addWatch(file, IN_MODIFY);
    expect(() => inotify.addWatch(directory, IN_CREATE)).toThrow("limits.maxWatches");
    inotify.removeWatch(1);
    expect(inotify.addWatch(directory, IN_CREATE)).toBe(2);
  });
});

it("describes itself as Linux does", async () => {
  const { inotify } = makeInotify();
  expect(inotify.describe()).toBe("anon_inode:inotify");
  const { kind, mode, ino } = await inotify.stat();
  expect({ format: formatOf(kind), mode, ino }).toEqual({ format: 0, mode: 0o600, ino: 77 });
  await expect(inotify.ioctl({ request: "TCGETS" })).rejects.toMatchObject({ errno: "ENOTTY" });
});

function makeInotify(values: Partial<LimitValues> = {}) {
  const limits = new Limits(values, () => {});
  const table = new WatchTable(limits);
  const inotify = new InotifyFile({ watches: table, limits, ino: 77, flags: 0 });
  inotify.retain();
  return { limits, table, inotify };
}

async function readEvents(inotify: InotifyFile): Promise<InotifyEvent[]> {
  const into = new Uint8Array(4096);
  return decodeInotify(into.subarray(0, await inotify.read(into, waiter)));
}
