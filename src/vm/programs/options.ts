/** GNU options for programs: one table says what is taken, what `--help` shows, and what is refused. */
import { sortLongNames } from "./option-order.ts";

export interface OptionRow {
  /** One letter. */
  readonly short?: string;
  /** Without its dashes. */
  readonly long?: string;
  /** The name of its value in `--help`; without it the option has none. */
  readonly value?: string;
  /** The value may be left out (`--color[=WHEN]`). */
  readonly isOptional?: boolean;
  readonly help: string;
}

export interface ProgramTable {
  readonly name: string;
  /** Behind `Usage: name`, one line each. */
  readonly usage: readonly string[];
  readonly summary: string;
  readonly options: readonly OptionRow[];
  /** Status of a command line that is refused; 1 unless said. */
  readonly refusal?: number;
  /** A refusal shows the usage line, too, as grep's does. */
  readonly showsUsage?: boolean;
  /** What stands before a refusal instead of `name: `. */
  readonly prefix?: string;
  /** What follows a refusal instead of `Try 'name --help' for more information.` */
  readonly hint?: (name: string) => string;
  /** What stdin that cannot be closed at the end is called: it was not open. Such stdin is no failure unless said. */
  readonly closesStdin?: string;
  /** Options end at the first operand, as for `env` and `sudo`. */
  readonly stopsAtOperand?: boolean;
  /** Words that look like options and are operands: `-5`, `+3`, `-rw`. */
  readonly isOperand?: (word: string) => boolean;
}

/** A command line that cannot be run: its message goes to fd 2 behind the program's name. */
export class UsageError extends Error {
  readonly status: number | undefined;
  /** Whether `Try 'name --help'` follows. */
  readonly hasHint: boolean;

  constructor(
    message: string,
    options: { readonly status?: number; readonly hasHint?: boolean } = {},
  ) {
    super(message);
    this.status = options.status;
    this.hasHint = options.hasHint ?? true;
  }
}

/** The options of a command line, each by its long name, or by its letter where it has none. */
export class Options {
  readonly #values = new Map<string, string[]>();
  readonly #spellings = new Map<string, string>();
  /** In the order given: later ones win where that matters. */
  readonly order: string[] = [];
  /** The place of the word each of these stands in. */
  readonly places: number[] = [];
  /** Of the word that is read now. */
  place = 0;
  readonly operands: string[] = [];
  /** Options and operands as they came, each a name and a value; an operand's name is empty. */
  readonly sequence: (readonly [name: string, value: string])[] = [];

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The last value given. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Of several options that exclude each other the one given last. */
  last(...names: readonly string[]): string | undefined {
    return this.order.findLast((name) => names.includes(name));
  }

  /** How an option was written the last time: `-j` or `--skip-bytes`. */
  spelling(name: string): string {
    return this.#spellings.get(name) ?? "";
  }

  add(row: OptionRow, value: string, isShort = false): void {
    const name = row.long ?? row.short ?? "";
    this.#spellings.set(name, isShort ? `-${row.short}` : `--${row.long}`);
    const values = this.#values.get(name) ?? [];
    values.push(value);
    this.#values.set(name, values);
    this.order.push(name);
    this.places.push(this.place);
    this.sequence.push([name, value]);
  }

  addOperands(...operands: readonly string[]): void {
    this.operands.push(...operands);
    for (const operand of operands) this.sequence.push(["", operand]);
  }
}

const helpRow: OptionRow = { long: "help", help: "display this help and exit" };
const versionRow: OptionRow = { long: "version", help: "output version information and exit" };

/** Reads a command line. Fails with a UsageError in GNU's words. */
export function readOptions(table: ProgramTable, words: readonly string[]): Options {
  const reader = new OptionReader(table, words);
  return reader.read();
}

class OptionReader {
  readonly #rows: readonly OptionRow[];
  readonly #table: ProgramTable;
  readonly #words: readonly string[];
  readonly #options = new Options();
  #at = 0;

  constructor(table: ProgramTable, words: readonly string[]) {
    this.#table = table;
    this.#rows = [...table.options, helpRow, versionRow];
    this.#words = words;
  }

  read(): Options {
    for (; this.#at < this.#words.length; this.#at++) {
      const word = this.#words[this.#at] ?? "";
      this.#options.place = this.#at;
      if (word === "--") {
        this.#options.addOperands(...this.#words.slice(this.#at + 1));
        break;
      }
      const isOption = /^-./s.test(word) && this.#table.isOperand?.(word) !== true;
      if (isOption) {
        if (word.startsWith("--")) this.#long(word.slice(2));
        else this.#short(word.slice(1));
        continue;
      }
      if (this.#table.stopsAtOperand === true) {
        this.#options.addOperands(...this.#words.slice(this.#at));
        break;
      }
      this.#options.addOperands(word);
    }
    return this.#options;
  }

  #long(text: string): void {
    const at = text.indexOf("=");
    const name = at === -1 ? text : text.slice(0, at);
    const row = this.#findLong(name, text);
    if (row.value === undefined) {
      if (at !== -1) throw new UsageError(`option '--${row.long}' doesn't allow an argument`);
      this.#options.add(row, "");
      return;
    }
    if (at !== -1) {
      this.#options.add(row, text.slice(at + 1));
      return;
    }
    if (row.isOptional === true) {
      this.#options.add(row, "");
      return;
    }
    this.#at += 1;
    const value = this.#words[this.#at];
    if (value === undefined) throw new UsageError(`option '--${row.long}' requires an argument`);
    this.#options.add(row, value);
  }

  /** A beginning that only one option has will do. */
  #findLong(name: string, text: string): OptionRow {
    const exact = this.#rows.find((row) => row.long === name);
    if (exact !== undefined) return exact;
    const matching = this.#rows.filter((row) => row.long?.startsWith(name) === true);
    const [only] = matching;
    if (only === undefined) throw new UsageError(`unrecognized option '--${text}'`);
    if (matching.length === 1) return only;
    const names = sortLongNames(
      this.#table.name,
      matching.map((row) => row.long ?? ""),
    )
      .map((long) => `'--${long}'`)
      .join(" ");
    throw new UsageError(`option '--${text}' is ambiguous; possibilities: ${names}`);
  }

  #short(letters: string): void {
    for (let place = 0; place < letters.length; ) {
      const letter = String.fromCodePoint(letters.codePointAt(place) ?? 0);
      place += letter.length;
      const row = this.#rows.find((one) => one.short === letter);
      if (row === undefined) throw new UsageError(`invalid option -- '${letter}'`);
      if (row.value === undefined) {
        this.#options.add(row, "", true);
        continue;
      }
      const rest = letters.slice(place);
      if (rest !== "" || row.isOptional === true) {
        this.#options.add(row, rest, true);
        return;
      }
      this.#at += 1;
      const value = this.#words[this.#at];
      if (value === undefined) throw new UsageError(`option requires an argument -- '${letter}'`);
      this.#options.add(row, value, true);
      return;
    }
  }
}

/** What `--help` prints. */
export function helpText(table: ProgramTable, name = table.name): string {
  const [first = "", ...others] = table.usage;
  const usage = [`Usage: ${name} ${first}`, ...others.map((line) => `  or:  ${name} ${line}`)].join(
    "\n",
  );
  const rows = [...table.options, helpRow, versionRow].map(helpLine).join("");
  return `${usage}\n${table.summary}\n\n${rows}`;
}

function helpLine({ short, long, value, isOptional, help }: OptionRow): string {
  const shown = long === undefined ? "" : `--${long}`;
  const optional = long === undefined ? `[${value}]` : `[=${value}]`;
  const tail =
    value === undefined
      ? ""
      : isOptional === true
        ? optional
        : long === undefined
          ? ` ${value}`
          : `=${value}`;
  const names =
    short === undefined ? `      ${shown}` : `  -${short}${long === undefined ? "" : `, ${shown}`}`;
  const left = `${names}${tail}`;
  const [first = "", ...others] = help.split("\n");
  const start =
    left.length < 29 ? `${left.padEnd(29)}${first}` : `${left}\n${" ".repeat(29)}${first}`;
  return [start, ...others.map((line) => `${" ".repeat(29)}${line}`)]
    .map((line) => `${line}\n`)
    .join("");
}

export function versionText(table: ProgramTable): string {
  return `${table.name} (agentOS MCP) 0.1.0\n`;
}

/** For programs that take no operands, or no more than those before these. */
export function refuseExtraOperand(operands: readonly string[], allowed = 0): void {
  const extra = operands[allowed];
  if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
}
