/** Words: quotes, escapes and expansions up to the character that ends them. */
import type { QuotedPart, Word, WordPart } from "./ast.ts";
import { makeLiteral, makeWord } from "./make-word.ts";
import { readDoubleQuoted } from "./read-quoted.ts";
import { isMeta, type Scanner } from "./scanner.ts";

/** What the word is for: in a pattern of `[[` extended globs always count, a regular expression takes `(` and `|`. */
export type WordUse = "word" | "pattern" | "regexp";

const plainRun = /[\w./:@%+,=^-]+/y;

/** The word at the scanner's place. There is one: the character there does not end a word. */
export function readWord(scanner: Scanner, use: WordUse = "word"): Word {
  const { text, at: start } = scanner;
  plainRun.lastIndex = start;
  if (use !== "regexp" && plainRun.test(text) && isMeta(text.charCodeAt(plainRun.lastIndex))) {
    const { lastIndex } = plainRun;
    if (text.charCodeAt(lastIndex) !== 40 && !isProcessStart(text, lastIndex)) {
      scanner.at = lastIndex;
      return makeLiteral(text.slice(start, lastIndex));
    }
  }
  const isExtglob = use === "pattern" || scanner.options.isExtglob === true;
  const isEnd = use === "regexp" ? isRegExpEnd : isMeta;
  const parts = readParts(scanner, { isEnd, isExtglob, isRegExp: use === "regexp" });
  return makeWord(parts, scanner.text.slice(start, scanner.at));
}

/** The operand of `${…}`, an index, an array's element: up to one of `ends`, whose absence fails. */
export function readOperand(scanner: Scanner, ends: readonly number[], close: string): Word {
  const start = scanner.at;
  const parts = readParts(scanner, { isEnd: (code) => ends.includes(code), isExtglob: false });
  if (scanner.isAtEnd) scanner.failOpen(close, start);
  return makeWord(parts, scanner.text.slice(start, scanner.at));
}

function isRegExpEnd(code: number): boolean {
  return code !== 40 && code !== 124 && isMeta(code);
}

function isProcessStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 60 || code === 62) && text.charCodeAt(at + 1) === 40;
}

interface PartsUse {
  readonly isEnd: (code: number) => boolean;
  readonly isExtglob: boolean;
  readonly isRegExp?: boolean;
}

/** Unquoted parts up to an ending character or the end of the text. */
function readParts(scanner: Scanner, use: PartsUse): WordPart[] {
  const parts: WordPart[] = [];
  let start = scanner.at;
  const flush = (): void => {
    if (scanner.at > start) parts.push(unquoted(scanner.text.slice(start, scanner.at)));
  };
  while (!scanner.isAtEnd) {
    const code = scanner.code();
    const group = use.isRegExp === true ? (code === 40 ? 1 : 0) : groupLength(scanner, code, use);
    if (group > 0) {
      flush();
      parts.push(...readGroup(scanner, group, use));
      start = scanner.at;
      continue;
    }
    const isSpecial = isQuoting(code) || isProcessStart(scanner.text, scanner.at);
    if (!isSpecial && use.isEnd(code)) break;
    if (!isSpecial) {
      scanner.at += 1;
      continue;
    }
    const before = scanner.at;
    const found = readSpecial(scanner, code);
    if (found === undefined) {
      scanner.at = before + 1;
      continue;
    }
    const after = scanner.at;
    scanner.at = before;
    flush();
    scanner.at = after;
    parts.push(...found);
    start = after;
  }
  flush();
  return parts;
}

function isQuoting(code: number): boolean {
  return code === 92 || code === 39 || code === 34 || code === 96 || code === 36;
}

/** What a quoting character begins; undefined where it stands for itself. */
function readSpecial(scanner: Scanner, code: number): readonly WordPart[] | undefined {
  switch (code) {
    case 92:
      return readEscape(scanner);
    case 39:
      return [{ kind: "literal", text: readSingleQuoted(scanner), isQuoted: true }];
    case 34: {
      const quoted: QuotedPart = { kind: "quoted", parts: readDoubleQuoted(scanner) };
      return [quoted];
    }
    case 96:
      return [scanner.grammar.readBackquoted(scanner, false)];
    case 36: {
      const part = scanner.grammar.readDollar(scanner, false);
      return part && [part];
    }
    default:
      return [scanner.grammar.readProcess(scanner)];
  }
}

/** A backslash quotes the next character and joins lines. */
function readEscape(scanner: Scanner): readonly WordPart[] {
  const code = scanner.text.codePointAt(scanner.at + 1);
  if (code === undefined) {
    scanner.at += 1;
    return [{ kind: "literal", text: "\\", isQuoted: true }];
  }
  const character = String.fromCodePoint(code);
  scanner.at += 1 + character.length;
  return character === "\n" ? [] : [{ kind: "literal", text: character, isQuoted: true }];
}

function readSingleQuoted(scanner: Scanner): string {
  const { text, at } = scanner;
  const end = text.indexOf("'", at + 1);
  if (end === -1) scanner.failOpen("'", at);
  scanner.at = end + 1;
  return text.slice(at + 1, end);
}

/** How long the opening of an extended glob is: `@(`; 0 where there is none. */
function groupLength(scanner: Scanner, code: number, use: PartsUse): 0 | 2 {
  if (!use.isExtglob || scanner.code(1) !== 40) return 0;
  return code === 63 || code === 42 || code === 43 || code === 64 || code === 33 ? 2 : 0;
}

/** `@(…)`, or `(…)` in a regular expression: blanks and operators in it are text. */
function readGroup(scanner: Scanner, length: number, use: PartsUse): WordPart[] {
  return scanner.nested(() => {
    const start = scanner.at;
    scanner.at += length;
    const parts: WordPart[] = [unquoted(scanner.text.slice(start, scanner.at))];
    for (;;) {
      const isEnd = (code: number): boolean => code === 41 || code === 40;
      parts.push(...readParts(scanner, { ...use, isEnd }));
      if (scanner.isAtEnd) scanner.failOpen(")", start);
      if (scanner.code() === 41) break;
      parts.push(...readGroup(scanner, 1, use));
    }
    scanner.at += 1;
    parts.push(unquoted(")"));
    return parts;
  });
}

function unquoted(text: string): WordPart {
  return { kind: "literal", text, isQuoted: false };
}
