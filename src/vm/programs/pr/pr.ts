import { decodeText, isKernelError } from "../../../kernel/index.ts";
import { formatTime } from "../format-time.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { quoteFile } from "../quote-text.ts";
import { readAllBytes } from "../read-all.ts";
import { textWidth } from "../text-width.ts";
import { type Characters, readCharacters } from "./characters.ts";
import { options, type PrSettings, readSettings } from "./settings.ts";

const TAB = 8;

export const main = defineProgram(
  {
    name: "pr",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Paginate or columnate FILE(s) for printing.",
    options,
  },
  async (run) => {
    const settings = readSettings(run);
    const names = settings.files.length === 0 ? ["-"] : settings.files;
    if (run.has("merge")) {
      const inputs = await readInputs(run, names);
      const printing = new Printing(run, settings, "", (await run.sys.clock()).nowMs);
      if (inputs.length > 0) await printing.write(mergeRows(inputs.map(({ lines }) => lines)));
      return;
    }
    for (const { name, lines, timeMs } of await readInputs(run, names)) {
      const printing = new Printing(run, settings, name === "-" ? "" : name, timeMs);
      await printing.write(columnRows(lines, settings, run.has("across")));
    }
  },
);

interface Input {
  readonly name: string;
  readonly lines: readonly string[];
  readonly timeMs: number;
}

async function readInputs(run: Run, names: readonly string[]): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const name of names) {
    try {
      await run.withInput(name, async (fd) => {
        const lines = decodeText(await readAllBytes(run.sys, fd)).split("\n");
        if (lines.at(-1) === "") lines.pop();
        const { prepare } = readCharacters(run);
        const { nowMs } = await run.sys.clock();
        const timeMs = name === "-" ? nowMs : (await run.sys.fstat(fd)).mtimeMs;
        inputs.push({ name, lines: lines.map(prepare), timeMs });
      });
    } catch (error) {
      if (!isKernelError(error)) throw error;
      run.status = 1;
      if (!run.has("no-file-warnings")) await run.fail(`${quoteFile(name)}: ${errorWords(error)}`);
    }
  }
  return inputs;
}

/** Cells of a row; undefined is none, and takes no place at the end. */
type Row = readonly (Cell | undefined)[];

interface Cell {
  readonly text: string;
  /** Of its line, from 0. */
  readonly at: number;
}

function mergeRows(files: readonly (readonly string[])[]): Row[] {
  const count = files.reduce((most, lines) => Math.max(most, lines.length), 0);
  return Array.from({ length: count }, (_, at) =>
    files.map((lines) => ({ text: lines[at] ?? "", at })),
  );
}

/** Down each page's columns, the last page's even; or across. */
function columnRows(lines: readonly string[], settings: PrSettings, isAcross: boolean): Row[] {
  const { columns, rows } = settings;
  const cells = lines.map((text, at) => ({ text, at }));
  if (columns === 1) return cells.map((cell) => [cell]);
  const made: Row[] = [];
  for (let start = 0; start < lines.length; start += isAcross ? columns : rows * columns) {
    if (isAcross) {
      made.push(cells.slice(start, start + columns));
      continue;
    }
    const page = cells.slice(start, start + rows * columns);
    const short = Math.floor(page.length / columns);
    const long = page.length % columns;
    const starts = Array.from({ length: columns }, (_, at) => at * short + Math.min(at, long));
    for (let row = 0; row < short + (long > 0 ? 1 : 0); row++) {
      const isIn = (at: number): boolean => row < short || at < long;
      made.push(starts.map((from, at) => (isIn(at) ? page[from + row] : undefined)));
    }
  }
  return made;
}

class Printing {
  readonly #run: Run;
  readonly #settings: PrSettings;
  readonly #name: string;
  readonly #date: string;
  readonly #characters: Characters;

  constructor(run: Run, settings: PrSettings, name: string, timeMs: number) {
    this.#run = run;
    this.#settings = settings;
    this.#characters = readCharacters(run);
    this.#name = run.options.get("header") ?? name;
    this.#date = formatTime(run.options.get("date-format") ?? "%Y-%m-%d %H:%M", timeMs);
  }

  async write(rows: readonly Row[]): Promise<void> {
    const { out } = this.#run;
    const { hasHeader, rows: perPage, pages } = this.#settings;
    const [first, last] = pages;
    const isFed = this.#run.has("form-feed") || this.#run.has("f");
    for (let page = 1, at = 0; at < rows.length && page <= last; page++, at += perPage) {
      const shown = rows.slice(at, at + perPage).map((row) => this.#row(row));
      if (page < first) continue;
      if (hasHeader) out.addText(this.#header(page));
      const gap = this.#run.has("double-space") ? "\n" : "";
      for (const line of shown) out.addText(`${line}\n${gap}`);
      if (hasHeader) {
        const missing = (perPage - shown.length) * (gap === "" ? 1 : 2) + 5;
        out.addText(isFed ? "\f" : "\n".repeat(missing));
      }
      if (out.isFull) await out.flush();
    }
  }

  #header(page: number): string {
    const { width, margin } = this.#settings;
    const label = `Page ${page}`;
    const space = Math.max(0, width - this.#date.length - textWidth(this.#name) - label.length);
    const left = " ".repeat(space >> 1);
    const right = " ".repeat(space - (space >> 1));
    return `\n\n${margin}${this.#date}${left}${this.#name}${right}${label}\n\n\n`;
  }

  #row(row: Row): string {
    const { columns, separator, isAligned, isCut, margin, numbers, width } = this.#settings;
    const isMerging = this.#run.has("merge");
    const isTabbed = columns > 1 || isMerging;
    const front = isMerging && numbers !== undefined ? this.#numberText(row[0]?.at ?? 0, true) : "";
    const room = width - front.length - (columns - 1) * separator.length;
    const step = Math.max(1, Math.floor(room / columns));
    let line = front;
    for (const [at, cell] of row.entries()) {
      if (cell === undefined) break;
      const start = front.length + step * at + separator.length * (at - 1);
      if (at > 0 && isAligned) line = line.padEnd(start);
      if (at > 0) line += separator;
      const isNumbered = numbers !== undefined && !isMerging;
      const head = isNumbered ? this.#numberText(cell.at, isTabbed) : "";
      const text = columns > 1 && isAligned ? untabify(cell.text) : cell.text;
      line += isCut && isAligned ? `${head}${text}`.slice(0, step) : `${head}${text}`;
    }
    if (this.#run.has("output-tabs")) return this.#characters.finish(`${margin}${line}`);
    return isTabbed ? tabify(`${margin}${line}`) : `${margin}${line}`;
  }

  #numberText(at: number, isColumn: boolean): string {
    const { firstNumber, numbers } = this.#settings;
    const { mark, digits } = numbers ?? { mark: "\t", digits: 5 };
    const text = String(firstNumber + at)
      .padStart(digits)
      .slice(-digits);
    if (mark !== "\t" || !isColumn) return `${text}${mark}`;
    return text.padEnd((Math.floor(digits / TAB) + 1) * TAB);
  }
}

function untabify(text: string): string {
  let made = "";
  for (const letter of text)
    made += letter === "\t" ? " ".repeat(TAB - (made.length % TAB)) : letter;
  return made;
}

/** Runs of spaces become tabs as far as they reach a stop. */
function tabify(line: string): string {
  return line.replace(/ {2,}/g, (spaces, at: number) => {
    let from = at;
    let made = "";
    const goal = at + spaces.length;
    for (
      let stop = (Math.floor(from / TAB) + 1) * TAB;
      goal - from > 1 && stop <= goal;
      stop += TAB
    ) {
      made += "\t";
      from = stop;
    }
    return `${made}${" ".repeat(goal - from)}`;
  });
}
