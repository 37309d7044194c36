/** What `$`, a backquote, `<(` and `>(` begin. */
import { decodeText, encodeText } from "../../../kernel/index.ts";
import { decodeEscapes } from "../../programs/escapes.ts";
import { arithmeticText } from "./arithmetic-text.ts";
import type { CommandPart, ProcessPart, Script, SubstitutionSource, WordPart } from "./ast.ts";
import { simpleParameter } from "./make-word.ts";
import { readParameter } from "./read-parameter.ts";
import { readDoubleQuoted } from "./read-quoted.ts";
import type { Scanner } from "./scanner.ts";
import { closesPair, findClose } from "./skip-quoted.ts";

/** An expansion up to the end of its name, or of its second parenthesis. */
const opening = /\$(?:\{[!#]?(?:\w+|[@*#?$!-])?|\(\(?|[A-Za-z_]\w*)?/y;
const parameterName = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;

/**
 * The expansion at a `$`, or undefined where the `$` stands for itself (the scanner's place is then
 * of no meaning). In double quotes `$'` and `$"` begin nothing; in an operand there they do.
 */
export function readDollar(scanner: Scanner, quoting: boolean | "operand"): WordPart | undefined {
  const { at } = scanner;
  if (scanner.source.hasJoinNear(at)) joinOpening(scanner);
  switch (scanner.code(1)) {
    case 123:
      return scanner.nested(() => readParameter(scanner, quoting !== false));
    case 40:
      return scanner.nested(() => readParenthesis(scanner));
    case 91:
      return readOldArithmetic(scanner);
    case 39:
      return quoting === true ? undefined : readAnsiQuoted(scanner);
    case 34:
      if (quoting !== false) return undefined;
      scanner.at += 1;
      return { kind: "quoted", parts: readDoubleQuoted(scanner) };
    default:
  }
  parameterName.lastIndex = at + 1;
  const name = parameterName.exec(scanner.text)?.[0];
  if (name === undefined) return undefined;
  scanner.at = at + 1 + name.length;
  return simpleParameter(name);
}

/** Joins lines within what begins an expansion. */
function joinOpening({ source, at }: Scanner): void {
  do opening.lastIndex = at;
  while (opening.test(source.text) && source.join(opening.lastIndex));
}

/** `$((…))` where the parentheses close as a pair, else `$(…)`. */
function readParenthesis(scanner: Scanner): WordPart {
  const { text, at } = scanner;
  if (scanner.code(2) === 40) {
    const close = findClose(scanner, at + 3, "()");
    if (close === undefined) scanner.failOpen(")", at);
    if (closesPair(scanner, close)) {
      scanner.at = close + 2;
      return { kind: "arithmetic", expression: arithmeticText(text.slice(at + 3, close), scanner) };
    }
  }
  scanner.at = at + 2;
  return readSubstitution(scanner);
}

function readOldArithmetic(scanner: Scanner): WordPart | undefined {
  const { text, at } = scanner;
  const close = findClose(scanner, at + 2, "[]");
  if (close === undefined) scanner.failOpen("]", at);
  scanner.at = close + 1;
  return { kind: "arithmetic", expression: arithmeticText(text.slice(at + 2, close), scanner) };
}

/** `$(…)`: the scanner is behind the parenthesis. */
function readSubstitution(scanner: Scanner): CommandPart {
  const start = scanner.at;
  const line = scanner.line();
  const script = scanner.grammar.readCommands(scanner);
  return {
    kind: "command",
    script,
    source: { text: scanner.text.slice(start, scanner.at - 1), line },
  };
}

/** `<(…)` or `>(…)`. */
export function readProcess(scanner: Scanner): ProcessPart {
  return scanner.nested(() => {
    const direction = scanner.code() === 60 ? "<" : ">";
    const start = scanner.at + 2;
    const line = scanner.line();
    scanner.at = start;
    const script = scanner.grammar.readCommands(scanner);
    const source = { text: scanner.text.slice(start, scanner.at - 1), line };
    return { kind: "process", direction, script, source };
  });
}

/** `` `…` ``: its own escapes go first; the commands in it are read when they are first asked for. */
export function readBackquoted(scanner: Scanner, isDoubleQuoted: boolean): CommandPart {
  const start = scanner.at;
  const { text } = scanner;
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 96) at += text.charCodeAt(at) === 92 ? 2 : 1;
  if (at >= text.length) scanner.failOpen("`", start);
  const line = scanner.line(start);
  const written = text.slice(start + 1, at);
  scanner.at = at + 1;
  const inside = written.replace(isDoubleQuoted ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1");
  return new BackquotedCommand({ text: inside, line, isBackquoted: true }, scanner);
}

class BackquotedCommand implements CommandPart {
  readonly kind = "command";
  readonly source: SubstitutionSource;
  readonly #scanner: Scanner;
  #script: Script | undefined;

  constructor(source: SubstitutionSource, scanner: Scanner) {
    this.source = source;
    this.#scanner = scanner;
  }

  get script(): Script {
    const { text, line } = this.source;
    const { grammar, options } = this.#scanner;
    this.#script ??= grammar.readText(text, line, options);
    return this.#script;
  }
}

/** `\x{…}`, which takes any number of digits, as `\xHH`. */
function withoutBraces(text: string): string {
  if (!text.includes("\\x{")) return text;
  return text.replace(/\\(?:x\{([0-9A-Fa-f]*)\}?|[^])/gu, (whole, digits?: string) => {
    if (digits === undefined) return whole;
    return `\\x${digits.slice(-2).padStart(2, "0")}`;
  });
}

/** `$'…'`: escapes are decoded, bytes joined to characters, and a NUL ends it. */
function readAnsiQuoted(scanner: Scanner): WordPart {
  const { text, at: start } = scanner;
  let at = start + 2;
  while (at < text.length && text.charCodeAt(at) !== 39) at += text.charCodeAt(at) === 92 ? 2 : 1;
  if (at >= text.length) scanner.failOpen("'", start);
  scanner.at = at + 1;
  const inside = withoutBraces(text.slice(start + 2, at));
  const decoded = decodeEscapes(inside, "ansi", scanner.options.isBytes === true).text;
  const end = decoded.indexOf("\0");
  const whole = decodeText(encodeText(end === -1 ? decoded : decoded.slice(0, end)));
  return { kind: "literal", text: whole, isQuoted: true };
}
