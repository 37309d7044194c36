/** `name=value`, `name[index]+=value`, `name=(…)`. */
import type { ArrayElement, ArrayLiteral, Assignment, Word } from "./ast.ts";
import { makeWord } from "./make-word.ts";
import type { Parser } from "./parser.ts";
import { readSubscript } from "./read-parameter.ts";
import { readWord } from "./read-word.ts";
import { isMeta, type Scanner } from "./scanner.ts";
import { findClose } from "./skip-quoted.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import { failAt } from "./tokens.ts";

const head = /([A-Za-z_]\w*)(?:(\+?)=|\[)/y;

/** The assignment here; undefined where the word is none. An index may hold blanks where a command begins. */
export function parseAssignment(parser: Parser, isCommand: boolean): Assignment | undefined {
  const { scanner } = parser;
  const { text, at: start } = scanner;
  head.lastIndex = start;
  const found = head.exec(text);
  if (found === null) return undefined;
  const [, name = "", append] = found;
  if (append !== undefined) {
    scanner.at = head.lastIndex;
    return finish(parser, { name, index: undefined, isAppend: append === "+", start });
  }
  const open = start + name.length;
  const close = findClose(scanner, open + 1, "[]");
  if (close === undefined) {
    if (isCommand) scanner.failOpen("]", start);
    return undefined;
  }
  if (
    !isCommand &&
    /[\s;&|<>]/.test(text.slice(open, close)) &&
    !/['"$]/.test(text.slice(open, close))
  )
    return undefined;
  const operator = /^\+?=/.exec(text.slice(close + 1, close + 3))?.[0];
  if (operator === undefined) return undefined;
  scanner.at = open;
  const index = readSubscript(scanner);
  scanner.at += operator.length;
  return finish(parser, { name, index, isAppend: operator === "+=", start });
}

interface Begun {
  readonly name: string;
  readonly index: Word | undefined;
  readonly isAppend: boolean;
  readonly start: number;
}

/** Reads the value behind the `=`. */
function finish(parser: Parser, { name, index, isAppend, start }: Begun): Assignment {
  const { scanner } = parser;
  const value = scanner.code() === 40 ? parseArray(parser) : readValue(scanner);
  const text = scanner.text.slice(start, scanner.at);
  return { kind: "assignment", name, index, isAppend, value, text };
}

function readValue(scanner: Scanner): Word {
  const isProcess = scanner.code(1) === 40 && (scanner.code() === 60 || scanner.code() === 62);
  return isMeta(scanner.code()) && !isProcess ? makeWord([], "") : readWord(scanner);
}

/** An array that cannot be read drops its line only. */
function parseArray(parser: Parser): ArrayLiteral {
  try {
    return parseElements(parser);
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    throw new SyntaxFailure({ ...error.problem, isLineOnly: true });
  }
}

function parseElements(parser: Parser): ArrayLiteral {
  const { scanner } = parser;
  const start = scanner.at;
  scanner.at += 1;
  const elements: ArrayElement[] = [];
  for (;;) {
    parser.skipNewlines();
    const token = parser.peek();
    if (token.kind === "end") scanner.failOpen(")", start);
    if (token.text === ")" && token.kind === "operator") break;
    if (token.kind === "redirect" && /^[\d{]/.test(token.text))
      failAt(scanner, { ...token, text: scanner.text.charAt(token.start + token.text.length) });
    if (token.kind !== "word") failAt(scanner, token);
    elements.push(parseElement(scanner));
  }
  scanner.at += 1;
  return { kind: "array", elements };
}

/** `value`, or `[index]=value`. */
function parseElement(scanner: Scanner): ArrayElement {
  const { text, at: start } = scanner;
  if (scanner.code() === 91) {
    const close = findClose(scanner, start + 1, "[]");
    const operator =
      close === undefined ? undefined : /^\+?=/.exec(text.slice(close + 1, close + 3))?.[0];
    if (operator !== undefined) {
      const index = readSubscript(scanner);
      scanner.at += operator.length;
      return { index, isAppend: operator === "+=", value: readValue(scanner) };
    }
  }
  return { index: undefined, isAppend: false, value: readWord(scanner) };
}
