import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { textWidth } from "../text-width.ts";

interface TableColumn {
  readonly place: number;
  readonly name: string;
  readonly isRight: boolean;
}

/** Lines as a table, or as JSON. */
export async function writeTable(run: Run, lines: readonly string[]): Promise<void> {
  const { options } = run;
  const limit = readLimit(options.get("table-columns-limit"));
  const separators = options.get("separator");
  const rows = lines.map((line) => splitLine(line, separators, limit));
  const names = options.get("table-columns")?.split(",") ?? [];
  const count = rows.reduce((most, row) => Math.max(most, row.length), names.length);
  if (rows.length === 0 && !run.has("json")) return;
  const columns = readColumns(run, names, count);
  if (run.has("json")) writeJson(run, columns, rows);
  else await writeText(run, columns, rows, names.length > 0 && !run.has("table-noheadings"));
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^\d+$/.test(text) || Number(text) === 0) {
    throw new UsageError(
      /^\d+$/.test(text)
        ? "columns limit must be greater than zero"
        : `invalid columns limit argument: '${text}'`,
      { hasHint: false },
    );
  }
  return Number(text);
}

/** Runs of blanks separate, or each of the characters given. */
function splitLine(line: string, separators: string | undefined, limit: number): string[] {
  const cells: string[] = [];
  const isGreedy = separators === undefined;
  const isMark = (letter: string): boolean =>
    isGreedy ? letter === " " || letter === "\t" : separators.includes(letter);
  let at = 0;
  while (at <= line.length) {
    while (isGreedy && at < line.length && isMark(line.charAt(at))) at += 1;
    if (isGreedy && at === line.length) break;
    let end = at;
    if (cells.length + 1 >= limit) end = line.length;
    while (end < line.length && !isMark(line.charAt(end))) end += 1;
    cells.push(line.slice(at, end));
    at = end + 1;
  }
  return cells;
}

function readColumns(run: Run, names: readonly string[], count: number): TableColumn[] {
  const { options } = run;
  const right = selectColumns(options.get("table-right"), names, count);
  const hidden = selectColumns(options.get("table-hide"), names, count);
  const ordered = [...selectColumns(options.get("table-order"), names, count)];
  const places = [...ordered, ...Array.from({ length: count }, (_, place) => place)];
  return [...new Set(places)]
    .filter((place) => !hidden.has(place))
    .map((place) => ({ place, name: names[place] ?? "", isRight: right.has(place) }));
}

/** Numbers from 1, names, or 0 for all. */
function selectColumns(
  text: string | undefined,
  names: readonly string[],
  count: number,
): Set<number> {
  const chosen = new Set<number>();
  for (const item of text?.split(",") ?? []) {
    if (item === "0") for (let place = 0; place < count; place++) chosen.add(place);
    else if (item === "-") for (let place = 0; place < count; place++) chosen.add(place);
    else if (names.includes(item)) chosen.add(names.indexOf(item));
    else if (/^\d+$/.test(item)) chosen.add(Number(item) - 1);
    else throw new UsageError(`undefined column name '${item}'`, { hasHint: false });
  }
  return chosen;
}

async function writeText(
  run: Run,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  hasHeader: boolean,
): Promise<void> {
  const separator = run.options.get("output-separator") ?? "  ";
  const widths = columns.map(({ place, name }) =>
    rows.reduce(
      (most, row) => Math.max(most, textWidth(row[place] ?? "")),
      hasHeader ? textWidth(name) : 0,
    ),
  );
  const write = (cell: (column: TableColumn) => string): void => {
    const shown = columns.map((column, at) => {
      const text = cell(column);
      const space = " ".repeat(Math.max(0, (widths[at] ?? 0) - textWidth(text)));
      if (column.isRight) return `${space}${text}`;
      return at === columns.length - 1 ? text : `${text}${space}`;
    });
    run.out.addText(`${shown.join(separator)}\n`);
  };
  if (hasHeader) write(({ name }) => name);
  for (const row of rows) {
    write(({ place }) => row[place] ?? "");
    if (run.out.isFull) await run.out.flush();
  }
}

function writeJson(
  run: Run,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): void {
  const name = run.options.get("table-name") ?? "table";
  const objects = rows.map((row) => {
    const fields = columns.map((column) => {
      const cell = row[column.place];
      const key = JSON.stringify(column.name.toLowerCase());
      return `         ${key}: ${cell === undefined || cell === "" ? "null" : JSON.stringify(cell)}`;
    });
    return `{\n${fields.join(",\n")}\n      }`;
  });
  const body = objects.length === 0 ? "" : `      ${objects.join(",")}\n`;
  run.out.addText(`{\n   ${JSON.stringify(name)}: [\n${body}   ]\n}\n`);
}
