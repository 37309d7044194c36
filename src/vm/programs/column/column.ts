import { decodeText } from "../../../kernel/index.ts";
import { LineCursor } from "../line-cursor.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { isUtf8Locale } from "../regexp/characters.ts";
import { textWidth } from "../text-width.ts";
import { writeTable } from "./table.ts";

/** What holding a line costs beside its characters. */
const LINE_BYTES = 128;

export const main = defineProgram(
  {
    name: "column",
    usage: ["[options] [<file>...]"],
    summary: "Columnate lists.",
    options: [
      { short: "t", long: "table", help: "create a table" },
      { short: "n", long: "table-name", value: "name", help: "table name for JSON output" },
      { short: "O", long: "table-order", value: "columns", help: "order of output columns" },
      { short: "N", long: "table-columns", value: "names", help: "comma separated column names" },
      { short: "l", long: "table-columns-limit", value: "num", help: "most input columns" },
      {
        short: "E",
        long: "table-noextreme",
        value: "columns",
        help: "(ignored) columns whose long text does not count",
      },
      { short: "d", long: "table-noheadings", help: "no header" },
      { short: "e", long: "table-header-repeat", help: "(ignored) repeat header for each page" },
      { short: "H", long: "table-hide", value: "columns", help: "columns that are not shown" },
      { short: "R", long: "table-right", value: "columns", help: "columns aligned right" },
      {
        short: "T",
        long: "table-truncate",
        value: "columns",
        help: "(ignored) columns that may be cut",
      },
      {
        short: "W",
        long: "table-wrap",
        value: "columns",
        help: "(ignored) columns that may be wrapped",
      },
      { short: "L", long: "keep-empty-lines", help: "do not leave out empty lines" },
      { short: "J", long: "json", help: "table as JSON" },
      { short: "c", long: "output-width", value: "width", help: "width of output in characters" },
      {
        short: "o",
        long: "output-separator",
        value: "string",
        help: "between columns of a table (default two spaces)",
      },
      {
        short: "s",
        long: "separator",
        value: "string",
        help: "characters between columns of input",
      },
      { short: "x", long: "fillrows", help: "fill rows before columns" },
      { short: "h", help: "same as --help" },
      { short: "V", help: "same as --version" },
    ],
  },
  async (run) => {
    const width = await readWidth(run);
    const isTable = run.has("table") || run.has("json");
    if (run.has("json") && !run.has("table-columns")) {
      throw new UsageError("option --table-columns required for --json", { hasHint: false });
    }
    const lines = await readLines(run);
    if (isTable) await writeTable(run, lines);
    else await writeList(run, lines, width);
  },
);

async function readWidth(run: Run): Promise<number> {
  const text = run.options.get("output-width");
  if (text === "unlimited") return Number.MAX_SAFE_INTEGER;
  if (text === undefined) {
    const columns = Number((await run.sys.environ()).get("COLUMNS") ?? "80");
    return Number.isInteger(columns) && columns > 0 ? columns : 80;
  }
  if (!/^\d+$/.test(text))
    throw new UsageError(`invalid columns argument: '${text}'`, { hasHint: false });
  return Number(text);
}

async function readLines(run: Run): Promise<string[]> {
  const found: string[] = [];
  const isUtf8 = isUtf8Locale(await run.sys.environ());
  let held = 0;
  await run.forEachInput(run.operands, async (fd) => {
    const lines = new LineCursor(run.sys, fd);
    while (lines.tryAdvance() || (await lines.advance())) {
      const text = visibleText(lines.line, isUtf8);
      if (!run.has("keep-empty-lines") && /^[ \t\r\v\f]*$/.test(text)) continue;
      held += text.length * 2 + LINE_BYTES;
      if (held > MEMORY_LIMIT) throw new MemoryLimitError();
      found.push(text);
    }
  });
  return found;
}

/** Bytes that are no character are shown as `\\xff`. */
function visibleText(line: Uint8Array, isUtf8: boolean): string {
  if (line.every((byte) => byte < 128)) return decodeText(line);
  if (isUtf8) {
    return decodeText(line).replace(
      /[\udc80-\udcff]/gu,
      (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`,
    );
  }
  return Array.from(line, (byte) =>
    byte < 128 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`,
  ).join("");
}

const TAB = 8;

function nextTab(column: number): number {
  return Math.floor((column + TAB) / TAB) * TAB;
}

async function writeList(run: Run, lines: readonly string[], width: number): Promise<void> {
  const widths = lines.map(textWidth);
  const longest = widths.reduce((most, one) => Math.max(most, one), 0);
  const { out } = run;
  if (longest >= width) {
    for (const line of lines) out.addText(`${line}\n`);
    return;
  }
  const cell = nextTab(longest);
  const columns = Math.max(1, Math.floor(width / cell));
  const rows = Math.ceil(lines.length / columns);
  const isAcross = run.has("fillrows");
  for (let row = 0; row < rows; row++) {
    let text = "";
    let used = 0;
    for (let column = 0; column < columns; column++) {
      const place = isAcross ? row * columns + column : row + column * rows;
      const line = lines[place];
      if (line === undefined) break;
      for (const end = cell * column; column > 0 && nextTab(used) <= end; used = nextTab(used))
        text += "\t";
      text += line;
      used += widths[place] ?? 0;
    }
    out.addText(`${text}\n`);
    if (out.isFull) await out.flush();
  }
}
