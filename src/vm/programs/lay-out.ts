/** Names in columns, as `ls` lays them out on a terminal. */
import { textWidth } from "./text-width.ts";

/** As many columns as fit, two spaces apart. */
export function layOut(cells: readonly string[], width: number, order: "down" | "across"): string {
  const widths = cells.map(textWidth);
  for (
    let columns = Math.min(cells.length, Math.floor((width + 2) / 3) || 1);
    columns > 1;
    columns--
  ) {
    const rows = Math.ceil(cells.length / columns);
    if (order === "down" && Math.ceil(cells.length / rows) < columns) continue;
    const columnOf = (at: number): number =>
      order === "down" ? Math.floor(at / rows) : at % columns;
    const columnWidths = Array.from({ length: columns }, () => 0);
    for (const [at, wide] of widths.entries())
      columnWidths[columnOf(at)] = Math.max(columnWidths[columnOf(at)] ?? 0, wide + 2);
    const total = columnWidths.reduce((sum, wide) => sum + wide, -2);
    if (total >= width) continue;
    return printGrid(cells, { rows, columns, order, columnWidths });
  }
  return cells.map((cell) => `${cell}\n`).join("");
}

interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly order: "down" | "across";
  readonly columnWidths: readonly number[];
}

function printGrid(cells: readonly string[], { rows, columns, order, columnWidths }: Grid): string {
  let text = "";
  for (let row = 0; row < rows; row++) {
    let line = "";
    for (let column = 0; column < columns; column++) {
      const cell = cells[order === "down" ? column * rows + row : row * columns + column];
      if (cell === undefined) continue;
      const next = cells[order === "down" ? (column + 1) * rows + row : row * columns + column + 1];
      const isLast = column === columns - 1 || next === undefined;
      line += isLast ? cell : cell + " ".repeat((columnWidths[column] ?? 0) - textWidth(cell));
    }
    text += `${line}\n`;
  }
  return text;
}

/** `a, b, c` in lines of that width. */
export function fillCommas(cells: readonly string[], width: number): string {
  let text = "";
  let used = 0;
  for (const [at, cell] of cells.entries()) {
    const isLast = at === cells.length - 1;
    const needed = textWidth(cell) + (isLast ? 0 : 1);
    if (used > 0 && used + 1 + needed > width) {
      text += "\n";
      used = 0;
    } else if (used > 0) {
      text += " ";
      used += 1;
    }
    text += isLast ? cell : `${cell},`;
    used += needed;
  }
  return cells.length === 0 ? "" : `${text}\n`;
}
