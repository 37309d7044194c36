import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { VmRecords } from "../../../src/mcp-server/server-process/vm-records.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "vm-records-"));
});
afterEach(() => rmSync(home, { recursive: true }));

it("knows the VMs of a server that has ended", () => {
  const before = new VmRecords(home, "first");
  expect(before.noteCreated("a")).toBeUndefined();
  expect(before.isLost("a")).toBe(false);
  const after = new VmRecords(home, "second");
  expect(after.isLost("a")).toBe(true);
  expect(after.noteCreated("a")).toBe(
    `The VM "a" is new and empty: the server that had it has ended, and the VM's earlier files and processes are gone.`,
  );
  expect(after.isLost("a")).toBe(false);
  expect(after.noteCreated("a")).toBeUndefined();
});

it("misses no VM that was destroyed", () => {
  const before = new VmRecords(home, "first");
  before.noteCreated("a");
  before.noteDestroyed("a");
  before.noteDestroyed("never");
  expect(new VmRecords(home, "second").isLost("a")).toBe(false);
});

it("looks at no file for what is no name", () => {
  const records = new VmRecords(home, "first");
  records.noteCreated("a");
  for (const id of ["../vms/a", "", ".", "A", "x".repeat(64)]) {
    expect(new VmRecords(home, "second").isLost(id)).toBe(false);
  }
});

it("forgets what is a month old", () => {
  new VmRecords(home, "first").noteCreated("a");
  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  utimesSync(join(home, "vms/a"), old, old);
  expect(new VmRecords(home, "second").isLost("a")).toBe(false);
  expect(readdirSync(join(home, "vms"))).toEqual([]);
});
