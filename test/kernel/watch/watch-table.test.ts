import { describe, expect, it } from "vitest";
import {
  IN_ALL_EVENTS,
  IN_ATTRIB,
  IN_CREATE,
  IN_DELETE,
  IN_DELETE_SELF,
  IN_IGNORED,
  IN_ISDIR,
  IN_MODIFY,
  IN_MOVE_SELF,
  IN_ONESHOT,
  IN_OPEN,
  IN_UNMOUNT,
} from "../../../src/kernel/abi/inotify.ts";
import { Limits } from "../../../src/kernel/limits/limits.ts";
import type { Inode, OutsideChange } from "../../../src/kernel/vfs/file-system.ts";
import { type Watch, type WatchSource, WatchTable } from "../../../src/kernel/watch/watch-table.ts";

const directory: Inode = { ino: 1, kind: "directory" };
const file: Inode = { ino: 2, kind: "file" };

describe("WatchTable", () => {
  it("tells each watch of a file what it asked for", () => {
    const { table, watch, told } = makeTable();
    table.add(watch(directory, 1, IN_CREATE));
    table.add(watch(directory, 2, IN_ALL_EVENTS));
    table.notify(directory, IN_OPEN, { name: "a" });
    table.notify(directory, IN_CREATE, { name: "b", isDirectory: true, cookie: 4 });
    table.notify(file, IN_CREATE);
    expect(told).toEqual([
      { wd: 2, mask: IN_OPEN, cookie: 0, name: "a" },
      { wd: 1, mask: IN_CREATE | IN_ISDIR, cookie: 4, name: "b" },
      { wd: 2, mask: IN_CREATE | IN_ISDIR, cookie: 4, name: "b" },
    ]);
  });

  it("never says IN_ISDIR of the watched directory's own end or move", () => {
    const { table, watch, told } = makeTable();
    table.add(watch(directory, 1, IN_ALL_EVENTS));
    table.notify(directory, IN_MOVE_SELF, { isDirectory: true });
    table.notify(directory, IN_DELETE_SELF | IN_ISDIR, { isDirectory: true });
    expect(told.map(({ mask }) => mask)).toEqual([IN_MOVE_SELF, IN_DELETE_SELF, IN_IGNORED]);
  });

  it("ends a watch when its file is gone, asked for or not", () => {
    const { table, watch, told, forgotten, limits } = makeTable();
    table.add(watch(file, 1, IN_MODIFY));
    table.notify(file, IN_DELETE_SELF);
    table.notify(file, IN_MODIFY);
    expect(told).toEqual([{ wd: 1, mask: IN_IGNORED, cookie: 0, name: "" }]);
    expect([forgotten, limits.used("maxWatches")]).toEqual([[1], 0]);
  });

  it("tells every watch of an unmount and ends it", () => {
    const { table, watch, told } = makeTable();
    table.add(watch(file, 1, IN_MODIFY));
    table.notify(file, IN_UNMOUNT);
    expect(told.map(({ mask }) => mask)).toEqual([IN_UNMOUNT, IN_IGNORED]);
  });

  it("ends a watch of IN_ONESHOT with its first event", () => {
    const { table, watch, told } = makeTable();
    table.add(watch(file, 1, IN_MODIFY | IN_ONESHOT));
    table.notify(file, IN_ATTRIB);
    table.notify(file, IN_MODIFY);
    table.notify(file, IN_MODIFY);
    expect(told.map(({ mask }) => mask)).toEqual([IN_MODIFY, IN_IGNORED]);
  });

  it("fails with ENOSPC at its limit and counts what is taken out", () => {
    const { table, watch } = makeTable(1);
    const first = watch(file, 1, IN_MODIFY);
    table.add(first);
    expect(() => table.add(watch(directory, 2, IN_MODIFY))).toThrow("limits.maxWatches");
    table.remove(first);
    table.remove(first);
    table.add(watch(directory, 2, IN_MODIFY));
    expect(() => table.add(first)).toThrow("ENOSPC");
  });

  it("gives each rename a cookie of its own", () => {
    const { table } = makeTable();
    expect([table.nextCookie(), table.nextCookie()]).toEqual([1, 2]);
  });
});

function makeTable(maxWatches = 10) {
  const limits = new Limits({ maxWatches }, () => {});
  const told: Parameters<Watch["listener"]["enqueue"]>[0][] = [];
  const forgotten: number[] = [];
  const listener: Watch["listener"] = {
    enqueue: (event) => told.push(event),
    forget: ({ wd }) => forgotten.push(wd),
  };
  const watch = (inode: Inode, wd: number, mask: number): Watch => ({ inode, wd, mask, listener });
  return { table: new WatchTable(limits), limits, told, forgotten, watch };
}

describe("WatchTable and changes from outside", () => {
  it("tells them to all who watch the file, from the first watch to the last", () => {
    const { table, told, watch } = makeTable();
    const log: string[] = [];
    let tell: (change: OutsideChange) => void = () => undefined;
    const source: WatchSource = (listener) => {
      log.push("begun");
      tell = listener;
      return () => log.push("ended");
    };
    const one = { ...watch(directory, 1, IN_CREATE), source };
    const two = { ...watch(directory, 2, IN_ALL_EVENTS), source };
    table.add(one);
    table.add(two);
    tell({ kind: "created", name: "d", isDirectory: true });
    tell({ kind: "changed", name: "f", isDirectory: false });
    tell({ kind: "removed", name: "f", isDirectory: false });
    table.remove(one);
    tell({ kind: "changed", name: "", isDirectory: false });
    expect(log).toEqual(["begun"]);
    table.remove(two);
    expect(log).toEqual(["begun", "ended"]);
    expect(told.map(({ wd, mask, name }) => [wd, mask, name])).toEqual([
      [1, IN_CREATE | IN_ISDIR, "d"],
      [2, IN_CREATE | IN_ISDIR, "d"],
      [2, IN_MODIFY, "f"],
      [2, IN_DELETE, "f"],
      [2, IN_MODIFY, ""],
    ]);
  });
});
