/** Where the hunks of a patch fit into a file's lines, and the lines that come of it. */
import type { Sys } from "../../../kernel/index.ts";
import { contextOf, type Hunk, newLines, oldLines } from "./hunk.ts";

export interface Placed {
  /** In the file as it was, from 1. */
  readonly where: number;
  readonly fuzz: number;
}

export interface MatchRules {
  readonly maxFuzz: number;
  /** Any white space matches any other (-l). */
  readonly ignoresSpace: boolean;
}

/** Lines compared between two yields. */
const YIELD_STEPS = 500_000;

/** One file being patched: hunks are placed and applied in order. */
export class HunkApplication {
  readonly #sys: Sys;
  readonly #rules: MatchRules;
  readonly #input: readonly string[];
  readonly #output: string[] = [];
  /** Lines of the input that are written already. */
  #frozen = 0;
  #steps = 0;
  /** How far the last hunk was from where it said. */
  inOffset = 0;
  /** How many lines more the output has. */
  outOffset = 0;

  constructor(sys: Sys, input: readonly string[], rules: MatchRules) {
    this.#sys = sys;
    this.#input = input;
    this.#rules = rules;
  }

  /** Undefined where it fits nowhere with this fuzz. */
  async locate(hunk: Hunk, fuzz: number): Promise<Placed | undefined> {
    const pattern = oldLines(hunk);
    const guess = hunk.oldStart + this.inOffset;
    if (pattern.length === 0) return { where: Math.min(guess, this.#input.length + 1), fuzz };
    const { prefix, suffix } = contextOf(hunk);
    const context = Math.max(prefix, suffix);
    const trims = { prefix: fuzz + prefix - context, suffix: fuzz + suffix - context };
    const where = await this.#search(pattern, { ...trims, guess, isAtStart: hunk.oldStart <= 1 });
    return where === undefined ? undefined : { where, fuzz };
  }

  async #search(pattern: readonly string[], search: Search): Promise<number | undefined> {
    const { guess, prefix, suffix, isAtStart } = search;
    const count = this.#input.length;
    const least = this.#frozen + 1;
    const most = count - (pattern.length - Math.max(0, suffix)) + 1;
    const fits = (where: number, left: number, right: number): boolean =>
      where >= 1 && this.#matches(pattern, where, left, right);
    if (prefix < 0 && isAtStart) {
      if (suffix < 0 && pattern.length !== count) return undefined;
      return this.#frozen === 0 && fits(1, 0, Math.max(0, suffix)) ? 1 : undefined;
    }
    const left = Math.max(0, prefix);
    if (suffix < 0) {
      const where = count - pattern.length + 1;
      return where >= least && fits(where, left, 0) ? where : undefined;
    }
    for (let offset = 0; guess + offset <= most || guess - offset >= least; offset++) {
      if (guess + offset <= most && guess + offset >= least && fits(guess + offset, left, suffix))
        return guess + offset;
      if (offset > 0 && guess - offset >= least && guess - offset <= most)
        if (fits(guess - offset, left, suffix)) return guess - offset;
      if ((this.#steps += 1) < YIELD_STEPS) continue;
      this.#steps = 0;
      await this.#sys.schedYield();
    }
    return undefined;
  }

  #matches(pattern: readonly string[], where: number, left: number, right: number): boolean {
    for (let at = left; at < pattern.length - right; at++) {
      const line = this.#input[where - 1 + at];
      this.#steps += 1;
      if (line === undefined || !this.#isSame(pattern[at] ?? "", line)) return false;
    }
    return true;
  }

  #isSame(a: string, b: string): boolean {
    if (a === b) return true;
    return this.#rules.ignoresSpace && squeeze(a) === squeeze(b);
  }

  /** Writes the hunk's lines where it was placed; lines it only knows by fuzz stay as they are. */
  apply(hunk: Hunk, { where }: Placed): void {
    this.inOffset = where - hunk.oldStart;
    this.#copyTo(where - 1);
    for (const { sign, text } of hunk.lines) {
      if (sign === "+") this.#output.push(text);
      else {
        const kept = this.#input[this.#frozen];
        if (sign === " " && kept !== undefined) this.#output.push(kept);
        this.#frozen += 1;
      }
    }
    this.outOffset += newLines(hunk).length - oldLines(hunk).length;
  }

  finish(): readonly string[] {
    this.#copyTo(this.#input.length);
    return this.#output;
  }

  #copyTo(end: number): void {
    for (; this.#frozen < end; this.#frozen++) this.#output.push(this.#input[this.#frozen] ?? "");
  }
}

interface Search {
  readonly guess: number;
  readonly prefix: number;
  readonly suffix: number;
  readonly isAtStart: boolean;
}

function squeeze(line: string): string {
  return line.trimEnd().replace(/[ \t]+/g, " ");
}
