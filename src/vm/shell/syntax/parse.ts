/** Texts read: whole, a line of commands at a time, or as templates. */
import type { Script, Statement, WordPart } from "./ast.ts";
import type { ParseProgress } from "./parse-progress.ts";
import { Parser } from "./parser.ts";
import { readBackquoted, readDollar, readProcess } from "./read-expansion.ts";
import { readTemplate as readScanned } from "./read-quoted.ts";
import { type Grammar, Scanner, type SyntaxOptions } from "./scanner.ts";
import { SourceText } from "./source-text.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import { failAt, peekToken } from "./tokens.ts";

export type { SyntaxOptions } from "./scanner.ts";

const grammar: Grammar = { readDollar, readBackquoted, readProcess, readCommands, readText: parse };

/** Reads text as a here-document's body: expansions, no quotes. */
export function readTemplate(text: string, options: SyntaxOptions = {}): readonly WordPart[] {
  return readScanned(new Scanner(new SourceText(text), options, grammar));
}

/** Reads shell source. Never throws: `error` tells what is wrong, the statements before it can run. */
export function parse(source: string, firstLine = 1, options: SyntaxOptions = {}): Script {
  return readAll(new ScriptReader(source, firstLine, options));
}

/** Reads text that goes on where it ended when it was read before with the same `progress`. */
export function parseGrowing(
  source: string,
  options: SyntaxOptions,
  progress: ParseProgress,
): Script {
  return readAll(new ScriptReader(source, 1, options, progress));
}

function readAll(reader: ScriptReader): Script {
  const statements: Statement[] = [];
  let openHereDocument: Script["openHereDocument"];
  for (let unit = reader.next(); unit !== undefined; unit = reader.next()) {
    statements.push(...unit.statements);
    openHereDocument ??= unit.openHereDocument;
    if (unit.error !== undefined) return { statements, error: unit.error, openHereDocument };
  }
  return { statements, error: undefined, openHereDocument };
}

/** Reads a text as bash does: a line of commands at a time, each as the options are when it is read. */
export class ScriptReader {
  readonly #scanner: Scanner;
  readonly #parser: Parser;

  constructor(
    source: string,
    firstLine = 1,
    options: SyntaxOptions = {},
    progress?: ParseProgress,
  ) {
    this.#scanner = new Scanner(new SourceText(source, firstLine), options, grammar);
    this.#scanner.progress = progress;
    this.#parser = new Parser(this.#scanner);
  }

  /** How far it has read. */
  get position(): number {
    return this.#scanner.at + this.#scanner.source.removed;
  }

  /** Whether only blanks and comments are left. */
  get isAtEnd(): boolean {
    const before = this.#scanner.at;
    while (peekToken(this.#scanner).kind === "newline") this.#scanner.at += 1;
    const isAtEnd = peekToken(this.#scanner).kind === "end";
    this.#scanner.at = before;
    return isAtEnd;
  }

  #skipLine(): void {
    const end = this.#scanner.text.indexOf("\n", this.#scanner.at);
    this.#scanner.at = end === -1 ? this.#scanner.text.length : end + 1;
  }

  /** The next line of commands; undefined at the end. A line with an error is the last, unless it alone is dropped. */
  next(): Script | undefined {
    const scanner = this.#scanner;
    scanner.openHereDocument = undefined;
    scanner.closers.length = 0;
    scanner.source.settle(scanner.at);
    try {
      const statements = this.#parser.parseLine();
      this.#parser.documents.finish();
      if (statements === undefined) return undefined;
      return { statements, error: undefined, openHereDocument: scanner.openHereDocument };
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error;
      const { openHereDocument } = scanner;
      if (error.problem.isLineOnly === true) this.#skipLine();
      return { statements: [], error: error.problem, openHereDocument };
    }
  }
}

/** The commands of `$(…)` or `<(…)`; the scanner is behind the closing parenthesis afterwards. */
function readCommands(scanner: Scanner): Script {
  const parser = new Parser(scanner);
  scanner.substitutionDepth += 1;
  try {
    const statements = parser.parseStatements();
    parser.documents.finish();
    const token = parser.peek();
    if (token.kind === "end") scanner.failOpen(")");
    if (token.text !== ")") failAt(scanner, token);
    parser.take(token);
    return { statements, error: undefined };
  } finally {
    scanner.substitutionDepth -= 1;
  }
}
