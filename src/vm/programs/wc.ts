import { decodeText, isKernelError, KernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { quoteFile } from "./quote-text.ts";
import { readAllBytes } from "./read-all.ts";
import { isUtf8Locale } from "./regexp/characters.ts";
import { textWidth } from "./text-width.ts";

const CHUNK_BYTES = 131_072;

/** The order columns are printed in. */
const columns = ["lines", "words", "chars", "bytes", "max-line-length"] as const;

type Column = (typeof columns)[number];
type Counts = Record<Column, number>;

export const main = defineProgram(
  {
    name: "wc",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
    summary:
      "Print newline, word, and byte counts for each FILE, and a total line if\nmore than one FILE is specified.",
    options: [
      { short: "c", long: "bytes", help: "print the byte counts" },
      { short: "m", long: "chars", help: "print the character counts" },
      { short: "l", long: "lines", help: "print the newline counts" },
      { short: "L", long: "max-line-length", help: "print the maximum display width" },
      { short: "w", long: "words", help: "print the word counts" },
      { long: "files0-from", value: "F", help: "read from the files of NUL-terminated names in F" },
    ],
  },
  async (run) => {
    const asked = columns.filter((column) => run.has(column));
    const shown: readonly Column[] = asked.length === 0 ? ["lines", "words", "bytes"] : asked;
    const operands = await readOperands(run);
    const isUtf8 = isUtf8Locale(await run.sys.environ());
    const rows: { readonly counts: Counts; readonly name: string }[] = [];
    const total = noCounts();
    const list = run.options.get("files0-from");
    for (const [at, operand] of operands.entries()) {
      if (operand === "-" && list === "-") {
        await run.fail("when reading file names from stdin, no file name of '-' allowed");
        continue;
      }
      const counts = noCounts();
      try {
        if (operand === "") throw new KernelError("ENOENT");
        await run.withInput(operand, (fd) => count(run, fd, { shown, isUtf8 }, counts));
      } catch (error) {
        if (operand === "")
          await run.fail(
            `${list === undefined ? "" : `${list}:${at + 1}: `}invalid zero-length file name`,
          );
        else await run.failOn(error, operand === "-" ? "'standard input'" : quoteFile(operand));
        if (operand !== "-" && !isKernelError(error, "EISDIR")) continue;
      }
      const isNamed = run.operands.length > 0 || run.has("files0-from");
      rows.push({ counts, name: isNamed ? operand : "" });
      for (const column of columns)
        total[column] =
          column === "max-line-length"
            ? Math.max(total[column], counts[column])
            : total[column] + counts[column];
    }
    if (operands.length > 1) rows.push({ counts: total, name: "total" });
    const width = await columnWidth(run, shown, total, operands);
    for (const { counts, name } of rows) {
      const cells = shown.map((column) => String(counts[column]).padStart(width)).join(" ");
      run.out.addText(`${cells}${name === "" ? "" : ` ${name}`}\n`);
    }
  },
);

/** The operands, or the names in the file of `--files0-from`. */
async function readOperands(run: Run): Promise<readonly string[]> {
  const list = run.options.get("files0-from");
  if (list === undefined) return run.operands.length === 0 ? ["-"] : run.operands;
  const [extra] = run.operands;
  if (extra !== undefined) {
    throw new UsageError(
      `extra operand ${quoteName(extra)}\nfile operands cannot be combined with --files0-from`,
    );
  }
  let names: string[] = [];
  try {
    await run.withInput(list, async (fd) => {
      names = decodeText(await readAllBytes(run.sys, fd)).split("\0");
    });
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const what = `cannot open ${quoteName(list)} for reading`;
    throw new UsageError(`${what}: ${errorWords(error)}`, { hasHint: false });
  }
  if (names.at(-1) === "") names.pop();
  return names;
}

function noCounts(): Counts {
  return { lines: 0, words: 0, chars: 0, bytes: 0, "max-line-length": 0 };
}

/** As wide as the sizes of the files need; 7 where one cannot be known before. */
async function columnWidth(
  run: Run,
  shown: readonly Column[],
  total: Counts,
  operands: readonly string[],
): Promise<number> {
  if (shown.length === 1 && operands.length === 1) return 1;
  let size = 0;
  let isKnown = true;
  for (const operand of operands) {
    try {
      const stat = await (operand === "-" ? run.sys.fstat(0) : run.sys.stat(operand));
      if (stat.kind === "file") size += stat.size;
      else isKnown = false;
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
  }
  if (run.has("files0-from")) return 1;
  const width = String(isKnown ? Math.max(size, total.bytes) : size).length;
  return isKnown ? width : Math.max(7, width);
}

interface Wish {
  readonly shown: readonly Column[];
  /** Whether characters are more than bytes. */
  readonly isUtf8: boolean;
}

async function count(run: Run, fd: number, wish: Wish, counts: Counts): Promise<void> {
  const { shown, isUtf8 } = wish;
  const needsLines = shown.includes("lines");
  const needsWords = shown.includes("words");
  const needsText = shown.includes("max-line-length");
  const needsChars = shown.includes("chars");
  const words = new WordCounter();
  const widths = new WidthCounter(isUtf8);
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const length = await run.sys.read(fd, buffer);
    if (length === 0) break;
    const chunk = length === buffer.length ? buffer : buffer.subarray(0, length);
    counts.bytes += length;
    if (needsLines) counts.lines += countNewlines(chunk);
    if (needsWords) words.add(chunk);
    if (needsChars) counts.chars += isUtf8 ? countCharacters(chunk) : length;
    if (needsText) widths.add(chunk);
  }
  counts.words = words.count;
  counts["max-line-length"] = widths.finish();
}

function countNewlines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < chunk.length; at++) if (chunk[at] === 10) count += 1;
  return count;
}

/** Every byte that does not continue a UTF-8 sequence. */
function countCharacters(chunk: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < chunk.length; at++) if (((chunk[at] ?? 0) & 0xc0) !== 0x80) count += 1;
  return count;
}

class WordCounter {
  count = 0;
  #isInside = false;

  add(chunk: Uint8Array): void {
    let { count } = this;
    let isInside = this.#isInside;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === 32 || (byte >= 9 && byte <= 13)) {
        isInside = false;
      } else if (!isInside && byte > 32 && byte !== 127) {
        isInside = true;
        count += 1;
      }
    }
    this.count = count;
    this.#isInside = isInside;
  }
}

/** What takes no column: control characters, and bytes that are no text. */
const unseen = /[\p{Cc}\udc80-\udcff]/gu;
const unseenBytes = /[^ -~]/gu;

/** The widest line, tabs to every eighth column. Holds no more than a character cut in two. */
class WidthCounter {
  #rest = new Uint8Array();
  #width = 0;
  #widest = 0;
  readonly #isUtf8: boolean;

  constructor(isUtf8: boolean) {
    this.#isUtf8 = isUtf8;
  }

  add(chunk: Uint8Array): void {
    const all = new Uint8Array(this.#rest.length + chunk.length);
    all.set(this.#rest);
    all.set(chunk, this.#rest.length);
    const end = wholeCharacters(all);
    this.#measure(decodeText(all.subarray(0, end)));
    this.#rest = all.slice(end);
  }

  finish(): number {
    this.#measure(decodeText(this.#rest));
    return this.#widest;
  }

  #measure(text: string): void {
    for (const piece of text.split(/([\n\t\r\f])/)) {
      if (piece === "\t") this.#width += 8 - (this.#width % 8);
      else if (/^[\n\r\f]$/.test(piece)) this.#width = 0;
      else this.#width += textWidth(piece.replace(this.#isUtf8 ? unseen : unseenBytes, ""));
      this.#widest = Math.max(this.#widest, this.#width);
    }
  }
}

/** Where bytes end that may go on in the next chunk. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
