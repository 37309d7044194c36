import { describe, expect, it } from "vitest";
import type { AgainstResult } from "../../../bench/against/measured-row.ts";
import { formatAgainst, isWorse, judgeAgainst } from "../../../bench/against/report-against.ts";

const slower: AgainstResult = {
  key: "echo",
  title: "warm `echo hi`",
  comparison: {
    headMedian: 2.4,
    baseMedian: 2,
    ratio: 1.21,
    low: 1.15,
    high: 1.28,
    rounds: 100,
    verdict: "slower",
  },
  problems: {},
  blocks: [],
};

function failed(problems: AgainstResult["problems"]): AgainstResult {
  return { key: "shell", title: "a shell", comparison: undefined, problems, blocks: [] };
}

const onlyHead = failed({ base: "the VM was lost\n" });
const broken = failed({ head: "no answer" });
const neither = failed({ head: "no python3", base: "no python3" });

describe("formatAgainst", () => {
  it("shows both medians, the ratio with its interval, and why a build has no figure", () => {
    expect(formatAgainst([slower, onlyHead], { head: "bbb", base: "aaa" })).toBe(
      [
        "| median | aaa | HEAD bbb | HEAD / aaa | 95 % | rounds | |",
        "|---|--:|--:|--:|--:|--:|---|",
        "| warm `echo hi` | 2.00 ms | 2.40 ms | 1.21 | 1.15 … 1.28 | 100 | slower |",
        "| a shell | | | | | | only HEAD |",
        "",
        "failed:",
        "- a shell, aaa: the VM was lost",
      ].join("\n"),
    );
  });
});

describe("judgeAgainst", () => {
  it("says which build has a row", () => {
    expect([onlyHead, broken, neither].map(judgeAgainst)).toEqual([
      "only HEAD",
      "broken in HEAD",
      "neither",
    ]);
  });
});

describe("isWorse", () => {
  it("holds for a row that got slower and for one that no longer works", () => {
    expect([slower, onlyHead, broken, neither].map(isWorse)).toEqual([true, false, true, false]);
  });
});
