/** How a prompt and a line lie on the screen. */
import { isCombining, showCharacter } from "./character-width.ts";

/** One row of cells. A wide character has an empty cell behind it; escapes stand before a cell's text. */
export interface Row {
  readonly cells: readonly string[];
  /** The row goes on in the next one for want of room, not because of a newline. */
  readonly isWrapped: boolean;
}

export interface Layout {
  readonly rows: readonly Row[];
  readonly cursor: { readonly row: number; readonly column: number };
  /** Cells of the first rows that are the prompt's. */
  readonly promptCells: number;
}

export interface LayoutInput {
  /** The last line of the prompt, escapes included. */
  readonly prompt: string;
  readonly text: string;
  readonly point: number;
  readonly columns: number;
}

/** Escape sequences, and what stands between the marks of `\[` and `\]`. */
const unseen =
  // oxlint-disable-next-line no-control-regex -- escape sequences are made of control characters
  /\x01([^\x02]*)\x02|(\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|[\x01\x02\x07])/y;

const TAB_COLUMNS = 8;

export function layOutLine({ prompt, text, point, columns }: LayoutInput): Layout {
  const builder = new RowBuilder(Math.max(2, columns));
  for (let at = 0; at < prompt.length; ) {
    unseen.lastIndex = at;
    const found = unseen.exec(prompt);
    if (found !== null && found[0] !== "") {
      builder.addUnseen(
        found[1] ?? (found[2] ?? "").replaceAll("\u0001", "").replaceAll("\u0002", ""),
      );
      at += found[0].length;
      continue;
    }
    const character = String.fromCodePoint(prompt.codePointAt(at) ?? 0);
    builder.add(character);
    at += character.length;
  }
  builder.endPrompt();
  const promptCells = builder.cellCount;
  let cursor = builder.place();
  for (let at = 0; at < text.length; ) {
    if (at === point) cursor = builder.place();
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (character === "\n") builder.newline();
    else builder.add(character);
    at += character.length;
  }
  if (point >= text.length) cursor = builder.place();
  return { rows: builder.rows(cursor.row), cursor, promptCells };
}

class RowBuilder {
  readonly #columns: number;
  readonly #rows: { cells: string[]; isWrapped: boolean }[] = [{ cells: [], isWrapped: false }];
  #before = "";
  cellCount = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  get #row(): { cells: string[]; isWrapped: boolean } {
    return this.#rows.at(-1) ?? { cells: [], isWrapped: false };
  }

  addUnseen(text: string): void {
    this.#before += text;
  }

  /** What is unseen behind the prompt's last character belongs to that. */
  endPrompt(): void {
    if (this.#before === "") return;
    const { cells } = this.#row;
    if (cells.length > 0) cells[cells.length - 1] = `${cells.at(-1)}${this.#before}`;
    else cells.push(this.#before);
    this.#before = "";
  }

  add(character: string): void {
    if (isCombining(character)) {
      const { cells } = this.#row;
      const at = cells.findLastIndex((cell) => cell !== "");
      if (at !== -1) cells[at] = `${cells[at]}${character}`;
      return;
    }
    if (character === "\t") {
      const count = TAB_COLUMNS - (this.#row.cells.length % TAB_COLUMNS);
      for (let each = 0; each < count; each++) this.#put(" ", 1);
      return;
    }
    const shown = showCharacter(character);
    if (shown.text === character) this.#put(character, shown.width);
    else for (const one of shown.text) this.#put(one, 1);
  }

  newline(): void {
    this.#rows.push({ cells: [], isWrapped: false });
  }

  /** Where the next character goes: behind a full row that is the next row's start. */
  place(): { readonly row: number; readonly column: number } {
    const row = this.#rows.length - 1;
    const column = this.#row.cells.length;
    return column >= this.#columns ? { row: row + 1, column: 0 } : { row, column };
  }

  /** The rows, one more where the cursor needs it. */
  rows(cursorRow: number): readonly Row[] {
    if (cursorRow >= this.#rows.length) {
      this.#row.isWrapped = true;
      this.newline();
    }
    return this.#rows;
  }

  #put(text: string, width: number): void {
    if (this.#row.cells.length + width > this.#columns) {
      while (this.#row.cells.length < this.#columns) this.#row.cells.push(" ");
      this.#row.isWrapped = true;
      this.newline();
    }
    this.#row.cells.push(`${this.#before}${text}`);
    if (width === 2) this.#row.cells.push("");
    this.#before = "";
    this.cellCount += width;
  }
}
