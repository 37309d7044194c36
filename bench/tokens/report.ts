// Turns results into the tables of docs/token-bench.md.
import type { ArmKey } from "./arms/arm.ts";
import { arms } from "./arms/arm-list.ts";
import { addBills, type Bill } from "./bill.ts";
import type { BenchResult, ResultRow } from "./run-bench.ts";
import { tasks } from "./tasks/task-list.ts";

/** How much less than direct the commands and code must cost on the batch tasks. */
export const GOAL = 0.9;

/** The arms that the goal is for. */
export const JUDGED_ARMS: readonly ArmKey[] = ["cli-cold", "cli-warm", "code"];

/** One table for each task, one for the batch tasks together, one for all. */
export function formatReport(result: BenchResult): string {
  const { rows } = result;
  const parts = tasks
    .filter(({ key }) => rows.some(({ task }) => task === key))
    .map(({ key, title, isBatch }) => {
      const kind = isBatch ? "" : " (one call: nothing to batch)";
      return section(`${key}: ${title}${kind}`, rows, [key]);
    });
  const all = [...new Set(rows.map(({ task }) => task))];
  return [
    aboutCatalogue(result),
    ...parts,
    batchSection(rows),
    section("All tasks together", rows, all),
  ].join("\n\n");
}

/** The batch tasks together, and how much each arm saves on each task. */
export function formatSummary(result: BenchResult): string {
  const { rows } = result;
  const done = tasks.filter(({ key }) => rows.some(({ task }) => task === key));
  const lines = arms.flatMap(({ key, title }) => {
    const cells = done.map((task) => {
      const own = sumOf(rows, key, [task.key])?.bill.input;
      const base = sumOf(rows, "direct", [task.key])?.bill.input;
      return own === undefined || base === undefined
        ? ""
        : `${number(own)} ${own === base ? "" : `(${change(own, base)})`}`.trim();
    });
    return cells.every((cell) => cell === "") ? [] : [`| ${[title, ...cells].join(" | ")} |`];
  });
  const heads = ["billed input", ...done.map(({ key }) => key)];
  const table = [`| ${heads.join(" | ")} |`, rule(heads), ...lines].join("\n");
  return [aboutCatalogue(result), table, batchSection(rows)].join("\n\n");
}

function aboutCatalogue({ catalogue }: BenchResult): string {
  return `Catalogue: ${catalogue.tools} tools, ${number(catalogue.tokens)} tokens of definitions.`;
}

function batchSection(rows: readonly ResultRow[]): string {
  const batch = batchKeys(rows);
  return section(`The batch tasks together (${batch.join(", ")})`, rows, batch);
}

/** The share of direct's billed input that an arm saves on tasks; on the batch tasks unless given. */
export function savingOf(
  rows: readonly ResultRow[],
  arm: ArmKey,
  keys: readonly string[] = batchKeys(rows),
): number {
  const own = sumOf(rows, arm, keys);
  const base = sumOf(rows, "direct", keys);
  if (own === undefined || base === undefined) throw new Error(`There are no figures of ${arm}.`);
  return 1 - own.bill.input / base.bill.input;
}

function batchKeys(rows: readonly ResultRow[]): string[] {
  const done = new Set(rows.map(({ task }) => task));
  return tasks.flatMap(({ key, isBatch }) => (isBatch && done.has(key) ? [key] : []));
}

const HEADS = [
  "arm",
  "definitions",
  "billed input",
  "vs direct",
  "output",
  "turns",
  "tool calls",
  "largest context",
  "cost",
  "cost, cached start",
];

function section(title: string, rows: readonly ResultRow[], keys: readonly string[]): string {
  const base = sumOf(rows, "direct", keys)?.bill;
  const lines = arms.flatMap((arm) => {
    const sum = sumOf(rows, arm.key, keys);
    return sum === undefined ? [] : [line(arm.title, sum.bill, sum.calls, base)];
  });
  return [`### ${title}`, "", `| ${HEADS.join(" | ")} |`, rule(HEADS), ...lines].join("\n");
}

function rule(heads: readonly string[]): string {
  return `|${heads.map((_, column) => (column === 0 ? "---" : "--:")).join("|")}|`;
}

function line(title: string, bill: Bill, calls: number, base: Bill | undefined): string {
  const cells = [
    title,
    number(bill.definitions),
    number(bill.input),
    base === undefined ? "" : change(bill.input, base.input),
    number(bill.output),
    String(bill.turns),
    String(calls),
    number(bill.context),
    dollars(bill.cost),
    dollars(bill.warmCost),
  ];
  return `| ${cells.join(" | ")} |`;
}

function sumOf(
  rows: readonly ResultRow[],
  arm: ArmKey,
  keys: readonly string[],
): { bill: Bill; calls: number } | undefined {
  const chosen = rows.filter((row) => row.arm === arm && keys.includes(row.task));
  if (chosen.length === 0) return undefined;
  const calls = chosen.reduce((total, row) => total + row.calls, 0);
  return { bill: addBills(chosen.map((row) => row.bill)), calls };
}

function change(own: number, base: number): string {
  const percent = (own / base - 1) * 100;
  if (percent === 0) return "";
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent).toFixed(1)} %`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function dollars(value: number): string {
  return `$${value.toFixed(4)}`;
}
