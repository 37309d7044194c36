/** Function definitions and `coproc`. */
import type { Command, Coprocess, FunctionDefinition } from "./ast.ts";
import { isCompoundStart, parseCompound } from "./parse-compound.ts";
import type { Parser } from "./parser.ts";
import { readWord } from "./read-word.ts";
import { failAt, failWithin, type Token } from "./tokens.ts";

/** `function name`, with or without `()`. */
export function parseFunctionKeyword(parser: Parser, token: Token): Command {
  const { scanner } = parser;
  parser.take(token);
  const first = parser.peek();
  if (first.kind !== "word") failWithin(scanner, first);
  const name = readWord(scanner).text;
  const open = parser.peek();
  if (
    open.text === "(" &&
    open.kind === "operator" &&
    /^\([ \t]*\)/.test(scanner.text.slice(open.start))
  ) {
    parser.take(open);
    parser.expect(")");
  }
  return parseFunctionBody(parser, name, token.start);
}

/** The compound command a function is; the scanner is behind its name and `()`. */
export function parseFunctionBody(parser: Parser, name: string, start: number): FunctionDefinition {
  const { scanner } = parser;
  const line = scanner.line(start);
  parser.skipNewlines();
  const token = parser.peekCommand();
  if (!isCompoundStart(token)) failAt(scanner, token);
  const body = parseCompound(parser, token);
  return { kind: "function", name, line, body, text: scanner.text.slice(start, scanner.at) };
}

/** `coproc command` or `coproc NAME compound-command`. */
export function parseCoprocess(parser: Parser, token: Token): Coprocess {
  const { scanner } = parser;
  const { start } = token;
  const line = scanner.line(start);
  parser.take(token);
  const finish = (name: string | undefined, body: Command): Coprocess => ({
    kind: "coprocess",
    name,
    body,
    line,
    text: scanner.text.slice(start, scanner.at),
  });
  const first = parser.peekCommand();
  if (isCompoundStart(first)) return finish(undefined, parseCompound(parser, first));
  if (first.kind !== "word" && first.kind !== "redirect") failWithin(scanner, first);
  const before = scanner.at;
  if (first.kind === "word" && first.text !== "") {
    parser.take(first);
    const second = parser.peekCommand();
    if (isCompoundStart(second)) return finish(first.text, parseCompound(parser, second));
    scanner.at = before;
  }
  return finish(undefined, parser.parseCommand());
}
