/** One line of .npmignore, .gitignore or package.json's `files`. */

import { compilePattern } from "../../shell/expansion/pattern.ts";
import type { SafeRegExp } from "../safe-regexp.ts";

/** Rules of one file beyond this are not read. */
const RULE_LIMIT = 2000;
const ALTERNATIVE_LIMIT = 100;
/** Segments compared for one path: patterns with many `**` stay cheap. */
const STEP_LIMIT = 20_000;

type Part = "**" | SafeRegExp | "";

export class IgnoreRule {
  /** What it matches is taken in again. */
  readonly isNegated: boolean;
  /** It is about a name alone, or a name with a slash behind it. */
  readonly isRelative: boolean;
  readonly #alternatives: readonly (readonly Part[])[];
  #steps = 0;

  constructor(text: string) {
    const negations = /^!*/.exec(text)?.[0].length ?? 0;
    this.isNegated = negations % 2 === 1;
    const patterns = expandBraces(text.slice(negations)).map((one) => one.split("/"));
    this.isRelative = patterns.some((parts) => parts.length <= (parts.at(-1) === "" ? 2 : 1));
    this.#alternatives = patterns.map((parts) => parts.map(compilePart));
  }

  /** `isPartial`: whether the path may be a folder above what it matches. */
  matches(path: string, isPartial = false): boolean {
    const segments = path.split("/");
    const base = [segments.findLast((one) => one !== "") ?? ""];
    this.#steps = 0;
    return this.#alternatives.some((parts) =>
      this.#match(parts.length === 1 ? base : segments, parts, isPartial),
    );
  }

  #match(segments: readonly string[], parts: readonly Part[], isPartial: boolean): boolean {
    this.#steps += 1;
    if (this.#steps > STEP_LIMIT) return false;
    const [part, ...others] = parts;
    const [segment, ...rest] = segments;
    if (part === undefined) return segment === undefined;
    if (segment === undefined) return isPartial;
    if (part === "**") {
      if (others.length === 0) return true;
      return this.#match(segments, others, isPartial) || this.#match(rest, parts, isPartial);
    }
    const isSame = part === "" ? segment === "" : segment !== "" && part.test(segment);
    return isSame && this.#match(rest, others, isPartial);
  }
}

function compilePart(text: string): Part {
  return text === "" || text === "**" ? text : compilePattern(text, { ignoreCase: true });
}

/** `a{b,c}` as `ab` and `ac`, inner ones, too. */
function expandBraces(text: string): string[] {
  const done: string[] = [];
  const open = [text];
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    const match = /^([^{}]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one);
    if (match === null || done.length + open.length > ALTERNATIVE_LIMIT) done.push(one);
    else
      for (const choice of (match[2] ?? "").split(","))
        open.push(`${match[1]}${choice}${match[3]}`);
  }
  return done;
}

export function parseRules(lines: readonly string[]): IgnoreRule[] {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, RULE_LIMIT)
    .map((line) => new IgnoreRule(line));
}
