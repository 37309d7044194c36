import { readNumber } from "../number-argument.ts";
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";
import { isUtf8Locale } from "../regexp/characters.ts";
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { TextRegExp } from "../regexp/text-regexp.ts";

/** One place to split at, and how often. */
export interface Control {
  readonly text: string;
  readonly line?: number;
  readonly pattern?: TextRegExp;
  readonly offset: number;
  /** What is before it is left out. */
  readonly isSkipping: boolean;
  /** How often again; endless with `{*}`. */
  repeats: number;
}

/** Fails with a UsageError in csplit's words. */
export async function readControls(run: Run, words: readonly string[]): Promise<Control[]> {
  const controls: Control[] = [];
  let lastLine = 0;
  const isUtf8 = isUtf8Locale(await run.sys.environ());
  for (const word of words) {
    const before = controls.at(-1);
    if (word.startsWith("{") && before !== undefined) {
      before.repeats = readRepeats(word);
      continue;
    }
    if (/^[/%]/.test(word)) {
      controls.push(readPattern(word, isUtf8));
      continue;
    }
    const { value, problem } = readNumber(word);
    if (problem !== undefined) throw refused(`${quoteText(word)}: invalid pattern`);
    const line = Number(value);
    if (line === 0) throw refused(`${word}: line number must be greater than zero`);
    if (line < lastLine) {
      throw refused(
        `line number ${quoteText(word)} is smaller than preceding line number, ${lastLine}`,
      );
    }
    if (line === lastLine)
      await run.warn(
        `warning: line number ${quoteText(word)} is the same as preceding line number`,
      );
    lastLine = line;
    controls.push({ text: word, line, offset: 0, isSkipping: false, repeats: 0 });
  }
  return controls;
}

export function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

function readRepeats(word: string): number {
  if (!word.endsWith("}")) throw refused(`${word}: '}' is required in repeat count`);
  const inside = word.slice(1, -1);
  if (inside === "*") return Number.POSITIVE_INFINITY;
  const { value, problem } = readNumber(inside);
  if (problem !== undefined)
    throw refused(`${quoteText(word.slice(0, -1))}}: integer required between '{' and '}'`);
  return Number(value);
}

function readPattern(word: string, isUtf8: boolean): Control {
  const mark = word.charAt(0);
  const end = word.lastIndexOf(mark);
  if (end === 0) throw refused(`${word}: closing delimiter '${mark}' missing`);
  const tail = word.slice(end + 1);
  const match = /^\s*([-+]?\d+)$/.exec(tail);
  if (tail !== "" && match === null)
    throw refused(`${quoteText(word)}: integer expected after delimiter`);
  try {
    return {
      text: word,
      pattern: new TextRegExp(word.slice(1, end), { syntax: "basic", flavour: "gnu", isUtf8 }),
      offset: match === null ? 0 : Number(match[1]),
      isSkipping: mark === "%",
      repeats: 0,
    };
  } catch (error) {
    if (error instanceof RegExpSyntaxError)
      throw refused(`${quoteText(word)}: invalid regular expression: ${error.message}`);
    throw error;
  }
}
