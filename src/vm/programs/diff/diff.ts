import type { Program } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { PathComparison } from "./compare-paths.ts";
import { diffTable } from "./diff-table.ts";
import { readSettings } from "./read-settings.ts";

export const main: Program = (sys, argv) =>
  defineProgram(diffTable, (run) => diff(run, argv.slice(1)))(sys, argv);

async function diff(run: Run, words: readonly string[]): Promise<number> {
  const settings = await readSettings(run, words);
  const comparison = new PathComparison(run, settings);
  let status = 0;
  for (const [first, second] of listPairs(run))
    status = Math.max(status, await comparison.compareOperands(first, second));
  return Math.max(status, run.status);
}

function listPairs(run: Run): (readonly [string, string])[] {
  const from = run.options.get("from-file");
  const to = run.options.get("to-file");
  if (from !== undefined && to !== undefined)
    throw new UsageError("--from-file and --to-file both specified", { hasHint: false });
  if (from !== undefined) return run.operands.map((operand) => [from, operand] as const);
  if (to !== undefined) return run.operands.map((operand) => [operand, to] as const);
  const [first, second, extra] = run.operands;
  if (first === undefined || second === undefined)
    throw new UsageError(`missing operand after '${first ?? run.name}'`);
  if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
  return [[first, second]];
}
