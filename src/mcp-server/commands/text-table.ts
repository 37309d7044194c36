// Runs on Node 20.

/** Rows of cells as lines, columns aligned; the first row is the heading. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join("");
}
