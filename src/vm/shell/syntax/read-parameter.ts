/** `${…}`. */

import { arithmeticText } from "./arithmetic-text.ts";
import type { ParameterOperation, ParameterPart, Word } from "./ast.ts";
import { makeWord } from "./make-word.ts";
import { readQuotedOperand } from "./read-quoted.ts";
import { readOperand } from "./read-word.ts";
import type { Scanner } from "./scanner.ts";
import { findClose } from "./skip-quoted.ts";

const CLOSE = 125;
const nameOrSpecial = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y;

/** The scanner is at the `$`; behind the `}` afterwards. What bash calls a bad substitution is an operation, too. */
export function readParameter(scanner: Scanner, isQuoted: boolean): ParameterPart {
  const start = scanner.at;
  scanner.at += 2;
  const head = readHead(scanner);
  let operation: ParameterOperation | undefined;
  if (head === undefined) operation = bad;
  else if (scanner.code() !== CLOSE) operation = readOperation(scanner, head, isQuoted);
  if (operation?.kind === "bad" || scanner.code() !== CLOSE) {
    operation = bad;
    scanner.at = start + 2;
    readOperand(scanner, [CLOSE], "}");
  }
  scanner.at += 1;
  const text = scanner.text.slice(start, scanner.at);
  const { name = "", prefix, index } = head ?? {};
  return { kind: "parameter", name, prefix, index, operation, text };
}

const removals = ["#", "##", "%", "%%"] as const;
const replacements = ["/", "//", "/#", "/%"] as const;
const cases = ["^", "^^", ",", ",,", "~", "~~"] as const;
const defaults = ["-", "=", "+", "?"] as const;

function pick<T extends string>(all: readonly T[], text: string): T | undefined {
  return all.find((one) => one === text);
}

const bad: ParameterOperation = { kind: "bad" };

interface Head {
  readonly name: string;
  readonly prefix: "!" | "#" | undefined;
  readonly index: Word | undefined;
}

/** Prefix, name and index; undefined where there is no name. */
function readHead(scanner: Scanner): Head | undefined {
  const start = scanner.at;
  const code = scanner.code();
  if (code === 35 || code === 33) {
    const prefix = code === 35 ? "#" : "!";
    scanner.at += 1;
    const name = readName(scanner);
    const index = name === undefined ? undefined : readIndex(scanner, name);
    if (name !== undefined && isPrefixed(scanner, prefix, name)) return { name, prefix, index };
    scanner.at = start;
  }
  const name = readName(scanner);
  return name === undefined
    ? undefined
    : { name, prefix: undefined, index: readIndex(scanner, name) };
}

/** `${#x}` is a length only where nothing follows; `${!x…}` is indirect for a name, and for a special one alone. */
function isPrefixed(scanner: Scanner, prefix: "!" | "#", name: string): boolean {
  const isAlone = scanner.code() === CLOSE;
  if (prefix === "#") return isAlone;
  return isAlone || /^[\w@*]/.test(name);
}

function readName(scanner: Scanner): string | undefined {
  nameOrSpecial.lastIndex = scanner.at;
  const name = nameOrSpecial.exec(scanner.text)?.[0];
  scanner.at += name?.length ?? 0;
  return name;
}

/** `[…]` behind a name. */
function readIndex(scanner: Scanner, name: string): Word | undefined {
  if (scanner.code() !== 91 || !/^[A-Za-z_]/.test(name)) return undefined;
  return readSubscript(scanner);
}

/** The index at a `[`, up to the bracket that closes it; the scanner is behind that afterwards. */
export function readSubscript(scanner: Scanner): Word {
  const start = scanner.at;
  const close = findClose(scanner, start + 1, "[]");
  if (close === undefined) scanner.failOpen("]", start);
  scanner.at = start + 1;
  const parts = [];
  const { source } = scanner;
  const { removed } = source;
  // Lines joined meanwhile bring the end nearer.
  const end = (): number => close - (source.removed - removed);
  while (scanner.at < end()) {
    parts.push(...readOperand(scanner, [93], "]").parts);
    if (scanner.at >= end()) break;
    parts.push({ kind: "literal", text: "]", isQuoted: false } as const);
    scanner.at += 1;
  }
  scanner.at = end() + 1;
  return makeWord(parts, scanner.text.slice(start + 1, end()));
}

function readOperation(scanner: Scanner, head: Head, isQuoted: boolean): ParameterOperation {
  const { text, at } = scanner;
  const [operator = ""] =
    /^(?::[-=+?]|[-=+?]|:|##?|%%?|\/[/#%]?|\^\^?|,,?|~~?|[@*])/.exec(text.slice(at, at + 2)) ?? [];
  scanner.at += operator.length;
  switch (operator.charAt(0)) {
    case ":":
      if (operator !== ":") return readDefault(scanner, operator, isQuoted);
      return scanner.code() === CLOSE ? bad : readSlice(scanner);
    case "-":
    case "=":
    case "+":
    case "?":
      return readDefault(scanner, operator, isQuoted);
    case "#":
    case "%": {
      const pattern = readOperand(scanner, [CLOSE], "}");
      return { kind: "remove", operator: pick(removals, operator) ?? "#", pattern };
    }
    case "/":
      return readReplacement(scanner, operator);
    case "^":
    case "~":
    case ",": {
      const pattern = scanner.code() === CLOSE ? undefined : readOperand(scanner, [CLOSE], "}");
      return { kind: "case", operator: pick(cases, operator) ?? "^", pattern };
    }
    case "@":
    case "*":
      return readTransform(scanner, head, operator);
    default:
      return bad;
  }
}

function readDefault(scanner: Scanner, written: string, isQuoted: boolean): ParameterOperation {
  const isColon = written.startsWith(":");
  const operator = pick(defaults, isColon ? written.slice(1) : written) ?? "-";
  const start = scanner.at;
  if (!isQuoted)
    return { kind: "default", operator, isColon, operand: readOperand(scanner, [CLOSE], "}") };
  const parts = readQuotedOperand(scanner);
  const operand = makeWord(parts, scanner.text.slice(start, scanner.at));
  return { kind: "default", operator, isColon, operand };
}

/** A `/` right behind the operator is part of the pattern: `${x////}`. */
function readReplacement(scanner: Scanner, operator: string): ParameterOperation {
  const start = scanner.at;
  const hasSlash = scanner.code() === 47 && operator === "//";
  if (hasSlash) scanner.at += 1;
  const rest = readOperand(scanner, [47, CLOSE], "}");
  const pattern = hasSlash
    ? makeWord(
        [{ kind: "literal", text: "/", isQuoted: false }, ...rest.parts],
        scanner.text.slice(start, scanner.at),
      )
    : rest;
  const isGiven = scanner.take("/");
  const replacement = isGiven ? readOperand(scanner, [CLOSE], "}") : makeWord([], "");
  return { kind: "replace", operator: pick(replacements, operator) ?? "/", pattern, replacement };
}

function readSlice(scanner: Scanner): ParameterOperation {
  const offset = readArithmetic(scanner, true);
  const length = scanner.take(":") ? readArithmetic(scanner, false) : undefined;
  return {
    kind: "slice",
    offset: arithmeticText(offset, scanner),
    length: length === undefined ? undefined : arithmeticText(length, scanner),
  };
}

/** Arithmetic up to the `}`, or to a `:` that belongs to no `?`. */
function readArithmetic(scanner: Scanner, stopsAtColon: boolean): string {
  const start = scanner.at;
  const ends = [63, 40, 41, CLOSE, ...(stopsAtColon ? [58] : [])];
  let depth = 0;
  for (;;) {
    readOperand(scanner, ends, "}");
    const code = scanner.code();
    if (code === CLOSE || (code === 58 && depth === 0))
      return scanner.text.slice(start, scanner.at);
    if (code === 63 || code === 40) depth += 1;
    else depth -= 1;
    scanner.at += 1;
  }
}

/** `${x@Q}`; `${!prefix@}` and `${!prefix*}` list names. */
function readTransform(scanner: Scanner, head: Head, operator: string): ParameterOperation {
  const isLast = scanner.code() === CLOSE;
  if (isLast && head.prefix === "!" && head.index === undefined)
    return { kind: "names", operator: operator === "*" ? "*" : "@" };
  if (operator === "*") return bad;
  if (isLast) return { kind: "transform", operator: "" };
  const letter = scanner.text.charAt(scanner.at);
  scanner.at += 1;
  return scanner.code() === CLOSE ? { kind: "transform", operator: letter } : bad;
}
