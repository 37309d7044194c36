import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { approvalInput } from "../../../src/vm/approvals/approval-input.ts";
import { DecisionLog } from "../../../src/vm/approvals/decision-log.ts";

const pending = {
  id: "bcdfgh",
  vm: "one",
  pid: 1,
  command: "x",
  kind: "tool",
  subject: "a:b",
  summary: "a: b",
  askedAt: 0,
  expiresAt: 1,
};
const decided = {
  pending,
  input: undefined,
  decision: { answer: "allow", scope: "once", by: "me" },
  isByPerson: true,
} as const;
const quiet = (): void => undefined;

let directory = "";
let file = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "decisions-"));
  file = join(directory, "decisions.jsonl");
});
afterEach(() => rmSync(directory, { recursive: true }));

function records(name = file): Record<string, unknown>[] {
  const lines = readFileSync(name, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("keeps one old file and starts anew when it is full", () => {
  const log = new DecisionLog({ file, log: quiet, limitBytes: 500 });
  for (let count = 0; count < 20; count++) log.add(decided);
  expect(readdirSync(directory).toSorted()).toEqual(["decisions.jsonl", "decisions.jsonl.1"]);
  for (const name of readdirSync(directory)) {
    expect(readFileSync(join(directory, name), "utf8").length).toBeLessThan(1000);
    for (const record of records(join(directory, name))) {
      expect(record).toMatchObject({ id: "bcdfgh", outcome: "allow", by: "me" });
    }
  }
});

it("reports a record that cannot be written, and goes on", () => {
  const lines: string[] = [];
  new DecisionLog({ file: "/nowhere/at/all", log: (line) => lines.push(line) }).add(decided);
  expect(lines).toEqual([
    expect.stringMatching(/^a decision is not in the record: .*ENOENT.*bcdfgh/s),
  ]);
});

it("keeps what a person decided, however often a VM asks for what is refused anyway", () => {
  const log = new DecisionLog({ file, log: quiet });
  const refused = {
    ...decided,
    decision: { answer: "deny", scope: "once", by: "limit" },
    isByPerson: false,
  } as const;
  log.add(decided);
  for (let count = 0; count < 50_000; count++) log.add(refused);
  log.add({ ...refused, pending: { ...pending, vm: "two" } });
  log.add(decided);
  const all = records();
  expect(all[0]).toMatchObject({ by: "me" });
  expect(all.filter(({ by }) => by === "limit")).toHaveLength(201);
  expect(all.at(-2)).toMatchObject({ vm: "two", by: "limit" });
  expect(all.at(-1)).toMatchObject({ by: "me" });
});

it("keeps a long input that was allowed in a file that its hash names, and the newest of many", () => {
  const log = new DecisionLog({ file, log: quiet });
  const hashes = [1, 2, 3, 4, 5, 6].map((n) => {
    const exact = JSON.stringify(String(n).repeat(16 << 20));
    const input = approvalInput(exact, { text: exact, hasSecrets: false });
    log.add({ ...decided, input });
    return input.sha256;
  });
  expect(records().map(({ inputIs }) => inputIs)).toEqual(Array(6).fill("in a file"));
  const kept = readdirSync(`${file}.inputs`);
  expect(kept.toSorted()).toEqual(hashes.slice(-3).toSorted());
  const text = readFileSync(join(`${file}.inputs`, hashes.at(-1) ?? ""));
  expect(createHash("sha256").update(text).digest("hex")).toBe(hashes.at(-1));
});
