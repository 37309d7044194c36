// The comparison of two builds as a table.
import { formatNumber } from "../report.ts";
import type { AgainstResult } from "./measured-row.ts";

export interface Titles {
  readonly head: string;
  readonly base: string;
}

/** A Markdown table, and below it why builds have no figure. */
export function formatAgainst(results: readonly AgainstResult[], { head, base }: Titles): string {
  const lines = results.map((result) => {
    const { title, comparison } = result;
    if (comparison === undefined) return `| ${title} | | | | | | ${judgeAgainst(result)} |`;
    const { baseMedian, headMedian, ratio, low, high, rounds } = comparison;
    const cells = [
      title,
      `${formatNumber(baseMedian)} ms`,
      `${formatNumber(headMedian)} ms`,
      ratio.toFixed(2),
      `${low.toFixed(2)} … ${high.toFixed(2)}`,
      rounds,
      judgeAgainst(result),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const problems = results.flatMap(({ title, problems: { head: ours, base: theirs } }) => [
    ...(ours === undefined ? [] : [`- ${title}, ${head}: ${ours.trim()}`]),
    ...(theirs === undefined ? [] : [`- ${title}, ${base}: ${theirs.trim()}`]),
  ]);
  return [
    `| median | ${base} | HEAD ${head} | HEAD / ${base} | 95 % | rounds | |`,
    "|---|--:|--:|--:|--:|--:|---|",
    ...lines,
    ...(problems.length === 0 ? [] : ["", "failed:", ...problems]),
  ].join("\n");
}

/** A row that only HEAD has is new; one that only the commit has is broken. */
export function judgeAgainst({ comparison, problems }: AgainstResult): string {
  if (comparison !== undefined) return comparison.verdict;
  if (problems.head === undefined) return "only HEAD";
  return problems.base === undefined ? "broken in HEAD" : "neither";
}

/** Whether HEAD is worse in a row. */
export function isWorse(result: AgainstResult): boolean {
  return ["slower", "broken in HEAD"].includes(judgeAgainst(result));
}
