/** `if`, loops, `case`, groups, subshells, and `(( ))`. */

import { arithmeticText } from "./arithmetic-text.ts";
import type { Body, CaseItem, Command, CompoundCommand, Redirect, Word } from "./ast.ts";
import { beginList, noteRead } from "./parse-progress.ts";
import { parseRedirect } from "./parse-redirect.ts";
import { parseTest } from "./parse-test.ts";
import type { Parser } from "./parser.ts";
import { readWord } from "./read-word.ts";
import { BRACE_WORD, type Scanner } from "./scanner.ts";
import { closesPair, findClose } from "./skip-quoted.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import { failAt, failWithin, type Token } from "./tokens.ts";

const starters = new Set(["if", "while", "until", "for", "select", "case", "{", "[["]);

/** What is certain to close a command once it has begun; a loop's body is needed to tell. */
const closing = new Map([
  ["{", BRACE_WORD],
  ["(", ")"],
  ["if", "fi"],
  ["case", "esac"],
]);

export function isCompoundStart(token: Token): boolean {
  return token.kind === "word"
    ? starters.has(token.text)
    : token.text === "(" && token.kind === "operator";
}

/** The compound command at the token, with its redirections. */
export function parseCompound(parser: Parser, token: Token): Command {
  return parser.scanner.nested(() => {
    const { closers } = parser.scanner;
    const { length } = closers;
    const closer = closing.get(token.text);
    if (closer !== undefined) closers.push(closer);
    const command = parseInner(parser, token);
    closers.length = length;
    return withRedirects(parser, command);
  });
}

function withRedirects(parser: Parser, command: CompoundCommand): Command {
  const redirects: Redirect[] = [];
  for (let next = parser.peek(); next.kind === "redirect"; next = parser.peek())
    redirects.push(parseRedirect(parser, next));
  return redirects.length === 0 ? command : { kind: "redirected", command, redirects };
}

function parseInner(parser: Parser, token: Token): CompoundCommand {
  const { scanner } = parser;
  const line = scanner.line(token.start);
  if (token.kind === "operator") return parseParenthesis(parser, token);
  parser.take(token);
  switch (token.text) {
    case "{": {
      const body = parser.parseBody();
      parser.expect("}");
      return { kind: "group", body };
    }
    case "if":
      return parseIf(parser);
    case "while":
    case "until": {
      const condition = parser.parseBody();
      return { kind: "loop", until: token.text === "until", condition, body: parseDo(parser) };
    }
    case "for":
    case "select":
      return parseFor(parser, token.text, line);
    case "case":
      return parseCase(parser, line);
    default:
      return { kind: "test", line, expression: parseTest(parser) };
  }
}

/** `(( … ))` where the parentheses close as a pair, else a subshell. */
function parseParenthesis(parser: Parser, token: Token): CompoundCommand {
  const { scanner } = parser;
  const line = scanner.line(token.start);
  if (scanner.code(1) === 40) {
    const expression = readArithmetic(scanner);
    if (expression !== undefined)
      return { kind: "arithmetic", line, expression: arithmeticText(expression, scanner) };
  }
  parser.take(token);
  const body = parser.parseBody();
  parser.expect(")");
  return { kind: "subshell", body, line };
}

/** What stands between `((` and `))`; undefined, and nothing read, where they are no pair. */
function readArithmetic(scanner: Scanner): string | undefined {
  const start = scanner.at;
  const close = findClose(scanner, start + 2, "()");
  if (close === undefined) scanner.failOpen(")", start);
  if (!closesPair(scanner, close)) return undefined;
  scanner.at = close + 2;
  return scanner.text.slice(start + 2, close);
}

function parseIf(parser: Parser): CompoundCommand {
  const branches: { condition: Body; body: Body }[] = [];
  for (;;) {
    const condition = parser.parseBody();
    parser.expect("then");
    branches.push({ condition, body: parser.parseBody() });
    const token = parser.peekCommand();
    if (token.text !== "elif" || token.kind !== "word") break;
    parser.take(token);
  }
  let otherwise: Body | undefined;
  const token = parser.peekCommand();
  if (token.kind === "word" && token.text === "else") {
    parser.take(token);
    otherwise = parser.parseBody();
  }
  parser.expect("fi");
  return { kind: "if", branches, otherwise };
}

function parseDo(parser: Parser): Body {
  parser.skipNewlines();
  parser.expect("do");
  parser.scanner.closers.push("done");
  const body = parser.parseBody();
  parser.expect("done");
  return body;
}

/** The body of a `for`: `do … done`, or braces. */
function parseForBody(parser: Parser): Body {
  parser.skipNewlines();
  const token = parser.peekCommand();
  if (token.kind !== "word" || token.text !== "{") return parseDo(parser);
  parser.take(token);
  parser.scanner.closers.push(BRACE_WORD);
  const body = parser.parseBody();
  parser.expect("}");
  return body;
}

function parseFor(parser: Parser, kind: "for" | "select", line: number): CompoundCommand {
  const { scanner } = parser;
  const first = parser.peek();
  if (kind === "for" && first.text === "(" && scanner.code(1) === 40)
    return parseArithmeticFor(parser, line);
  if (first.kind !== "word") failWithin(scanner, first);
  const name = readWord(scanner).text;
  const hasTerminator = parser.peek().text === ";";
  if (!hasTerminator) parser.skipNewlines();
  const token = parser.peek();
  let words: Word[] | undefined;
  if (token.kind === "word" && token.text === "in") {
    parser.take(token);
    words = parseWords(parser);
  } else if (token.text === ";" && token.kind === "operator") {
    parser.take(token);
  }
  return { kind, line, name, words, body: parseForBody(parser) };
}

/** Words up to `;` or a newline, which is stepped over. */
function parseWords(parser: Parser): Word[] {
  const words: Word[] = [];
  for (;;) {
    const token = parser.peek();
    if (token.kind === "word") {
      words.push(readWord(parser.scanner));
      continue;
    }
    if (token.kind !== "newline" && token.text !== ";") failAt(parser.scanner, token);
    parser.take(token);
    return words;
  }
}

function parseArithmeticFor(parser: Parser, line: number): CompoundCommand {
  const { scanner } = parser;
  const start = scanner.at;
  const text = readArithmetic(scanner);
  if (text === undefined) failAt(scanner, parser.peek());
  const parts = splitExpressions(text);
  const [initialize, test, update] = parts.map((part) =>
    part.trim() === "" ? undefined : arithmeticText(part, scanner),
  );
  if (parts.length !== 3) {
    throw new SyntaxFailure({
      message: `syntax error: \`${scanner.text.slice(start, scanner.at)}'`,
      detail: `syntax error: ${parts.length < 3 ? "arithmetic expression required" : "`;' unexpected"}`,
      line,
      isIncomplete: false,
    });
  }
  const separator = parser.peek();
  if (separator.text === ";") parser.take(separator);
  return { kind: "arithmetic-for", line, initialize, test, update, body: parseForBody(parser) };
}

/** At the semicolons outside quotes. */
function splitExpressions(text: string): string[] {
  return (text.match(/(?:[^;"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')*(?:;|$)/gs) ?? [])
    .slice(0, text.endsWith(";") ? undefined : -1)
    .map((part) => part.replace(/;$/, ""));
}

function parseCase(parser: Parser, line: number): CompoundCommand {
  const { scanner } = parser;
  const subject = parser.peek();
  if (subject.kind !== "word") failWithin(scanner, subject);
  const word = readWord(scanner);
  parser.skipNewlines();
  const inWord = parser.peek();
  if (inWord.text !== "in" || inWord.kind !== "word") failAt(scanner, inWord);
  parser.take(inWord);
  const list = beginList(parser, scanner.progress?.caseItems);
  for (;;) {
    parser.skipNewlines();
    noteRead(parser, list);
    const token = parser.peek();
    if (token.kind === "word" && token.text === "esac") {
      parser.take(token);
      return { kind: "case", line, word, items: list.items };
    }
    list.items.push(parseCaseItem(parser));
  }
}

function parseCaseItem(parser: Parser): CaseItem {
  const { scanner } = parser;
  const open = parser.peek();
  if (open.text === "(" && open.kind === "operator") parser.take(open);
  const patterns: Word[] = [];
  for (;;) {
    const token = parser.peek();
    if (token.kind === "redirect" && /^\d/.test(token.text)) failAt(scanner, token);
    if (token.kind !== "word") failAt(scanner, token);
    patterns.push(readWord(scanner));
    const separator = parser.peek();
    if (separator.kind !== "operator" || (separator.text !== "|" && separator.text !== ")"))
      failAt(scanner, separator);
    parser.take(separator);
    if (separator.text === ")") break;
  }
  const body = scanner.nested(() => parser.parseStatements());
  const end = parser.peekCommand();
  if (end.text === ";;" || end.text === ";&" || end.text === ";;&") {
    parser.take(end);
    return { patterns, body, end: end.text };
  }
  if (end.kind !== "word" || end.text !== "esac") failAt(scanner, end);
  return { patterns, body, end: ";;" };
}
