/** The part of the terminal a line is edited on: writes only what changes. */
import { type Layout, type LayoutInput, layOutLine, type Row } from "./layout.ts";

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** Knows what is shown and where the cursor is; its methods give the text to write. */
export class Screen {
  #shown: readonly Row[] = [];
  #row = 0;
  #column = 0;
  /** The cursor hangs behind the last column: the next character goes to the next row. */
  #isPending = false;
  /** The first row of the layout that is on the screen, where it has more than fit. */
  #top = 0;
  #size: ScreenSize = { rows: 24, columns: 80 };

  get size(): ScreenSize {
    return this.#size;
  }

  /** Nothing is shown: the cursor is where a new line starts. */
  reset(size: ScreenSize): void {
    this.#size = size;
    this.#shown = [];
    this.#row = 0;
    this.#column = 0;
    this.#isPending = false;
    this.#top = 0;
  }

  draw(input: Omit<LayoutInput, "columns">): string {
    const layout = this.#fit(layOutLine({ ...input, columns: this.#size.columns }));
    let out = "";
    const { rows, cursor } = layout;
    for (const [at, row] of rows.entries()) out += this.#drawRow(at, row, layout);
    for (let at = rows.length; at < this.#shown.length; at++) out += `${this.#move(at, 0)}\u001b[K`;
    this.#shown = rows.map(({ cells, isWrapped }) => ({ cells: [...cells], isWrapped }));
    return out + this.#move(cursor.row, cursor.column);
  }

  /** Leaves the line: the cursor goes below it. */
  leave(): string {
    const last = Math.max(0, this.#shown.length - 1);
    const out = this.#move(last, this.#shown[last]?.cells.length ?? 0);
    this.reset(this.#size);
    return `${out}\n`;
  }

  /** Takes everything shown away; the cursor is where the prompt starts. */
  erase(): string {
    const out = `${this.#move(0, 0)}\r\u001b[J`;
    this.reset(this.#size);
    return out;
  }

  /** Of more rows than the screen has, those around the cursor. */
  #fit(layout: Layout): Layout {
    const { rows, cursor } = layout;
    const height = Math.max(1, this.#size.rows);
    if (rows.length <= height) {
      this.#top = 0;
      return layout;
    }
    this.#top = Math.min(this.#top, cursor.row, rows.length - height);
    if (cursor.row >= this.#top + height) this.#top = cursor.row - height + 1;
    return {
      rows: rows.slice(this.#top, this.#top + height),
      cursor: { row: cursor.row - this.#top, column: cursor.column },
      promptCells: this.#top === 0 ? layout.promptCells : 0,
    };
  }

  #drawRow(at: number, row: Row, { rows, promptCells }: Layout): string {
    const old = this.#shown[at];
    const { cells } = row;
    if (old === undefined) {
      let out = at === 0 ? "" : this.#enterRow(rows[at - 1]);
      out += cells.join("");
      if (at > 0 || cells.length > 0) this.#place(at, cells.length);
      return out;
    }
    let from = commonCells(old.cells, cells);
    if (from === cells.length && from === old.cells.length) return "";
    if (at * this.#size.columns < promptCells && from + at * this.#size.columns < promptCells)
      from = 0;
    let out = this.#move(at, from);
    out += cells.slice(from).join("");
    this.#place(at, cells.length);
    if (cells.length < old.cells.length && !this.#isPending) out += "\u001b[K";
    return out;
  }

  /** Goes to a row that is not there yet, behind the last one. */
  #enterRow(above: Row | undefined): string {
    if (above === undefined || !above.isWrapped)
      return `${this.#move(this.#row, this.#column)}\n\r`;
    const last = above.cells.findLastIndex((cell) => cell !== "");
    const isBehind = this.#isPending;
    const rewritten = isBehind ? "" : `${this.#move(this.#row, last)}${above.cells[last] ?? ""}`;
    return `${rewritten} \r`;
  }

  #place(row: number, column: number): void {
    this.#row = row;
    this.#isPending = column >= this.#size.columns;
    this.#column = this.#isPending ? this.#size.columns - 1 : column;
  }

  #move(row: number, column: number): string {
    let out = "";
    if (this.#isPending || (column === 0 && this.#column > 0)) {
      out += "\r";
      this.#column = 0;
    }
    if (row < this.#row) out += `\u001b[${this.#row - row}A`;
    if (row > this.#row) out += `\u001b[${row - this.#row}B`;
    const left = this.#column - column;
    if (left > 0) out += left <= 4 ? "\b".repeat(left) : `\u001b[${left}D`;
    if (left < 0) out += `\u001b[${-left}C`;
    this.#row = row;
    this.#column = column;
    this.#isPending = false;
    return out;
  }
}

/** How many cells at the start are the same; never the half of a wide character. */
function commonCells(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  while (at > 0 && (a[at] === "" || b[at] === "")) at -= 1;
  return at;
}
