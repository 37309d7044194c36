import { textWidth } from "../../programs/text-width.ts";

/** Texts in as many columns as fit, running down each column first, as readline lists them. */
export function listColumns(
  texts: readonly string[],
  columns: number,
  order: "down" | "across",
): string[] {
  const width = Math.max(0, ...texts.map(textWidth)) + 2;
  const perRow = Math.max(1, Math.floor(columns / width));
  const rowCount = Math.ceil(texts.length / perRow);
  const rows: string[] = [];
  for (let row = 0; row < rowCount; row++) {
    let line = "";
    for (let column = 0; column < perRow; column++) {
      const at = order === "across" ? row * perRow + column : column * rowCount + row;
      const text = texts[at];
      if (text === undefined) break;
      line = line === "" ? text : `${line}${" ".repeat(padding(line, column * width))}${text}`;
    }
    rows.push(line);
  }
  return rows;
}

function padding(line: string, column: number): number {
  return Math.max(0, column - textWidth(line));
}
