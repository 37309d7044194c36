// Holds the shared bash cases against what is known of them, through one entry point.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type BashCase, findSharedCases, isPassed } from "../../support/bash-cases.ts";
import type { RunResult } from "../../support/boot.ts";
import { unless } from "../../support/unless.ts";

/** A way to run a case: the script on stdin of a bash. */
export interface CaseRunner {
  /** How many cases may run at a time. */
  readonly parallel: number;
  run(one: BashCase): Promise<RunResult>;
  close(): Promise<void>;
}

/** Why cases fail, and which: an entry that passes has to leave the list. */
const known = JSON.parse(
  readFileSync(new URL("known-bash-failures.json", import.meta.url), "utf8"),
) as Readonly<Record<string, readonly string[]>>;

const cases = findSharedCases();
const noCases = cases === undefined ? "needs the bash cases of ../shared" : undefined;
const LIMIT_MS = 300_000;

export function describeBashCases(where: string, open: () => Promise<CaseRunner>): void {
  describe(`the shared bash cases, ${where}`, () => {
    it("fail only where it is known, and pass everywhere else", {
      timeout: LIMIT_MS,
      ...unless(noCases),
    }, async () => {
      const runner = await open();
      try {
        expect(await findFailed(runner)).toEqual(Object.values(known).flat().toSorted());
      } finally {
        await runner.close();
      }
    });

    it("are known to fail once each, with a reason", () => {
      const ids = Object.values(known).flat();
      expect(new Set(ids).size).toBe(ids.length);
      expect(Object.keys(known).filter((reason) => reason.length < 10)).toEqual([]);
    });
  });
}

async function findFailed(runner: CaseRunner): Promise<string[]> {
  const failed: string[] = [];
  const left = (cases ?? []).values();
  const takeOne = async (): Promise<void> => {
    for (const one of left) if (!isPassed(one, await runner.run(one))) failed.push(one.id);
  };
  await Promise.all(Array.from({ length: runner.parallel }, takeOne));
  return failed.toSorted();
}
