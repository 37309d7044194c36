/**
 * Search in tools by words, best first: Okapi BM25 (k1 1.2, b 0.75) over names, descriptions and properties,
 * a word of the name counting for several. The same question gives the same answer.
 */
import type { ToolDescription, ToolkitDescription } from "./description.ts";
import { splitWords } from "./names.ts";
import { stem } from "./stem.ts";
import { synonymsOf } from "./synonyms.ts";

export interface ToolMatch {
  readonly toolkit: string;
  readonly tool: string;
  readonly description: string;
  readonly score: number;
}

const K1 = 1.2;
const B = 0.75;
const NAME_WEIGHT = 4;
const TOOLKIT_WEIGHT = 2;
/** What the toolkit says of itself holds for all of its tools a little. */
const ABOUT_WEIGHT = 0.5;
/** A word that means the same as the one asked for. */
const SYNONYM_WEIGHT = 0.4;
/** Matches with a smaller share of the best one's score have a word in common with the question, no more. */
const LEAST_SHARE = 0.35;
/** A word that only begins as the one asked for. */
const PREFIX_WEIGHT = 0.5;
const QUERY_CHARACTERS = 1000;
const QUERY_WORDS = 32;
const TEXT_CHARACTERS = 4096;
const PROPERTIES_LIMIT = 200;
const MATCHES_LIMIT = 200;

/** Words that say nothing. */
const NOISE: ReadonlySet<string> = new Set(
  "a an and are as at be by can do for from how i in into is it me my of on or that the this to tool tools want what which with".split(
    " ",
  ),
);

/** Without a word to look for: all tools, in the order of their names. */
export function rankTools(
  toolkits: readonly ToolkitDescription[],
  query: string,
  limit: number,
): readonly ToolMatch[] {
  const entries = toolkits.flatMap((toolkit) =>
    toolkit.tools.map((tool) => toEntry(toolkit, tool)),
  );
  const words = queryWords(query);
  const scored =
    words.length === 0 ? entries.map((entry) => ({ entry, score: 0 })) : score(entries, words);
  return scored
    .toSorted((a, b) => b.score - a.score || order(a.entry.id, b.entry.id))
    .slice(0, Math.min(Math.max(1, Math.floor(limit)), MATCHES_LIMIT))
    .map(({ entry: { toolkit, tool }, score: points }) => ({
      toolkit: toolkit.name,
      tool: tool.name,
      description: tool.description,
      score: Math.round(points * 1000) / 1000,
    }));
}

interface Entry {
  readonly id: string;
  readonly toolkit: ToolkitDescription;
  readonly tool: ToolDescription;
  /** How much each word counts in it. */
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

function toEntry(toolkit: ToolkitDescription, tool: ToolDescription): Entry {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of words(text.slice(0, TEXT_CHARACTERS))) {
      weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  };
  add(tool.name, NAME_WEIGHT);
  add(toolkit.name, TOOLKIT_WEIGHT);
  add(toolkit.description, ABOUT_WEIGHT);
  add(tool.description, 1);
  for (const text of propertyTexts(tool)) add(text, 1);
  const length = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { id: `${toolkit.name} ${tool.name}`, toolkit, tool, weights, length };
}

function propertyTexts({ input }: ToolDescription): string[] {
  const { properties } = input;
  if (typeof properties !== "object" || properties === null) return [];
  return Object.keys(properties).slice(0, PROPERTIES_LIMIT);
}

function score(
  entries: readonly Entry[],
  query: readonly string[],
): { entry: Entry; score: number }[] {
  const points = new Map<Entry, number>();
  for (const word of query) {
    for (const [entry, gain] of gains(entries, word))
      points.set(entry, (points.get(entry) ?? 0) + gain);
  }
  const best = [...points.values()].reduce((most, sum) => Math.max(most, sum), 0);
  return [...points]
    .filter(([, sum]) => sum >= best * LEAST_SHARE)
    .map(([entry, sum]) => ({ entry, score: sum }));
}

/** What a word of the question brings each entry: by itself or, for less, by one that means the same. */
function gains(entries: readonly Entry[], word: string): Map<Entry, number> {
  const best = new Map<Entry, number>();
  const take = (found: ReadonlyMap<Entry, number>, weight: number): void => {
    for (const [entry, gain] of found) {
      best.set(entry, Math.max(best.get(entry) ?? 0, gain * weight));
    }
  };
  take(
    gainsOf(entries, ({ weights }) => weights.get(word) ?? 0),
    1,
  );
  for (const other of synonymsOf(word)) {
    take(
      gainsOf(entries, ({ weights }) => weights.get(other) ?? 0),
      SYNONYM_WEIGHT,
    );
  }
  if (best.size === 0 && word.length >= 3) {
    take(
      gainsOf(entries, (entry) => prefixFrequency(entry, word)),
      PREFIX_WEIGHT,
    );
  }
  return best;
}

function prefixFrequency({ weights }: Entry, prefix: string): number {
  let sum = 0;
  for (const [word, weight] of weights) if (word.startsWith(prefix)) sum += weight;
  return sum;
}

function gainsOf(
  entries: readonly Entry[],
  frequencyIn: (entry: Entry) => number,
): Map<Entry, number> {
  const average =
    entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length);
  const found = new Map<Entry, number>();
  for (const entry of entries) {
    const frequency = frequencyIn(entry);
    if (frequency === 0) continue;
    const norm = K1 * (1 - B + (B * entry.length) / average);
    found.set(entry, (frequency * (K1 + 1)) / (frequency + norm));
  }
  const rarity = Math.log(1 + (entries.length - found.size + 0.5) / (found.size + 0.5));
  return new Map([...found].map(([entry, gain]) => [entry, gain * rarity]));
}

function words(text: string): string[] {
  return splitWords(text)
    .filter((word) => !NOISE.has(word))
    .map(stem);
}

function queryWords(query: string): string[] {
  return [...new Set(words(query.slice(0, QUERY_CHARACTERS)))].slice(0, QUERY_WORDS);
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
