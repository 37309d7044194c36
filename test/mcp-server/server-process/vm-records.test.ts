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
  expect(before.findLoss("a")).toBeUndefined();
  const after = new VmRecords(home, "second");
  expect(after.findLoss("a")).toBe("the server that had it has ended");
  expect(after.noteCreated("a")).toBe(
    `The VM "a" is new and empty: the server that had it has ended, and the VM's earlier files and processes are gone.`,
  );
  expect(after.findLoss("a")).toBeUndefined();
  expect(after.noteCreated("a")).toBeUndefined();
});

it("misses no VM that was destroyed", () => {
  const before = new VmRecords(home, "first");
  before.noteCreated("a");
  before.noteDestroyed("a");
  before.noteDestroyed("never");
  expect(new VmRecords(home, "second").findLoss("a")).toBeUndefined();
});

it("looks at no file for what is no name", () => {
  const records = new VmRecords(home, "first");
  records.noteCreated("a");
  for (const id of ["../vms/a", "", ".", "A", "x".repeat(64)]) {
    expect(new VmRecords(home, "second").findLoss(id)).toBeUndefined();
  }
});

it("forgets what is a month old", () => {
  new VmRecords(home, "first").noteCreated("a");
  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  utimesSync(join(home, "vms/a"), old, old);
  expect(new VmRecords(home, "second").findLoss("a")).toBeUndefined();
  expect(readdirSync(join(home, "vms"))).toEqual([]);
});

it("tells a VM that nobody used from one that was destroyed", () => {
  const records = new VmRecords(home, "first");
  records.noteCreated("a");
  records.noteDestroyed("a");
  records.noteUnused("a");
  expect(records.noteCreated("a")).toBe(
    `The VM "a" is new and empty: nobody used it for a while, and the VM's earlier files and processes are gone.`,
  );
  expect(records.findLoss("a")).toBeUndefined();
});
