import { describe, expect, it } from "vitest";
import { layOutLine } from "../../../../src/vm/shell/line-editor/layout.ts";

function rows(prompt: string, text: string, columns: number): string[] {
  return layOutLine({ prompt, text, point: text.length, columns }).rows.map(({ cells }) =>
    cells.join(""),
  );
}

describe("the layout of a line", () => {
  it("gives emoji two columns and moves a wide character that does not fit", () => {
    const layout = layOutLine({ prompt: "", text: "abc😀d", point: 6, columns: 4 });
    expect(layout.rows.map(({ cells }) => cells)).toEqual([
      ["a", "b", "c", " "],
      ["😀", "", "d"],
    ]);
    expect(layout.cursor).toEqual({ row: 1, column: 3 });
  });

  it("counts nothing for escapes, marked or not", () => {
    const coloured = layOutLine({
      prompt: "\u0001\u001b[31m\u0002$\u0001\u001b[0m\u0002 \u001b]0;title\u0007",
      text: "x",
      point: 0,
      columns: 10,
    });
    expect(coloured.cursor).toEqual({ row: 0, column: 2 });
    expect(coloured.promptCells).toBe(2);
    expect(rows("\u001b[1m$ ", "x", 10)).toEqual(["\u001b[1m$ x"]);
  });

  it("shows control characters, tabs and bytes that are no text", () => {
    expect(rows("", "\u0001\u007f\udcff", 20)).toEqual(["^A^?\\377"]);
    expect(rows("$ ", "a\tb", 20)).toEqual(["$ a     b"]);
  });

  it("starts a row for each line of the text and one for a cursor behind a full row", () => {
    expect(rows("$ ", "a\nb", 20)).toEqual(["$ a", "b"]);
    expect(rows("$ ", "ab", 4)).toEqual(["$ ab", ""]);
  });
});
