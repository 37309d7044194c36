import { type Attack, type Ending, endings } from "./attack.ts";

export type EndingCounts = Readonly<Record<string, Readonly<Partial<Record<Ending, number>>>>>;

const names = Object.keys(endings) as Ending[];

/** How many attacks of each kind ended how. */
export function countEndings(
  results: ReadonlyMap<Attack, { readonly ending: Ending }>,
): EndingCounts {
  const kinds = Map.groupBy(results, ([{ kind }]) => kind);
  return Object.fromEntries(
    [...kinds].map(([kind, all]) => {
      const byEnding = Map.groupBy(all, ([, { ending }]) => ending);
      return [kind, Object.fromEntries([...byEnding].map(([name, same]) => [name, same.length]))];
    }),
  );
}

/** A Markdown table. */
export function formatEndings(counts: EndingCounts): string {
  const rows = Object.entries(counts).map(([kind, count]) => {
    const cells = names.map((name) => count[name] ?? 0);
    const all = cells.reduce((sum, cell) => sum + cell, 0);
    return `| ${[kind, all, ...cells].join(" | ")} |`;
  });
  return [
    `| ${["kind", "attacks", ...names].join(" | ")} |`,
    `| --- | ${["attacks", ...names].map(() => "---:").join(" | ")} |`,
    ...rows,
  ].join("\n");
}
