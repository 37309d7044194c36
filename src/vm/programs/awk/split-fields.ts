/** Ways to cut a record into fields. */
import { AwkFatalError } from "./awk-error.ts";
import type { Pattern, Patterns } from "./patterns.ts";

/** The pieces of a text, and what stood between them (and, for blanks, before and behind). */
export interface Pieces {
  readonly fields: readonly string[];
  /** One less than the fields; for blanks one more: what is before the first is `[0]`. */
  readonly separators: readonly string[];
}

export type Splitter =
  | { readonly kind: "blank" }
  | { readonly kind: "character"; readonly separator: string }
  | { readonly kind: "all"; readonly split: (text: string) => Pieces };

export interface SplitOptions {
  readonly patterns: Patterns;
  /** Newlines separate fields, too: RS is empty. */
  readonly isParagraph: boolean;
}

/** The splitter FS asks for. */
export function splitterOf(fs: string, { patterns, isParagraph }: SplitOptions): Splitter {
  if (fs === " ") return { kind: "blank" };
  if (fs === "") return { kind: "all", split: splitCharacters };
  const isPlain = fs.length === 1 && fs !== "\\" && !(patterns.ignoreCase && /[a-z]/i.test(fs));
  if (isPlain && !isParagraph) return { kind: "character", separator: fs };
  const source = fs.length === 1 ? literalSource(fs) : fs;
  const pattern = patterns.get(isParagraph ? `(${source})|\n` : source);
  return { kind: "all", split: (text) => splitByPattern(text, pattern) };
}

function literalSource(character: string): string {
  return character === "\\" || character === "^" ? `\\${character}` : `[${character}]`;
}

export function splitCharacters(text: string): Pieces {
  const fields = [...text];
  return { fields, separators: fields.slice(1).map(() => "") };
}

/** Runs of blanks separate; those at either end are no fields. */
export function splitBlanks(text: string): Pieces {
  const fields: string[] = [];
  const separators: string[] = [];
  let at = 0;
  for (;;) {
    const start = skip(text, at, true);
    separators.push(text.slice(at, start));
    if (start === text.length) break;
    at = skip(text, start, false);
    fields.push(text.slice(start, at));
  }
  return { fields, separators };
}

function skip(text: string, from: number, isBlank: boolean): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if ((code === 32 || code === 9 || code === 10) !== isBlank) break;
    at += 1;
  }
  return at;
}

export function splitByText(text: string, separator: string): Pieces {
  if (text === "") return { fields: [], separators: [] };
  const fields = text.split(separator);
  return { fields, separators: fields.slice(1).map(() => separator) };
}

/** A match of nothing separates nothing. */
export function splitByPattern(text: string, pattern: Pattern): Pieces {
  if (text === "") return { fields: [], separators: [] };
  const fields: string[] = [];
  const separators: string[] = [];
  let start = 0;
  let from = 0;
  while (from <= text.length) {
    const found = pattern.find(text, from);
    if (found === undefined) break;
    if (found.length === 0) {
      from = found.index + 1;
      continue;
    }
    fields.push(text.slice(start, found.index));
    separators.push(text.slice(found.index, found.index + found.length));
    start = found.index + found.length;
    from = start;
  }
  fields.push(text.slice(start));
  return { fields, separators };
}

/** FPAT: the fields are what matches. */
export function splitByContent(text: string, pattern: Pattern): Pieces {
  const fields: string[] = [];
  const separators: string[] = [];
  let from = 0;
  let end = 0;
  let hasField = false;
  while (from <= text.length) {
    const found = pattern.find(text, from);
    if (found === undefined) break;
    const isTouching = found.length === 0 && hasField && found.index === end;
    if (isTouching || (found.length === 0 && found.index === text.length && text === "")) {
      from = found.index + 1;
      continue;
    }
    separators.push(text.slice(end, found.index));
    fields.push(text.slice(found.index, found.index + found.length));
    hasField = true;
    end = found.index + found.length;
    from = found.length === 0 ? end + 1 : end;
  }
  separators.push(text.slice(end));
  return { fields, separators };
}

/** FIELDWIDTHS: `3 2:4 *`. Fails with an AwkFatalError. */
export function splitterOfWidths(widths: string): Splitter {
  const parts = widths
    .trim()
    .split(/\s+/)
    .filter((part) => part !== "")
    .map((part, at) => {
      const match = /^(?:(\d+):)?(\d+|\*)$/.exec(part);
      if (match === null)
        throw new AwkFatalError(`invalid FIELDWIDTHS value, for field ${at + 1}, near \`${part}'`);
      return {
        skip: Number(match[1] ?? 0),
        width: match[2] === "*" ? Number.POSITIVE_INFINITY : Number(match[2]),
      };
    });
  return {
    kind: "all",
    split: (text) => {
      const characters = /[\ud800-\udfff]/.test(text) ? [...text] : undefined;
      const length = characters?.length ?? text.length;
      const slice = (from: number, to: number): string =>
        characters === undefined ? text.slice(from, to) : characters.slice(from, to).join("");
      const fields: string[] = [];
      let at = 0;
      for (const { skip: skipped, width } of parts) {
        at += skipped;
        if (at >= length) break;
        fields.push(slice(at, Math.min(length, at + width)));
        at += width;
      }
      return { fields, separators: [] };
    },
  };
}
