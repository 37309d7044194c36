/** How `read` splits a line: at IFS, into so many fields that the last takes the rest. */
import type { Shell } from "../state/shell.ts";
import type { Input } from "./read-input.ts";

export function splitFields(shell: Shell, input: Input, most: number): string[] {
  const ifs = shell.variables.get("IFS") ?? " \t\n";
  return new FieldSplitter(input, ifs).split(most);
}

class FieldSplitter {
  readonly #text: string;
  readonly #quoted: ReadonlySet<number> | undefined;
  readonly #ifs: string;

  constructor({ text, quoted }: Input, ifs: string) {
    this.#text = text;
    this.#quoted = quoted;
    this.#ifs = ifs;
  }

  split(most: number): string[] {
    const text = this.#text;
    const fields: string[] = [];
    let at = 0;
    let end = text.length;
    while (this.#isSpace(at)) at += 1;
    while (end > at && this.#isSpace(end - 1)) end -= 1;
    while (at < end) {
      if (fields.length === most - 1) {
        fields.push(this.#last(at, end));
        return fields;
      }
      const start = at;
      while (at < end && !this.#isSeparator(at)) at += 1;
      fields.push(text.slice(start, at));
      while (at < end && this.#isSpace(at)) at += 1;
      if (at >= end || !this.#isSeparator(at)) continue;
      at += 1;
      while (at < end && this.#isSpace(at)) at += 1;
    }
    return fields;
  }

  /** A separator at the very end goes where it is the only one, with the spaces before it. */
  #last(start: number, end: number): string {
    let count = 0;
    for (let at = start; at < end; at++)
      if (this.#isSeparator(at) && !this.#isSpace(at)) count += 1;
    if (count !== 1 || !this.#isSeparator(end - 1)) return this.#text.slice(start, end);
    let kept = end - 1;
    while (kept > start && this.#isSpace(kept - 1)) kept -= 1;
    const hasMore = this.#text.slice(start, kept) !== "" && this.#hasSeparator(start, kept);
    return this.#text.slice(start, hasMore ? end : kept);
  }

  #hasSeparator(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.#isSeparator(at)) return true;
    return false;
  }

  #isSeparator(at: number): boolean {
    const character = this.#text[at];
    return (
      character !== undefined && this.#ifs.includes(character) && this.#quoted?.has(at) !== true
    );
  }

  #isSpace(at: number): boolean {
    return this.#isSeparator(at) && " \t\n".includes(this.#text[at] ?? "");
  }
}
