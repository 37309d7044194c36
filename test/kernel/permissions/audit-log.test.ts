import { describe, expect, it } from "vitest";
import { AuditLog } from "../../../src/kernel/permissions/audit-log.ts";

function record(subject: string) {
  const what = { call: "open", scope: "fs", operation: "read", subject } as const;
  return { timeMs: 0, pid: 2, command: "x", outcome: "allow", rule: "fs", ...what } as const;
}

describe("the audit log", () => {
  it("keeps the newest records, numbered from 1", () => {
    const log = new AuditLog(3);
    for (const subject of ["a", "b", "c", "d", "e"]) log.add(record(subject));
    const all = log.after(0, 100);
    expect(all.map(({ sequence, subject }) => [sequence, subject])).toEqual([
      [3, "c"],
      [4, "d"],
      [5, "e"],
    ]);
  });

  it("keeps the first 1023 characters of a longer subject", () => {
    const log = new AuditLog(3);
    log.add(record("x".repeat(1024)));
    log.add(record("y".repeat(1025)));
    expect(log.after(0, 2).map(({ subject }) => subject)).toEqual([
      "x".repeat(1024),
      `${"y".repeat(1023)}…`,
    ]);
  });

  it("is read in pages that go on from a number", () => {
    const log = new AuditLog(10);
    for (const subject of ["a", "b", "c"]) log.add(record(subject));
    const subjects = (after: number, limit: number) =>
      log.after(after, limit).map(({ subject }) => subject);
    expect(subjects(0, 2)).toEqual(["a", "b"]);
    expect(subjects(2, 2)).toEqual(["c"]);
    expect(subjects(3, 2)).toEqual([]);
    expect(subjects(99, 2)).toEqual([]);
    expect(subjects(0, 0)).toEqual([]);
  });
});
