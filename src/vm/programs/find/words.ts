import { UsageError } from "../options.ts";

/** The words of an expression, taken one after the other. */
export class FindWords {
  readonly #words: readonly string[];
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  get next(): string | undefined {
    return this.#words[this.#at];
  }

  get previous(): string | undefined {
    return this.#words[this.#at - 1];
  }

  get isAtEnd(): boolean {
    return this.#at === this.#words.length;
  }

  /** Only one word was taken. */
  get isFirst(): boolean {
    return this.#at === 1;
  }

  skip(): void {
    this.#at += 1;
  }

  accept(...words: readonly string[]): boolean {
    if (!words.includes(this.next ?? "")) return false;
    this.skip();
    return true;
  }

  /** The argument of the word before. Fails with a UsageError. */
  value(word: string): string {
    const value = this.next;
    if (value === undefined)
      throw new UsageError(`missing argument to \`${word}'`, { hasHint: false });
    this.skip();
    return value;
  }
}
