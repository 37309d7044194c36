import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DecisionLog } from "../../../src/vm/approvals/decision-log.ts";

const record = {
  at: "2026-11-16T00:00:00.000Z",
  id: "bcdfgh",
  vm: "one",
  pid: 1,
  command: "x",
  kind: "tool",
  subject: "a:b",
  summary: "a: b",
  outcome: "allow",
  by: "me",
  waitedMs: 1,
} as const;

it("keeps one old file and starts anew when it is full", () => {
  const directory = mkdtempSync(join(tmpdir(), "decisions-"));
  const file = join(directory, "decisions.jsonl");
  const log = new DecisionLog(file, () => undefined, 500);
  for (let count = 0; count < 20; count++) log.add(record);
  expect(readdirSync(directory).toSorted()).toEqual(["decisions.jsonl", "decisions.jsonl.1"]);
  for (const name of readdirSync(directory)) {
    const text = readFileSync(join(directory, name), "utf8");
    expect(text.length).toBeLessThan(1000);
    for (const line of text.trimEnd().split("\n")) expect(JSON.parse(line)).toEqual(record);
  }
  rmSync(directory, { recursive: true });
});

it("reports a record that cannot be written, and goes on", () => {
  const lines: string[] = [];
  new DecisionLog("/nowhere/at/all", (line) => lines.push(line)).add(record);
  expect(lines).toEqual([
    expect.stringMatching(/^a decision is not in the record: .*ENOENT.*bcdfgh/s),
  ]);
});
