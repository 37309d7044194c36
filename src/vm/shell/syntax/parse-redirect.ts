/** Redirections, and the here-documents that follow the line they are named on. */
import type { HereDocument, Redirect, RedirectOperator, Word, WordPart } from "./ast.ts";
import { makeWord } from "./make-word.ts";
import type { Parser } from "./parser.ts";
import { readTemplate } from "./read-quoted.ts";
import { readWord } from "./read-word.ts";
import type { Scanner } from "./scanner.ts";
import { failWithin, peekToken, type Token } from "./tokens.ts";

export function parseRedirect(parser: Parser, first: Token): Redirect {
  const { scanner } = parser;
  let token = first;
  let fd: number | string | undefined;
  if (/^[\d{]/.test(token.text)) {
    fd = token.text.startsWith("{") ? token.text.slice(1, -1) : Number(token.text);
    parser.take(token);
    token = peekToken(scanner);
  }
  parser.take(token);
  const target = parser.peek();
  if (target.kind !== "word")
    failWithin(scanner, isFdToken(target) ? operatorBehind(scanner, target) : target);
  const word = readWord(scanner);
  switch (token.text) {
    case "<<":
    case "<<-":
      return parser.documents.add({
        fd,
        word,
        stripsTabs: token.text === "<<-",
        start: token.start,
      });
    case "<<<":
      return { kind: "here", fd, body: word, isString: true };
    default:
      return { kind: "file", operator: findOperator(token.text), fd, target: word };
  }
}

const fileOperators: readonly RedirectOperator[] = [
  ">",
  ">>",
  "<",
  "<>",
  "<&",
  ">&",
  ">|",
  "&>",
  "&>>",
];

function findOperator(text: string): RedirectOperator {
  return fileOperators.find((one) => one === text) ?? ">";
}

function isFdToken(token: Token): boolean {
  return token.kind === "redirect" && /^[\d{]/.test(token.text);
}

/** The number before `<` is a word here, and what follows is in the way. */
function operatorBehind(scanner: Scanner, token: Token): Token {
  scanner.at = token.start + token.text.length;
  return peekToken(scanner);
}

interface Named {
  readonly fd: number | string | undefined;
  readonly word: Word;
  readonly stripsTabs: boolean;
  readonly start: number;
}

/** A here-document whose body comes with the next newline. */
class PendingDocument {
  readonly kind = "here";
  readonly isString = false;
  readonly fd: number | string | undefined;
  readonly named: Named;
  body: Word = makeWord([], "");
  text = "";

  constructor(named: Named) {
    this.named = named;
    this.fd = named.fd;
  }

  get document(): HereDocument {
    const { word, stripsTabs } = this.named;
    return { delimiter: word.text, stripsTabs, text: this.text };
  }
}

export class PendingDocuments {
  readonly #scanner: Scanner;
  #pending: PendingDocument[] = [];

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  add(named: Named): Redirect {
    const document = new PendingDocument(named);
    this.#pending.push(document);
    return document;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Reads the bodies; the scanner is behind the newline. */
  read(): void {
    for (const document of this.#pending.splice(0)) this.#readBody(document);
  }

  /** What is named and never followed by a line has an empty body. */
  finish(): void {
    for (const document of this.#pending.splice(0))
      this.#noteOpen(document, delimiterOf(document.named.word));
  }

  #readBody(document: PendingDocument): void {
    const scanner = this.#scanner;
    const { word, stripsTabs } = document.named;
    const delimiter = delimiterOf(word);
    const isQuoted = /['"\\]/.test(word.text);
    const firstLine = scanner.line();
    let body = "";
    for (;;) {
      if (scanner.isAtEnd) {
        this.#noteOpen(document, delimiter);
        if (/[^\n]$/.test(body)) body += "\n";
        break;
      }
      const line = this.#readLine(!isQuoted, stripsTabs);
      if (withoutJoins(line, isQuoted) === delimiter) break;
      if (scanner.substitutionDepth > 0 && line.startsWith(`${delimiter})`)) {
        scanner.at -= line.length - delimiter.length;
        this.#noteOpen(document, delimiter);
        break;
      }
      body += line;
    }
    document.text = body;
    const literal: WordPart = { kind: "literal", text: body, isQuoted: true };
    const parts = isQuoted ? [literal] : readTemplate(scanner.over(body, firstLine));
    document.body = makeWord(parts, "");
  }

  /** A line with its newline; where backslashes count, with those it is joined to. */
  #readLine(joins: boolean, stripsTabs: boolean): string {
    const scanner = this.#scanner;
    let line = "";
    do {
      const { text, at } = scanner;
      const end = text.indexOf("\n", at);
      scanner.at = end === -1 ? text.length : end + 1;
      const piece = text.slice(at, scanner.at);
      line += stripsTabs && line === "" ? piece.replace(/^\t+/, "") : piece;
    } while (joins && /(?:^|[^\\])(?:\\\\)*\\\n$/.test(line) && !scanner.isAtEnd);
    return line;
  }

  #noteOpen({ named }: PendingDocument, delimiter: string): void {
    const { source } = this.#scanner;
    const endLine = Math.max(1, source.lastLine - 1);
    this.#scanner.openHereDocument ??= { delimiter, line: source.lineAt(named.start), endLine };
  }
}

/** A line as it is compared with the delimiter. */
function withoutJoins(line: string, isQuoted: boolean): string {
  const whole = line.endsWith("\n") ? line.slice(0, -1) : line;
  if (isQuoted || !whole.includes("\\\n")) return whole;
  return whole.replace(/\\([^])/gu, (pair, next) => (next === "\n" ? "" : pair));
}

/** The delimiter with its quotes removed. */
function delimiterOf(word: Word): string {
  return word.parts.map(plainPart).join("");
}

function plainPart(part: WordPart): string {
  if (part.kind === "literal") return part.text;
  if (part.kind === "quoted") return part.parts.map(plainPart).join("");
  if (part.kind === "parameter") return part.text;
  return "";
}
