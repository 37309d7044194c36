/** getopt_long(3) over words: what `getopt` prints of a script's own options. */

export interface LongOption {
  readonly name: string;
  readonly value: "none" | "required" | "optional";
}

export interface WordOptions {
  /** As getopt(3) has them: `ab:c::`. */
  readonly shorts: string;
  readonly longs: readonly LongOption[];
  /** Long options may start with one dash. */
  readonly isAlternative: boolean;
  /** Options end at the first operand. */
  readonly isPosix: boolean;
}

export interface ParsedWords {
  readonly options: readonly { readonly name: string; readonly value?: string }[];
  readonly operands: readonly string[];
  readonly problems: readonly string[];
}

export function parseWords(words: readonly string[], options: WordOptions): ParsedWords {
  const parser = new WordParser(words, options);
  return parser.parse();
}

class WordParser {
  readonly #words: readonly string[];
  readonly #shorts: string;
  readonly #longs: readonly LongOption[];
  readonly #given: WordOptions;
  readonly #found: { name: string; value?: string }[] = [];
  readonly #operands: string[] = [];
  readonly #problems: string[] = [];
  #at = 0;

  constructor(words: readonly string[], given: WordOptions) {
    this.#words = words;
    this.#given = given;
    this.#shorts = given.shorts.replace(/^[+:-]+/, "");
    this.#longs = given.longs;
  }

  parse(): ParsedWords {
    for (; this.#at < this.#words.length; this.#at++) {
      const word = this.#words[this.#at] ?? "";
      if (word === "--") {
        this.#operands.push(...this.#words.slice(this.#at + 1));
        break;
      }
      if (word.startsWith("--")) this.#long(word.slice(2), "--");
      else if (word.length > 1 && word.startsWith("-")) this.#dash(word.slice(1));
      else if (this.#given.isPosix) {
        this.#operands.push(...this.#words.slice(this.#at));
        break;
      } else this.#operands.push(word);
    }
    return { options: this.#found, operands: this.#operands, problems: this.#problems };
  }

  /** One dash: letters, or a long option where that is allowed. */
  #dash(text: string): void {
    const name = text.replace(/=.*$/s, "");
    const isLong =
      this.#given.isAlternative &&
      this.#longs.some((one) => one.name.startsWith(name)) &&
      (text.length > 1 || !this.#shorts.includes(text));
    if (isLong) this.#long(text, "-");
    else this.#letters(text);
  }

  #long(text: string, dashes: string): void {
    const at = text.indexOf("=");
    const name = at === -1 ? text : text.slice(0, at);
    const fitting = this.#longs.filter((one) => one.name.startsWith(name));
    const option = this.#longs.find((one) => one.name === name) ?? fitting[0];
    if (option === undefined) {
      this.#problems.push(`unrecognized option '${dashes}${text}'`);
      return;
    }
    if (fitting.length > 1 && option.name !== name) {
      const names = fitting.map((one) => `'--${one.name}'`).join(" ");
      this.#problems.push(`option '${dashes}${text}' is ambiguous; possibilities: ${names}`);
      return;
    }
    this.#take(option, at === -1 ? undefined : text.slice(at + 1));
  }

  #take(option: LongOption, given: string | undefined): void {
    const name = `--${option.name}`;
    if (option.value === "none") {
      if (given === undefined) this.#found.push({ name });
      else this.#problems.push(`option '${name}' doesn't allow an argument`);
      return;
    }
    if (given !== undefined || option.value === "optional") {
      this.#found.push({ name, value: given ?? "" });
      return;
    }
    this.#at += 1;
    const value = this.#words[this.#at];
    if (value === undefined) this.#problems.push(`option '${name}' requires an argument`);
    else this.#found.push({ name, value });
  }

  #letters(text: string): void {
    for (let place = 0; place < text.length; place++) {
      const letter = text[place] ?? "";
      const at = letter === ":" ? -1 : this.#shorts.indexOf(letter);
      if (at === -1) {
        this.#problems.push(`invalid option -- '${letter}'`);
        continue;
      }
      const name = `-${letter}`;
      if (this.#shorts[at + 1] !== ":") {
        this.#found.push({ name });
        continue;
      }
      const rest = text.slice(place + 1);
      if (rest !== "" || this.#shorts[at + 2] === ":") {
        this.#found.push({ name, value: rest });
        return;
      }
      this.#at += 1;
      const value = this.#words[this.#at];
      if (value === undefined) this.#problems.push(`option requires an argument -- '${letter}'`);
      else this.#found.push({ name, value });
      return;
    }
  }
}
