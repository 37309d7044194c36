import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findSharedCases, isPassed, runCase } from "../../support/bash-cases.ts";

/** Why cases fail, and which: an entry that passes has to leave the list. */
const known = JSON.parse(
  readFileSync(new URL("known-bash-failures.json", import.meta.url), "utf8"),
) as Readonly<Record<string, readonly string[]>>;

const cases = findSharedCases();

describe("the shared bash cases", () => {
  it.skipIf(cases === undefined)(
    "fail only where it is known, and pass everywhere else",
    async () => {
      const failed: string[] = [];
      for (const one of cases ?? []) if (!isPassed(one, await runCase(one))) failed.push(one.id);
      expect(failed.toSorted()).toEqual(Object.values(known).flat().toSorted());
    },
    120_000,
  );

  it("are known to fail once each, with a reason", () => {
    const ids = Object.values(known).flat();
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(known).filter((reason) => reason.length < 10)).toEqual([]);
  });
});
