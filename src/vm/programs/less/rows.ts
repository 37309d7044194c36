/** Making rows of a window from a line: tabs, control characters, wrapping, what was found. */
import { textWidth } from "../text-width.ts";

export interface RowOptions {
  readonly width: number;
  /** `-S`: one row, the rest cut. */
  readonly isChopped: boolean;
  /** `-R`: colours go through to the terminal. */
  readonly keepsColours: boolean;
  /** Columns cut at the left of chopped lines. */
  readonly shift: number;
}

const TAB = 8;
/** An escape sequence that only colours. */
// oxlint-disable-next-line no-control-regex -- an escape sequence starts with a control character
const colour = /^\u001B\[[\d;]*m/;

/** The rows of one line, at least one. */
export function makeRows(line: string, options: RowOptions): string[] {
  const rows: string[] = [];
  let row = "";
  let column = 0;
  const text = line.replace(/\r$/, "");
  for (let at = 0; at < text.length; ) {
    const sequence = options.keepsColours ? (colour.exec(text.slice(at, at + 32))?.[0] ?? "") : "";
    if (sequence !== "") {
      row += sequence;
      at += sequence.length;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    const shown = showCharacter(character, column);
    const width = textWidth(shown);
    if (column + width > options.width + (options.isChopped ? options.shift : 0)) {
      if (options.isChopped) break;
      rows.push(row);
      row = "";
      column = 0;
    }
    if (!options.isChopped || column >= options.shift) row += shown;
    column += width;
  }
  rows.push(row);
  return rows;
}

function showCharacter(character: string, column: number): string {
  if (character === "\t") return " ".repeat(TAB - (column % TAB));
  const code = character.codePointAt(0) ?? 0;
  if (code < 32) return `^${String.fromCharCode(code + 64)}`;
  return code === 127 ? "^?" : character;
}
