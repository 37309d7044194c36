/** Names in columns, as `ls` lays them out. */
import { textWidth } from "./text-width.ts";

export interface Layout {
  /** 0: one line takes all. */
  readonly width: number;
  readonly order: "down" | "across";
  /** Columns between tab stops; 0: spaces alone. */
  readonly tabSize: number;
  /** The width of a cell, where it is not its text's. */
  readonly widthOf?: (cell: string) => number;
}

const LEAST_COLUMN = 3;
const GAP = 2;

/** As many columns as fit, two spaces apart. */
export function layOut(cells: readonly string[], layout: Layout): string {
  const { width, order, widthOf = textWidth } = layout;
  if (cells.length === 0) return "";
  if (width === 0) return `${cells.join("  ")}\n`;
  const widths = cells.map(widthOf);
  const most = Math.min(cells.length, Math.ceil(width / LEAST_COLUMN));
  for (let columns = most; columns > 1; columns--) {
    const columnWidths = fit(widths, columns, width, order);
    if (columnWidths === undefined) continue;
    return printGrid({ cells, widths, columnWidths }, columns, layout);
  }
  return cells.map((cell) => `${cell}\n`).join("");
}

/** Undefined where so many columns are too wide. */
function fit(
  widths: readonly number[],
  columns: number,
  width: number,
  order: "down" | "across",
): number[] | undefined {
  const rows = Math.ceil(widths.length / columns);
  const columnWidths = Array.from({ length: columns }, () => LEAST_COLUMN);
  let line = columns * LEAST_COLUMN;
  for (const [at, wide] of widths.entries()) {
    const column = order === "down" ? Math.floor(at / rows) : at % columns;
    const needed = wide + (column === columns - 1 ? 0 : GAP);
    const now = columnWidths[column] ?? LEAST_COLUMN;
    if (now >= needed) continue;
    line += needed - now;
    columnWidths[column] = needed;
    if (line >= width) return undefined;
  }
  return columnWidths;
}

interface Grid {
  readonly cells: readonly string[];
  readonly widths: readonly number[];
  readonly columnWidths: readonly number[];
}

function printGrid(
  { cells, widths, columnWidths }: Grid,
  columns: number,
  { order, tabSize }: Layout,
): string {
  const rows = Math.ceil(cells.length / columns);
  let text = "";
  for (let row = 0; row < rows; row++) {
    let position = 0;
    for (let column = 0, from = 0; column < columns; column++) {
      const at = order === "down" ? column * rows + row : row * columns + column;
      const cell = cells[at];
      if (cell === undefined) break;
      text += indent(position, from, tabSize) + cell;
      position = from + (widths[at] ?? 0);
      from += columnWidths[column] ?? 0;
    }
    text += "\n";
  }
  return text;
}

/** Blanks from one column to another, tabs where they save some. */
function indent(from: number, to: number, tabSize: number): string {
  let text = "";
  for (let at = from; at < to; ) {
    if (tabSize > 0 && Math.floor(to / tabSize) > Math.floor((at + 1) / tabSize)) {
      text += "\t";
      at += tabSize - (at % tabSize);
    } else {
      text += " ";
      at += 1;
    }
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
    if (used > 0 && width > 0 && used + 1 + needed > width) {
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
