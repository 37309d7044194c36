import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCorpus } from "./fuzz-once.ts";
import { type ReaderCases, ReaderFuzzer } from "./reader-fuzzer.ts";

const cases: ReaderCases = readCorpus("readers.json");

describe("the readers, against a client that sends what it likes", () => {
  it("reads frames as they were sent, or refuses them", { timeout: 300_000 }, () => {
    const fuzzer = new ReaderFuzzer(cases);
    for (let seed = 1; seed <= 10_000; seed++) fuzzer.readFrames(seed);
    expect(fuzzer.problems).toEqual([]);
  });

  it("finds out for whom a line is, as JSON would", { timeout: 300_000 }, () => {
    const fuzzer = new ReaderFuzzer(cases);
    for (let seed = 1; seed <= 10_000; seed++) fuzzer.readLines(seed);
    expect(fuzzer.problems).toEqual([]);
  });

  it("answers callers of a control connection, or closes it", { timeout: 300_000 }, async () => {
    const fuzzer = new ReaderFuzzer(cases);
    const directory = mkdtempSync(join(tmpdir(), "reader-fuzz-"));
    for (let seed = 1; seed <= 200; seed++) await fuzzer.talk(seed, directory);
    rmSync(directory, { recursive: true });
    expect(fuzzer.problems).toEqual([]);
  });
});
