import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordLog } from "../../../src/sandbox-escalation/records/record-log.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "records-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("records", () => {
  it("are a JSON line each, and cut", () => {
    const file = join(directory, "a.jsonl");
    const records = new RecordLog({ file });
    records.add("one", "exec", { command: "a\nb".repeat(1000), count: 1 });
    const [line = "", ...rest] = readFileSync(file, "utf8").split("\n");
    expect(rest).toEqual([""]);
    const { vm, kind, facts } = JSON.parse(line);
    expect({ vm, kind, count: facts.count, length: facts.command.length }).toEqual({
      vm: "one",
      kind: "exec",
      count: 1,
      length: 501,
    });
  });

  it("take no more room than twice their limit", () => {
    const file = join(directory, "a.jsonl");
    const records = new RecordLog({ file, limitBytes: 1000 });
    for (let n = 0; n < 100; n++) records.add("one", "exec", { n });
    expect(readFileSync(file).length).toBeLessThan(1200);
    expect(readFileSync(`${file}.1`).length).toBeLessThan(1200);
    expect(readFileSync(file, "utf8")).toContain('"n":99');
  });

  it("of a VM are kept, the newest, until it is forgotten", () => {
    const records = new RecordLog();
    for (let n = 0; n < 30; n++) records.add("one", "exec", { n });
    expect(records.of("one").map(({ facts }) => facts["n"])).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 10),
    );
    records.forget("one");
    expect(records.of("one")).toEqual([]);
  });

  it("that cannot be written are told to the log", () => {
    const lines: string[] = [];
    const records = new RecordLog({
      file: join(directory, "no", "a"),
      log: (line) => lines.push(line),
    });
    records.add("one", "requested");
    expect(lines.length).toBe(1);
  });
});
