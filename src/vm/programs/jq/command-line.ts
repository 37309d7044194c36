/** jq's command line: options anywhere, short ones together, then the program and files. */
import { UsageError } from "../options.ts";

export interface CommandLine {
  readonly flags: ReadonlySet<string>;
  /** The program, or with `-f` the file it is in. */
  readonly program: string | undefined;
  readonly files: readonly string[];
  readonly indent: number | undefined;
  readonly libraries: readonly string[];
  readonly named: readonly NamedArgument[];
  readonly positional: readonly { readonly text: string; readonly isJson: boolean }[];
}

export interface NamedArgument {
  readonly kind: "arg" | "argjson" | "slurpfile" | "rawfile";
  readonly name: string;
  readonly value: string;
}

const shortFlags = new Map(
  Object.entries({
    n: "null-input",
    R: "raw-input",
    s: "slurp",
    c: "compact-output",
    r: "raw-output",
    j: "join-output",
    a: "ascii-output",
    S: "sort-keys",
    C: "color-output",
    M: "monochrome-output",
    e: "exit-status",
    f: "from-file",
    h: "help",
    V: "version",
    b: "binary",
  }),
);
const longFlags = new Set([
  ...shortFlags.values(),
  "raw-output0",
  "tab",
  "unbuffered",
  "stream",
  "stream-errors",
  "seq",
  "args",
  "jsonargs",
  "build-configuration",
]);
const HINT =
  "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://stedolan.github.io/jq";

function refuse(message: string): UsageError {
  return new UsageError(`${message}\n${HINT}`, { status: 2, hasHint: false });
}

/** Fails with a UsageError in jq's words. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const reader = new Reader(words);
  return reader.read();
}

class Reader {
  readonly #words: readonly string[];
  readonly #flags = new Set<string>();
  readonly #operands: string[] = [];
  readonly #libraries: string[] = [];
  readonly #named: NamedArgument[] = [];
  readonly #positional: { readonly text: string; readonly isJson: boolean }[] = [];
  #indent: number | undefined;
  #rest: "files" | "args" | "jsonargs" = "files";
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  read(): CommandLine {
    let isLiteral = false;
    for (; this.#at < this.#words.length; this.#at++) {
      const word = this.#words[this.#at] ?? "";
      if (isLiteral || !/^-[-A-Za-z]/.test(word)) this.#operand(word);
      else if (word === "--") isLiteral = true;
      else if (word.startsWith("--")) this.#long(word);
      else this.#short(word);
    }
    const [program, ...files] = this.#operands;
    return {
      flags: this.#flags,
      program,
      files,
      indent: this.#indent,
      libraries: this.#libraries,
      named: this.#named,
      positional: this.#positional,
    };
  }

  #operand(word: string): void {
    if (this.#rest === "files" || this.#operands.length === 0) this.#operands.push(word);
    else this.#positional.push({ text: word, isJson: this.#rest === "jsonargs" });
  }

  #take(): string | undefined {
    this.#at += 1;
    return this.#words[this.#at];
  }

  #long(word: string): void {
    const name = word.slice(2);
    if (name === "arg" || name === "argjson" || name === "slurpfile" || name === "rawfile") {
      this.#pair(name);
    } else if (name === "indent") this.#setIndent();
    else if (name === "args" || name === "jsonargs") this.#rest = name;
    else if (name === "library-path") this.#libraries.push(this.#take() ?? "");
    else if (name.startsWith("debug-") || !longFlags.has(name))
      throw refuse(`Unknown option ${word}`);
    else this.#flags.add(name);
  }

  #pair(kind: NamedArgument["kind"]): void {
    const name = this.#take();
    const value = this.#take();
    if (name === undefined || value === undefined) {
      const [what, example] = kind.endsWith("file") ? ["filename", ""] : ["value", ""];
      throw refuse(
        `--${kind} takes two parameters (e.g. --${kind} varname ${kind === "argjson" ? "text" : what}${example})`,
      );
    }
    this.#named.push({ kind, name, value });
  }

  #setIndent(): void {
    const text = this.#take();
    if (text === undefined) throw refuse("--indent takes one parameter");
    const indent = Number.parseInt(text, 10);
    if (!(indent >= -1 && indent <= 7)) throw refuse("--indent takes a number between -1 and 7");
    this.#indent = indent;
  }

  #short(word: string): void {
    const letters = word.slice(1);
    if (letters.startsWith("L")) {
      this.#libraries.push(letters === "L" ? (this.#take() ?? "") : letters.slice(1));
      return;
    }
    for (const letter of letters) {
      const flag = shortFlags.get(letter);
      if (flag === undefined) throw refuse(`Unknown option ${word}`);
      this.#flags.add(flag);
    }
  }
}
