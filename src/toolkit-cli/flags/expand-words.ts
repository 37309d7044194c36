/** `@file`, `@-` and `-`: values that are read from somewhere. `@@text` is the text `@text`. */
import type { Given, GivenWord } from "./read-words.ts";

/** How bytes become a value: as the text they are unless said. */
export type ValueEncoding = "text" | "base64";

/** Reads what a value names. Fails with a ValueProblem. */
export interface ValueSource {
  file(path: string, encoding?: ValueEncoding): Promise<string>;
  stdin(encoding?: ValueEncoding): Promise<string>;
}

/** A value that cannot be had, in words that stand behind the flag's name. */
export class ValueProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ValueProblem";
  }
}

export interface Expanded {
  readonly given: readonly Given[];
  readonly problems: readonly string[];
}

export async function expandWords(given: readonly Given[], source: ValueSource): Promise<Expanded> {
  const expanded: Given[] = [];
  const problems: string[] = [];
  for (const one of given) {
    try {
      expanded.push({ ...one, word: await expandWord(one.word, source) });
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      problems.push(one.flag === "" ? error.message : `${one.flag}: ${error.message}`);
    }
  }
  return { given: expanded, problems };
}

async function expandWord(word: GivenWord, source: ValueSource): Promise<GivenWord> {
  if (word.kind === "switch" || word.isLiteral) return word;
  const encoding = word.isBase64 === true ? "base64" : "text";
  return { kind: "text", text: await expandText(word.text, source, encoding), isLiteral: true };
}

export async function expandText(
  text: string,
  source: ValueSource,
  encoding: ValueEncoding = "text",
): Promise<string> {
  if (text === "-" || text === "@-") return source.stdin(encoding);
  if (text.startsWith("@@")) return text.slice(1);
  return text.startsWith("@") && text.length > 1 ? source.file(text.slice(1), encoding) : text;
}
