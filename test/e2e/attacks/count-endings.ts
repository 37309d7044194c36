import type { Attack, Ending } from "./attack.ts";

export type EndingCounts = Readonly<Record<string, Readonly<Record<Ending, number>>>>;

/** How many attacks of each kind ended how. */
export function countEndings(
  results: ReadonlyMap<Attack, { readonly ending: Ending }>,
): EndingCounts {
  const kinds = Map.groupBy(results, ([{ kind }]) => kind);
  return Object.fromEntries(
    [...kinds].map(([kind, all]) => {
      const count = (ending: Ending): number =>
        all.filter(([, result]) => result.ending === ending).length;
      return [
        kind,
        {
          error: count("error"),
          killed: count("killed"),
          exit: count("exit"),
          "cell restart": count("cell restart"),
        },
      ];
    }),
  );
}

/** A Markdown table. */
export function formatEndings(counts: EndingCounts): string {
  const rows = Object.entries(counts).map(
    ([kind, { error, killed, exit, "cell restart": restart }]) =>
      `| ${kind} | ${error + killed + exit + restart} | ${error} | ${killed} | ${exit} | ${restart} |`,
  );
  return [
    "| kind | attacks | error | killed | harmless | cell restart |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}
