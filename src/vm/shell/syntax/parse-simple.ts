/** Assignments, words and redirections, or a function definition where `()` follows the first word. */
import type { Argument, Assignment, Command, Redirect, SimpleCommand, Word } from "./ast.ts";
import { expandAlias } from "./expand-alias.ts";
import { parseAssignment } from "./parse-assignment.ts";
import { parseFunctionBody } from "./parse-function.ts";
import { parseRedirect } from "./parse-redirect.ts";
import type { Parser } from "./parser.ts";
import { readWord } from "./read-word.ts";
import { failAt, failWithin, type Token } from "./tokens.ts";

/** Commands whose arguments may be assignments. */
const declaring = new Set([
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
  "alias",
  "eval",
  "let",
]);

export function parseSimple(parser: Parser): Command {
  const { scanner } = parser;
  const { start } = parser.peek();
  const assignments: Assignment[] = [];
  const words: Argument[] = [];
  const redirects: Redirect[] = [];
  let line = scanner.line(start);
  for (;;) {
    const token = parser.peek();
    if (token.kind === "redirect") {
      redirects.push(parseRedirect(parser, token));
      continue;
    }
    if (token.kind !== "word") break;
    if (expandAlias(scanner, token, words.length === 0)) continue;
    const isAssigning = words.length === 0 || isDeclaring(words);
    const assignment = isAssigning ? parseAssignment(parser, words.length === 0) : undefined;
    if (assignment !== undefined) {
      if (words.length === 0) assignments.push(assignment);
      else words.push(assignment);
      continue;
    }
    if (words.length === 0) line = scanner.line(token.start);
    const word = readWord(scanner);
    const isFirst = words.length + assignments.length + redirects.length === 0;
    if (isFirst && parser.peek().text === "(") return parseFunction(parser, word, start);
    words.push(word);
  }
  const next = parser.peek();
  if (next.kind === "operator" && next.text === "(") failAt(scanner, next);
  const command: SimpleCommand = { kind: "simple", line, assignments, words, redirects };
  return command;
}

/** Whether assignments may follow: the command is `declare` or its kin. */
function isDeclaring([first]: readonly Argument[]): boolean {
  return first?.kind === "word" && first.literal !== undefined && declaring.has(first.literal);
}

/** `name ()`: the scanner is before the parenthesis. */
function parseFunction(parser: Parser, name: Word, start: number): Command {
  const { scanner } = parser;
  parser.take(parser.peek());
  const close: Token = parser.peek();
  if (close.text !== ")") failWithin(scanner, close);
  parser.take(close);
  return parseFunctionBody(parser, name.text, start);
}
