/** What `${x#pattern}`, `${x/pattern/text}` and `${x^pattern}` do to a value. */
import type { SafeRegExp } from "../../programs/safe-regexp.ts";
import type { Shell } from "../state/shell.ts";
import { requireWordRoom } from "../state/word-limit.ts";
import {
  compilePattern,
  escapeRegExp,
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
  const regExp = shell.remember(shell.patternCache, `${operator}\0${pattern}`, () =>
    removal(operator, pattern),
  );
  if (operator === "%") return regExp.exec(value)?.groups[1] ?? value;
  const match = regExp.exec(value);
  if (match === null) return value;
  return operator === "%%"
    ? value.slice(0, match.index)
    : value.slice(match.groups[0]?.length ?? 0);
}

function removal(operator: "#" | "##" | "%" | "%%", pattern: string): SafeRegExp {
  switch (operator) {
    case "#":
      return makeRegExp(`^(?:${patternSource(pattern, { isLazy: true })})`);
    case "##":
      return makeRegExp(`^(?:${patternSource(pattern)})`);
    case "%":
      return makeRegExp(`^(.*)(?:${patternSource(pattern)})$`);
    case "%%":
      return makeRegExp(`(?:${patternSource(pattern)})$`);
  }
}

export interface Replacement {
  readonly operator: "/" | "//" | "/#" | "/%";
  readonly pattern: string;
  /** A pattern-escaped text: an unquoted `&` stands for what matched. */
  readonly replacement: string;
}

export function replaceMatch(
  shell: Shell,
  value: string,
  { operator, pattern, replacement }: Replacement,
): string {
  if (pattern === "" && operator !== "/#" && operator !== "/%") return value;
  const isMarked = shell.options.has("patsub_replacement");
  const insert = (match: string): string => fillReplacement(replacement, match, isMarked);
  if (operator === "//" && !isPattern(pattern)) {
    const literal = unescapePattern(pattern);
    return replaceLiteral(value, literal, insert(literal));
  }
  const regExp = shell.remember(shell.patternCache, `${operator}\0${pattern}`, () => {
    const source = patternSource(pattern);
    if (operator === "/#") return makeRegExp(`^(?:${source})`);
    return makeRegExp(operator === "/%" ? `(?:${source})$` : source);
  });
  return operator === "//"
    ? replaceAll(value, regExp, insert)
    : replaceFirst(value, regExp, insert);
}

function replaceLiteral(value: string, literal: string, inserted: string): string {
  let count = 0;
  for (let at = value.indexOf(literal); at !== -1; at = value.indexOf(literal, at + literal.length))
    count += 1;
  requireWordRoom(value.length + count * (inserted.length - literal.length));
  // A RegExp of plain text makes the result at once; replaceAll would make a rope of every match.
  return value.replace(new RegExp(escapeRegExp(literal), "g"), inserted.replaceAll("$", "$$$$"));
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
function replaceAll(value: string, regExp: SafeRegExp, insert: (match: string) => string): string {
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

function fillReplacement(replacement: string, match: string, isMarked: boolean): string {
  return replacement.replace(/\\([^])|&/gu, (whole, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted;
    return isMarked ? match : whole;
  });
}

export function changeCase(
  shell: Shell,
  value: string,
  operator: "^" | "^^" | "," | ",,",
  pattern: string | undefined,
): string {
  const matcher =
    pattern === undefined || pattern === ""
      ? undefined
      : shell.remember(shell.patternCache, `c${pattern}`, () => compilePattern(pattern));
  const change = (character: string): string => {
    if (matcher !== undefined && !matcher.test(character)) return character;
    return operator.startsWith("^") ? character.toUpperCase() : character.toLowerCase();
  };
  if (operator.length === 2 && matcher === undefined) return change(value);
  if (operator.length === 2) return Array.from(value, change).join("");
  const [first = ""] = value.slice(0, 2);
  return change(first) + value.slice(first.length);
}
