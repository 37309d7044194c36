/** What becomes of names between archive and file system. */
import { encodeText } from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { UsageError } from "../options.ts";
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { TextRegExp } from "../regexp/text-regexp.ts";

export type NameChange = (name: string, kind: "member" | "link" | "hard") => string;

/** One or more `s/…/…/flags` of `--transform`. Fails with a UsageError. */
export function parseTransform(expression: string): NameChange {
  const changes: NameChange[] = [];
  let rest = expression;
  while (rest !== "") {
    const { change, tail } = parseOne(rest);
    changes.push(change);
    rest = tail.replace(/^[;\s]+/, "");
  }
  return (name, kind) => changes.reduce((current, change) => change(current, kind), name);
}

function parseOne(text: string): { readonly change: NameChange; readonly tail: string } {
  const invalid = (): UsageError => new UsageError("Invalid transform expression");
  const delimiter = text[1] ?? "";
  if (!text.startsWith("s") || delimiter === "" || delimiter === "\\") throw invalid();
  const parts: string[] = [];
  let at = 2;
  for (let part = 0; part < 2; part++) {
    let found = "";
    while (at < text.length && text[at] !== delimiter) {
      const isEscape = text[at] === "\\" && at + 1 < text.length;
      const next = text[at + 1] ?? "";
      found += isEscape ? (next === delimiter ? next : `\\${next}`) : (text[at] ?? "");
      at += isEscape ? 2 : 1;
    }
    if (at >= text.length) throw invalid();
    parts.push(found);
    at += 1;
  }
  const flags = /^[^;]*/.exec(text.slice(at))?.[0] ?? "";
  const [pattern = "", replacement = ""] = parts;
  if (!/^[gixrRsShH0-9]*$/.test(flags)) throw invalid();
  try {
    return { change: makeChange(pattern, replacement, flags), tail: text.slice(at + flags.length) };
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw new UsageError(`Invalid transform expression: ${error.message}`);
  }
}

function makeChange(pattern: string, replacement: string, flags: string): NameChange {
  const syntax = flags.includes("x") ? "extended" : "basic";
  const regExp = new TextRegExp(pattern, { syntax, ignoreCase: flags.includes("i") });
  const first = Number(/\d+/.exec(flags)?.[0] ?? 1);
  const isGlobal = flags.includes("g");
  const skips = { link: /S/.test(flags), hard: /H/.test(flags), member: /R/.test(flags) };
  return (name, kind) => {
    if (skips[kind]) return name;
    let made = "";
    let from = 0;
    for (let count = 1; from <= name.length; count++) {
      const match = regExp.exec(name, from);
      if (match === null) break;
      const found = match.groups[0] ?? "";
      const isReplaced = count === first || (isGlobal && count > first);
      made += name.slice(from, match.index);
      made += isReplaced ? fill(replacement, match.groups) : found;
      from = match.index + found.length;
      if (found === "") made += name.slice(from, (from += 1));
      if (isReplaced && !isGlobal) break;
    }
    return made + name.slice(from);
  };
}

function fill(replacement: string, groups: readonly (string | undefined)[]): string {
  return replacement.replace(/\\(.)|&/gs, (whole, escaped: string | undefined) => {
    if (whole === "&") return groups[0] ?? "";
    return escaped !== undefined && /\d/.test(escaped)
      ? (groups[Number(escaped)] ?? "")
      : (escaped ?? "");
  });
}

/** Removes leading parts; undefined where nothing is left. */
export function stripComponents(name: string, count: number): string | undefined {
  let rest = name.replace(/^\/+/, "");
  for (let left = count; left > 0; left--) {
    const slash = rest.indexOf("/");
    if (slash === -1) return undefined;
    rest = rest.slice(slash).replace(/^\/+/, "");
  }
  return rest === "" ? undefined : rest;
}

/** The part of a name that may not be stored: up to its last `..`, and slashes. */
export function unsafePrefix(name: string): string {
  const dots = /^(?:.*\/)?\.\.(?:\/+|$)/s.exec(name)?.[0] ?? "";
  const slashes = /^\/+/.exec(name.slice(dots.length))?.[0] ?? "";
  return `${dots}${slashes}`;
}

export interface PatternRules {
  readonly isAnchored: boolean;
  readonly hasWildcards: boolean;
  readonly ignoreCase: boolean;
}

/** Whether a name, or a directory it lies in, matches. */
export function makeNameTest(
  pattern: string,
  { isAnchored, hasWildcards, ignoreCase }: PatternRules,
): (name: string) => boolean {
  const bare = pattern.replace(/(.)\/+$/s, "$1");
  const matcher = hasWildcards ? compilePattern(bare, { ignoreCase }) : undefined;
  const isWhole = (name: string): boolean =>
    matcher === undefined ? name === bare : matcher.test(name);
  const isInside = (name: string): boolean => {
    if (isWhole(name)) return true;
    for (let slash = name.lastIndexOf("/"); slash > 0; slash = name.lastIndexOf("/", slash - 1))
      if (isWhole(name.slice(0, slash))) return true;
    return false;
  };
  return (given) => {
    const name = given.replace(/(.)\/+$/s, "$1");
    if (isInside(name)) return true;
    if (isAnchored) return false;
    for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1))
      if (isInside(name.slice(slash + 1))) return true;
    return false;
  };
}

const escapes = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [92, "\\\\"],
]);

/** A name as a listing shows it: odd bytes as escapes. */
export function showName(name: string): string {
  if (/^[ -[\]-~]*$/.test(name)) return name;
  let shown = "";
  for (const byte of encodeText(name)) {
    const isPlain = byte >= 32 && byte < 127;
    shown +=
      escapes.get(byte) ??
      (isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`);
  }
  return shown;
}
