/** Where a parser is in its text, and the smallest steps it takes. */
import type { CommandPart, ProcessPart, Script, WordPart } from "./ast.ts";
import type { ParseProgress } from "./parse-progress.ts";
import { SourceText } from "./source-text.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import type { Token } from "./tokens.ts";

/** What a parser asks its shell for while it reads. */
export interface SyntaxOptions {
  /** The aliases to expand; undefined where they are not expanded. */
  readonly aliases?: ReadonlyMap<string, string> | undefined;
  readonly isExtglob?: boolean;
  readonly isPosix?: boolean;
  /** The locale has no characters beyond ASCII. */
  readonly isBytes?: boolean;
  /** Without them `#` is a character like any other. */
  readonly hasComments?: boolean;
}

/** What words and commands need of each other: a word holds commands, a command is made of words. */
export interface Grammar {
  readDollar(scanner: Scanner, quoting: boolean | "operand"): WordPart | undefined;
  readBackquoted(scanner: Scanner, isDoubleQuoted: boolean): CommandPart;
  readProcess(scanner: Scanner): ProcessPart;
  /** The commands of `$(…)`; the scanner is behind the closing parenthesis afterwards. */
  readCommands(scanner: Scanner): Script;
  readText(text: string, firstLine: number, options: SyntaxOptions): Script;
}

/** Constructs nest this deep at most. */
// Deviation: commands, quotes and substitutions nest at most 256 deep in source text.
const NESTING_LIMIT = 256;

/** Ends an unquoted word: blanks, newline and the operators' characters. */
export function isMeta(code: number): boolean {
  switch (code) {
    case 9:
    case 10:
    case 32:
    case 38:
    case 40:
    case 41:
    case 59:
    case 60:
    case 62:
    case 124:
      return true;
    default:
      return Number.isNaN(code);
  }
}

/** The closer of a group: a brace that is a word of its own, unlike that of `${…}`. */
export const BRACE_WORD = "{}";

export class Scanner {
  readonly source: SourceText;
  readonly options: SyntaxOptions;
  readonly grammar: Grammar;
  at = 0;
  /** Set when a here-document has no end. */
  openHereDocument: Script["openHereDocument"];
  /** What closes the compound commands that are open, the outermost first. */
  readonly closers: string[] = [];
  /** The token last looked at, and the text it is from. */
  peeked: { readonly token: Token; readonly text: string } | undefined;
  /** For a text that is read again as it grows. */
  progress: ParseProgress | undefined;
  /** Inside `$(…)`: aliases wait until it runs. */
  substitutionDepth = 0;
  #depth = 0;

  constructor(source: SourceText, options: SyntaxOptions, grammar: Grammar) {
    this.source = source;
    this.options = options;
    this.grammar = grammar;
  }

  /** A scanner for a text of its own. */
  over(text: string, firstLine: number): Scanner {
    return new Scanner(new SourceText(text, firstLine), this.options, this.grammar);
  }

  get text(): string {
    return this.source.text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.text.length;
  }

  /** The code at the position, or so many behind it; NaN at the end. */
  code(ahead = 0): number {
    return this.source.text.charCodeAt(this.at + ahead);
  }

  startsWith(text: string): boolean {
    return this.source.text.startsWith(text, this.at);
  }

  /** Steps over `text` where it stands here. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  line(position = this.at): number {
    return this.source.lineAt(position);
  }

  /** Blanks, joined lines, and a comment up to its newline. */
  skipBlanks(): void {
    for (;;) {
      const code = this.code();
      if (code === 32 || code === 9) this.at += 1;
      else if (code === 92 && this.code(1) === 10) this.at += 2;
      else if (code === 35 && this.options.hasComments !== false) this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    const end = this.source.text.indexOf("\n", this.at);
    this.at = end === -1 ? this.source.text.length : end;
  }

  /** Runs `step` one level deeper. */
  nested<T>(step: () => T): T {
    this.#depth += 1;
    if (this.#depth > NESTING_LIMIT)
      throw new SyntaxFailure({
        message: `syntax error: constructs are nested more than ${NESTING_LIMIT} deep`,
        line: this.line(),
        isIncomplete: false,
      });
    try {
      return step();
    } finally {
      this.#depth -= 1;
    }
  }

  /** `unexpected EOF while looking for matching`: at the line where the construct began, or at the end. */
  failOpen(close: string, start?: number): never {
    throw new SyntaxFailure({
      message: `unexpected EOF while looking for matching \`${close}'`,
      line: start === undefined ? this.source.lastLine : this.line(start),
      isIncomplete: true,
      closer: this.closers[0] ?? close,
    });
  }

  failEnd(): never {
    throw new SyntaxFailure({
      message: "syntax error: unexpected end of file",
      line: this.source.lastLine,
      isIncomplete: true,
      ...(this.closers[0] === undefined ? {} : { closer: this.closers[0] }),
    });
  }

  failToken(token: string, position: number): never {
    throw new SyntaxFailure({
      message: `syntax error near unexpected token \`${token}'`,
      line: this.line(position),
      isIncomplete: false,
      lineText: this.source.lineTextAt(position),
    });
  }
}
