/** What `${x#pattern}`, `${x/pattern/text}` and `${x^pattern}` do to a value. */
import type { SafeRegExp } from "../../programs/safe-regexp.ts";
import type { Shell } from "../state/shell.ts";
import { requireWordRoom } from "../state/word-limit.ts";
import { fromByteText, isByteLocale, isPlain, toByteText, toLower, toUpper } from "./characters.ts";
import {
  compilePattern,
  hasNegation,
  isPattern,
  makeRegExp,
  patternSource,
  unescapePattern,
} from "./pattern.ts";

export function removeMatch(
  shell: Shell,
  value: string,
  operator: "#" | "##" | "%" | "%%",
  pattern: string,
): string {
  if (!isPlain(value) && isByteLocale(shell))
    return fromByteText(removeText(shell, toByteText(value), operator, toByteText(pattern)));
  return removeText(shell, value, operator, pattern);
}

function removeText(
  shell: Shell,
  value: string,
  operator: "#" | "##" | "%" | "%%",
  pattern: string,
): string {
  const isExtended = shell.options.has("extglob");
  if (isExtended && hasNegation(pattern)) return removeByTrying(shell, value, operator, pattern);
  const key = `${operator}${isExtended ? "x" : ""}\0${pattern}`;
  const regExp = shell.remember(shell.patternCache, key, () =>
    removal(operator, pattern, isExtended),
  );
  if (operator === "%") return regExp.exec(value)?.groups[1] ?? value;
  const match = regExp.exec(value);
  if (match === null) return value;
  return operator === "%%"
    ? value.slice(0, match.index)
    : value.slice(match.groups[0]?.length ?? 0);
}

/** Where `!(…)` ends depends on where the match ends: each length is tried. */
function removeByTrying(
  shell: Shell,
  value: string,
  operator: "#" | "##" | "%" | "%%",
  pattern: string,
): string {
  const whole = wholeMatcher(shell, pattern);
  const isLongest = operator.length === 2;
  for (let step = 0; step <= value.length; step++) {
    const length = isLongest ? value.length - step : step;
    const isStart = operator.startsWith("#");
    const tried = isStart ? value.slice(0, length) : value.slice(value.length - length);
    if (whole.test(tried))
      return isStart ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

function wholeMatcher(shell: Shell, pattern: string): SafeRegExp {
  return shell.remember(shell.patternCache, `cx\0${pattern}`, () => compilePattern(pattern));
}

function removal(
  operator: "#" | "##" | "%" | "%%",
  pattern: string,
  isExtended: boolean,
): SafeRegExp {
  const source = patternSource(pattern, { isLazy: operator === "#", isExtended });
  switch (operator) {
    case "#":
    case "##":
      return makeRegExp(`^(?:${source})`);
    case "%":
      return makeRegExp(`^(.*)(?:${source})$`);
    case "%%":
      return makeRegExp(`(?:${source})$`);
  }
}

export interface Replacement {
  readonly operator: "/" | "//" | "/#" | "/%";
  readonly pattern: string;
  readonly replacement: ReplacementText;
}

/** The text, and the text with `\\` before each quoted `&` and `\\`. */
export interface ReplacementText {
  readonly text: string;
  readonly marked: string;
}

export async function replaceMatch(
  shell: Shell,
  value: string,
  replacement: Replacement,
): Promise<string> {
  if (isPlain(value) || !isByteLocale(shell)) return replaceText(shell, value, replacement);
  const { pattern, replacement: inserted } = replacement;
  const made = await replaceText(shell, toByteText(value), {
    ...replacement,
    pattern: toByteText(pattern),
    replacement: { text: toByteText(inserted.text), marked: toByteText(inserted.marked) },
  });
  return fromByteText(made);
}

async function replaceText(
  shell: Shell,
  value: string,
  { operator, pattern, replacement }: Replacement,
): Promise<string> {
  if (pattern === "" && operator !== "/#" && operator !== "/%") return value;
  if (countsWrong(pattern)) return value;
  const isMarked = shell.options.has("patsub_replacement") && replacement.text.includes("&");
  const insert = (match: string): string =>
    isMarked ? fillReplacement(replacement.marked, match) : replacement.text;
  const ignoreCase = shell.options.has("nocasematch");
  if (operator === "//" && !isPattern(pattern) && !ignoreCase) {
    const literal = unescapePattern(pattern);
    return replaceLiteral(shell, value, literal, insert(literal));
  }
  const isExtended = shell.options.has("extglob");
  const key = `${operator}${ignoreCase ? "i" : ""}${isExtended ? "x" : ""}\0${pattern}`;
  const regExp = shell.remember(shell.patternCache, key, () => {
    const source = patternSource(pattern, { isExtended });
    if (operator === "/#") return makeRegExp(`^(?:${source})`, ignoreCase);
    return makeRegExp(operator === "/%" ? `(?:${source})$` : source, ignoreCase);
  });
  return operator === "//" && value !== ""
    ? replaceAll(shell, value, regExp, insert)
    : replaceFirst(value, regExp, insert);
}

/** Bash counts `[^]…]` without a `*` one character too long and so never finds it. */
function countsWrong(pattern: string): boolean {
  return /(?<!\\)\[[!^]\]/.test(pattern) && !pattern.includes("*");
}

/** Characters between two yields. */
const WINDOW = 1 << 20;

/** Window by window; one ends behind a match, so that none is cut. */
async function replaceLiteral(
  shell: Shell,
  value: string,
  literal: string,
  inserted: string,
): Promise<string> {
  const done: string[] = [];
  let length = 0;
  for (let start = 0; start < value.length; ) {
    const end = windowEnd(value, literal, start);
    const made = value.slice(start, end).split(literal).join(inserted);
    length += made.length;
    requireWordRoom(length);
    done.push(made);
    start = end;
    if (start < value.length) await shell.sys.schedYield();
  }
  return done.join("");
}

/** Behind the first match that ends beyond the window, counted from the window's last whole match. */
function windowEnd(value: string, literal: string, start: number): number {
  const least = start + WINDOW;
  if (least >= value.length) return value.length;
  if (literal.length === 1) return least;
  let at = start;
  for (;;) {
    const found = value.indexOf(literal, at);
    if (found === -1) return value.length;
    at = found + literal.length;
    if (at >= least) return at;
  }
}

function replaceFirst(
  value: string,
  regExp: SafeRegExp,
  insert: (match: string) => string,
): string {
  const match = regExp.exec(value);
  if (match === null) return value;
  const found = match.groups[0] ?? "";
  return value.slice(0, match.index) + insert(found) + value.slice(match.index + found.length);
}

/** Pieces joined at once: a list of all would be larger than the value. */
const PARTS_AT_ONCE = 65_536;

/** Every match that is not empty, and an empty one only where nothing else is, as bash does it. */
async function replaceAll(
  shell: Shell,
  value: string,
  regExp: SafeRegExp,
  insert: (match: string) => string,
): Promise<string> {
  const done: string[] = [];
  let parts: string[] = [];
  let length = 0;
  let at = 0;
  while (at < value.length) {
    const match = regExp.exec(value, at);
    if (match === null) break;
    const found = match.groups[0] ?? "";
    const inserted = insert(found);
    parts.push(value.slice(at, match.index), inserted);
    length += match.index - at + inserted.length;
    requireWordRoom(length);
    if (parts.length >= PARTS_AT_ONCE) {
      done.push(parts.join(""));
      parts = [];
      await shell.sys.schedYield();
    }
    at = match.index + found.length;
    if (found === "") {
      const character = String.fromCodePoint(value.codePointAt(at) ?? 0);
      parts.push(character);
      at += character.length;
    }
  }
  return done.join("") + parts.join("") + value.slice(at);
}

function fillReplacement(marked: string, match: string): string {
  return marked.replace(/\\([\\&])|&/gu, (_, quoted: string | undefined) => quoted ?? match);
}

export type CaseOperator = "^" | "^^" | "," | ",," | "~" | "~~";

export function changeCase(
  shell: Shell,
  value: string,
  operator: CaseOperator,
  pattern: string | undefined,
): string {
  const matcher =
    pattern === undefined || pattern === "" ? undefined : wholeMatcher(shell, pattern);
  const change = (character: string): string => {
    if (matcher !== undefined && !matcher.test(character)) return character;
    if (operator.startsWith("~")) return toggleCase(character);
    return operator.startsWith("^") ? toUpper(shell, character) : toLower(shell, character);
  };
  const isAll = operator.length === 2;
  if (isAll && matcher === undefined && !operator.startsWith("~")) return change(value);
  if (isAll) return Array.from(value, change).join("");
  const [first = ""] = value.slice(0, 2);
  return change(first) + value.slice(first.length);
}

function toggleCase(character: string): string {
  const upper = character.toUpperCase();
  return upper === character ? character.toLowerCase() : upper;
}
