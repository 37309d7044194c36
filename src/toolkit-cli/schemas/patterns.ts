/** Regular expressions of schemas, some of which take time without end. */
import { TimeWall } from "./time-wall.ts";

/** What cheap expressions may cost: steps of the engine, but for a factor of `CHOICES_LIMIT`. */
const CHEAP_STEPS = 100_000;
/** Alternatives and optional parts multiply: a pattern with more is never cheap. */
const CHOICES_LIMIT = 8;

interface Pattern {
  /** undefined where JavaScript cannot read it: a pattern of another dialect restricts nothing. */
  readonly expression: RegExp | undefined;
  /** Time grows with this power of a text's length, or without bounds. */
  readonly power: number;
}

/** The patterns of one schema. */
export class Patterns {
  readonly #known = new Map<string, Pattern>();
  readonly #wall = new TimeWall();

  /** Whether the text matches, "late" where that is not known after `timeoutMs`. */
  test(source: string, text: string, timeoutMs: number): boolean | "late" {
    const { expression, power } = this.#get(source);
    if (expression === undefined) return true;
    if (text.length ** power <= CHEAP_STEPS) return expression.test(text);
    if (timeoutMs <= 0) return "late";
    return this.#wall.run(Math.ceil(timeoutMs), () => expression.test(text));
  }

  #get(source: string): Pattern {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const pattern = { expression: compile(source), power: powerOf(source) };
    this.#known.set(source, pattern);
    return pattern;
  }
}

function compile(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      continue;
    }
  }
  return undefined;
}

/**
 * How fast the time of a backtracking engine grows with the text: every open repetition tries each length, and
 * so does a search that is not anchored. Repeated groups and back references are without bounds.
 */
export function powerOf(source: string): number {
  if (/\\[1-9k]/.test(source)) return Number.POSITIVE_INFINITY;
  const bare = source.replace(/\\./gsu, "x").replace(/\[[^\]]*\]/g, "x");
  if (/\)[*+{]/.test(bare)) return Number.POSITIVE_INFINITY;
  const choices = bare.match(/\||[^(]\?/g) ?? [];
  if (choices.length > CHOICES_LIMIT) return Number.POSITIVE_INFINITY;
  const repetitions = bare.match(/[*+]|\{\d*,\d*\}/g) ?? [];
  const isAnchored = bare.startsWith("^") && !bare.includes("|");
  return Math.max(1, repetitions.length + (isAnchored ? 0 : 1));
}
