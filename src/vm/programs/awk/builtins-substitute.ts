/** `sub`, `gsub` and `gensub`. */
import { type BuiltinCompiler } from "./builtin.ts";
import { type Code, lift, numberCode, type Ready, textCode, valueCode } from "./code.ts";
import { bounded, compilePattern } from "./compile-operators.ts";
import { compilePlace, type PlaceCode, targetOperands } from "./compile-place.ts";
import type { Compiler } from "./compiler.ts";
import type { FoundGroups } from "./longest-match.ts";
import type { Pattern } from "./patterns.ts";
import type { Expr } from "./syntax.ts";

/** A replacement: texts, and numbers for the groups they stand between. */
type Template = readonly (string | number)[];

/** `&` is what matched, `\&` a `&`, `\\&` a backslash and what matched. */
function readTemplate(text: string, hasGroups: boolean): Template {
  if (!/[\\&]/.test(text)) return [text];
  const parts: (string | number)[] = [];
  let literal = "";
  const put = (group: number): void => {
    parts.push(literal, group);
    literal = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    const next = text[at + 1];
    if (character === "&") {
      put(0);
    } else if (character !== "\\") {
      literal += character;
    } else if (next === "&") {
      literal += "&";
      at += 1;
    } else if (next === "\\" && (hasGroups || text[at + 2] === "&")) {
      literal += "\\";
      at += 1;
    } else if (hasGroups && next !== undefined && /\d/.test(next)) {
      put(Number(next));
      at += 1;
    } else {
      literal += "\\";
    }
  }
  parts.push(literal);
  return parts;
}

function expand(
  template: Template,
  text: string,
  found: { index: number; length: number },
): string {
  const [only] = template;
  if (template.length === 1 && typeof only === "string") return only;
  let made = "";
  for (const part of template) {
    if (typeof part === "string") made += part;
    else if (part === 0) made += text.slice(found.index, found.index + found.length);
    else made += groupText(found, part);
  }
  return made;
}

function groupText(found: { index: number; length: number }, group: number): string {
  const groups: FoundGroups["groups"] = "groups" in found ? toGroups(found) : [];
  return groups[group]?.text ?? "";
}

function toGroups(found: object): FoundGroups["groups"] {
  return isFoundGroups(found) ? found.groups : [];
}

function isFoundGroups(found: object): found is FoundGroups {
  return "groups" in found;
}

export interface Replaced {
  readonly text: string;
  readonly count: number;
}

/** Replaces each match, or only the one of a number. */
function replace(
  text: string,
  pattern: Pattern,
  template: Template,
  which: number | "all",
): Replaced {
  const hasGroups = template.some((part) => typeof part === "number" && part > 0);
  const find = (from: number): FoundGroups | { index: number; length: number } | undefined =>
    hasGroups ? pattern.findGroups(text, from) : pattern.find(text, from);
  let made = "";
  let done = 0;
  let count = 0;
  let seen = 0;
  let from = 0;
  let lastEnd = -1;
  // The same text again gives the same, unless groups are asked for.
  let lastMatched: string | undefined;
  let expansion = "";
  while (from <= text.length) {
    const found = find(from);
    if (found === undefined) break;
    const end = found.index + found.length;
    // Nothing matches right behind a match.
    if (found.length === 0 && found.index === lastEnd) {
      from = end + 1;
      continue;
    }
    seen += 1;
    if (which === "all" || seen === which) {
      const matched = text.slice(found.index, end);
      if (hasGroups || matched !== lastMatched) expansion = expand(template, text, found);
      lastMatched = matched;
      made = bounded(made + text.slice(done, found.index) + expansion);
      done = end;
      count += 1;
      if (which !== "all") break;
    }
    lastEnd = end;
    from = found.length === 0 ? end + 1 : end;
  }
  return count === 0 ? { text, count } : { text: bounded(made + text.slice(done)), count };
}

function compileSubstitution(isGlobal: boolean): BuiltinCompiler {
  return (compiler, node) => {
    const { rt } = compiler;
    const [wanted, replacement, where = wholeRecord] = node.args;
    if (wanted === undefined || replacement === undefined) return valueCode(rt, () => undefined);
    const { code, pattern } = compilePattern(compiler, wanted);
    const target = compiler.isTarget(where) ? where : undefined;
    const operands: Code[] = [
      compiler.expr(replacement),
      ...(target === undefined ? [compiler.expr(where)] : targetOperands(compiler, target)),
      ...(code === undefined ? [] : [code]),
    ];
    return lift(rt, operands, (ready) => {
      const right = code === undefined ? undefined : ready.at(-1);
      const places = ready.slice(1, code === undefined ? undefined : -1);
      const place: PlaceCode =
        target === undefined ? constantPlace(places[0]) : compilePlace(compiler, target, places);
      return substitutionCode(compiler, { isGlobal, replacement: ready[0], place }, () =>
        pattern(right),
      );
    });
  };
}

const wholeRecord: Expr = { kind: "field", index: { kind: "number", value: 0 } };

/** A third argument that is no variable is searched and thrown away. */
function constantPlace(code: Ready | undefined): PlaceCode {
  return { load: () => code?.value(), store: () => undefined, update: () => 0 };
}

function substitutionCode(
  { rt }: Compiler,
  parts: { isGlobal: boolean; replacement: Ready | undefined; place: PlaceCode },
  pattern: () => Pattern,
): Ready {
  const { isGlobal, replacement, place } = parts;
  let source: string | undefined;
  let template: Template = [];
  return numberCode(rt, () => {
    const wanted = pattern();
    const now = replacement?.text() ?? "";
    if (now !== source) {
      source = now;
      template = readTemplate(now, false);
    }
    const { text, count } = replace(rt.text(place.load()), wanted, template, isGlobal ? "all" : 1);
    if (count > 0) place.store(text);
    return count;
  });
}

const gensub: BuiltinCompiler = (compiler, node) => {
  const { rt } = compiler;
  const [wanted, replacement, how, where = wholeRecord] = node.args;
  if (wanted === undefined || replacement === undefined || how === undefined)
    return valueCode(rt, () => undefined);
  const { code, pattern } = compilePattern(compiler, wanted);
  const operands: Code[] = [
    compiler.expr(replacement),
    compiler.expr(how),
    compiler.expr(where),
    ...(code === undefined ? [] : [code]),
  ];
  return lift(rt, operands, ([right, which, text, source]) =>
    textCode(() => {
      const template = readTemplate(right?.text() ?? "", true);
      const found = pattern(source);
      return replace(text?.text() ?? "", found, template, toWhich(which)).text;
    }),
  );
};

/** A text that starts with `g` is all of them; a number below 1 the first. */
function toWhich(which: Ready | undefined): number | "all" {
  const text = which?.text() ?? "";
  if (/^[gG]/.test(text)) return "all";
  return Math.max(1, Math.trunc(which?.number() ?? 1));
}

export const substituteBuiltins: readonly (readonly [string, BuiltinCompiler])[] = [
  ["sub", compileSubstitution(false)],
  ["gsub", compileSubstitution(true)],
  ["gensub", gensub],
];
