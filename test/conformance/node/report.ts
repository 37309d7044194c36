// The table per module, for people and for docs/node.md, and the JSON behind it.
import type { Outcome } from "./outcome.ts";
import type { TestFile } from "./test-file.ts";

export interface Measured {
  readonly file: TestFile;
  readonly host: Outcome | undefined;
  /** Undefined where it was not run. */
  readonly vm: Outcome | undefined;
}

export interface ModuleRow {
  readonly module: string;
  readonly files: number;
  readonly leftOut: number;
  readonly skipped: number;
  readonly passed: number;
  readonly failed: number;
}

/**
 * One row per module. Left out: another area, a native flag, or it fails under the host's own Node
 * here. Skipped: by itself, on the host too. All others count; what skips itself only in a VM has failed.
 */
export function countModules(measured: readonly Measured[]): ModuleRow[] {
  const byModule = Map.groupBy(measured, ({ file }) => file.module);
  return [...byModule].map(([module, all]) => {
    const kinds = all.map(kindOf);
    const count = (kind: Kind): number => kinds.filter((one) => one === kind).length;
    return {
      module,
      files: all.length,
      leftOut: count("left out"),
      skipped: count("skipped"),
      passed: count("passed"),
      failed: count("failed"),
    };
  });
}

export type Kind = "left out" | "skipped" | "passed" | "failed" | "not run";

export function kindOf({ file, host, vm }: Measured): Kind {
  if (reasonLeftOut({ file, host, vm }) !== undefined) return "left out";
  if (host?.verdict === "skipped") return "skipped";
  if (vm === undefined) return "not run";
  return vm.verdict === "passed" ? "passed" : "failed";
}

export function reasonLeftOut({ file, host }: Measured): string | undefined {
  if (file.leftOut !== undefined) return file.leftOut;
  if (host === undefined || host.verdict === "passed" || host.verdict === "skipped")
    return undefined;
  return "fails under the host's own Node here";
}

export function formatTable(rows: readonly ModuleRow[]): string {
  const columns = ["module", "files", "left out", "skipped", "passed", "failed", "rate"];
  const cells = [...rows, total(rows)].map((row) => [
    row.module,
    ...[row.files, row.leftOut, row.skipped, row.passed, row.failed].map((n) => n.toString()),
    rate(row),
  ]);
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |\n`;
  return [columns, columns.map((_, at) => (at === 0 ? "---" : "---:")), ...cells]
    .map(line)
    .join("");
}

/** How many files were left out for which reason, most first. */
export function countReasons(measured: readonly Measured[]): Record<string, number> {
  const reasons = measured.flatMap((one) => reasonLeftOut(one) ?? []);
  const counts = [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, all]) => [reason, all.length] as const)
    .toSorted(([, a], [, b]) => b - a);
  return Object.fromEntries(counts);
}

function total(rows: readonly ModuleRow[]): ModuleRow {
  const sum = (of: (row: ModuleRow) => number): number => rows.reduce((n, row) => n + of(row), 0);
  return {
    module: "all",
    files: sum((row) => row.files),
    leftOut: sum((row) => row.leftOut),
    skipped: sum((row) => row.skipped),
    passed: sum((row) => row.passed),
    failed: sum((row) => row.failed),
  };
}

function rate({ passed, failed }: ModuleRow): string {
  return passed + failed === 0 ? "—" : `${((100 * passed) / (passed + failed)).toFixed(1)} %`;
}
