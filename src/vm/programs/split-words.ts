/** `env -S`: one word of a `#!` line becomes several, see env(1). */
import { UsageError } from "./options.ts";

const escapes = new Map([
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** Words at blanks, with quotes, escapes and `${NAME}`. Fails with a UsageError in GNU's words. */
export function splitWords(text: string, environment: ReadonlyMap<string, string>): string[] {
  return new WordSplitter(text, environment).split();
}

class WordSplitter {
  readonly #text: string;
  readonly #environment: ReadonlyMap<string, string>;
  readonly #words: string[] = [];
  #word: string | undefined;
  #quote = "";
  #at = 0;

  constructor(text: string, environment: ReadonlyMap<string, string>) {
    this.#text = text;
    this.#environment = environment;
  }

  split(): string[] {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text.charAt(this.#at);
      if (this.#quote === "" && this.#word === undefined && character === "#") break;
      if (character === this.#quote) this.#quote = "";
      else if (this.#quote === "" && /["']/.test(character)) this.#open(character);
      else if (this.#quote === "" && /\s/.test(character)) this.#end();
      else if (character === "\\") {
        if (!this.#escape()) break;
      } else if (character === "$" && this.#quote !== "'") this.#variable();
      else this.#add(character);
    }
    if (this.#quote !== "") refuse("no terminating quote in -S string");
    this.#end();
    return this.#words;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  #open(quote: string): void {
    this.#quote = quote;
    this.#add("");
  }

  #end(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }

  /** Answers whether the text goes on. */
  #escape(): boolean {
    this.#at += 1;
    const letter = this.#text.charAt(this.#at);
    if (this.#quote === "'" && !/['\\]/.test(letter)) {
      this.#add(`\\${letter}`);
      return true;
    }
    if (letter === "") refuse("invalid backslash at end of string in -S");
    if (letter === "c") {
      if (this.#quote !== "") refuse("'\\c' must not appear in double-quoted -S string");
      return false;
    }
    if (letter === "_" && this.#quote === "") this.#end();
    else if (letter === "_") this.#add(" ");
    else if (/["#$'\\]/.test(letter)) this.#add(letter);
    else this.#add(escapes.get(letter) ?? refuse(`invalid sequence '\\${letter}' in -S`));
    return true;
  }

  #variable(): void {
    const rest = this.#text.slice(this.#at);
    const match = /^\$\{([A-Za-z_]\w*)\}/.exec(rest);
    if (match === null) return refuse(`only \${VARNAME} expansion is supported, error at: ${rest}`);
    this.#add(this.#environment.get(match[1] ?? "") ?? "");
    this.#at += match[0].length - 1;
  }
}

function refuse(message: string): never {
  throw new UsageError(message, { hasHint: false });
}
