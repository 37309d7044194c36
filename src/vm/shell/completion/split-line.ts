/** A command line up to the point, cut into words the way completion needs them. */

export interface LineWord {
  readonly start: number;
  readonly end: number;
  /** With its quotes. */
  readonly raw: string;
}

export interface SplitLine {
  /** The words of the command at hand, the last one being completed; that may be empty. */
  readonly words: readonly LineWord[];
  /** The quote the last word is inside of. */
  readonly quote: "" | "'" | '"';
  /** The last word names a file to redirect to or from. */
  readonly isRedirect: boolean;
}

/** Words behind which a command starts. */
const openers = new Set([
  "if",
  "then",
  "else",
  "elif",
  "while",
  "until",
  "do",
  "!",
  "{",
  "time",
  "coproc",
]);

export function splitLine(text: string, point: number): SplitLine {
  return new Splitter(text.slice(0, point)).split();
}

class Splitter {
  readonly #text: string;
  #words: LineWord[] = [];
  #quote: "" | "'" | '"' = "";
  #start: number | undefined;
  #isRedirect = false;
  /** Words of the commands around a substitution. */
  readonly #outer: LineWord[][] = [];

  constructor(text: string) {
    this.#text = text;
  }

  split(): SplitLine {
    let at = 0;
    while (at < this.#text.length) at += this.#step(at, this.#text.charAt(at));
    const start = this.#start ?? at;
    const words = [...this.#words, { start, end: at, raw: this.#text.slice(start, at) }];
    return { words, quote: this.#quote, isRedirect: this.#isRedirect };
  }

  /** Takes a character, or an operator; answers how many characters. */
  #step(at: number, character: string): number {
    if (character === "\\" && this.#quote !== "'") {
      this.#start ??= at;
      return 2;
    }
    const next = this.#text.charAt(at + 1);
    if (character === "$" && next === "(" && this.#quote !== "'") return this.#openCommand(2);
    if (this.#quote !== "") {
      if (character === this.#quote) this.#quote = "";
      return 1;
    }
    if (character === "'" || character === '"') {
      this.#start ??= at;
      this.#quote = character;
      return 1;
    }
    if (character === "`") return this.#openCommand(1);
    if (/\s/.test(character) && character !== "\n") {
      this.#endWord(at);
      return 1;
    }
    if (/[;&|\n()<>]/.test(character)) return this.#operator(at, character);
    this.#start ??= at;
    return 1;
  }

  #openCommand(length: number): number {
    this.#outer.push(this.#words);
    this.#words = [];
    this.#start = undefined;
    this.#quote = "";
    return length;
  }

  #operator(at: number, character: string): number {
    this.#endWord(at);
    if (character === "<" || character === ">") {
      if (this.#text.charAt(at + 1) === "(") return this.#openCommand(2);
      this.#isRedirect = true;
      return /^[<>&|]+/.exec(this.#text.slice(at))?.[0].length ?? 1;
    }
    this.#isRedirect = false;
    this.#words = character === ")" ? (this.#outer.pop() ?? []) : [];
    return 1;
  }

  #endWord(at: number): void {
    if (this.#start === undefined) return;
    const raw = this.#text.slice(this.#start, at);
    if (this.#isRedirect) this.#isRedirect = false;
    else if (this.#words.length > 0 || !openers.has(raw))
      this.#words.push({ start: this.#start, end: at, raw });
    this.#start = undefined;
  }
}

/** A word without its quotes. */
export function unquote(raw: string): string {
  let text = "";
  let quote = "";
  for (let at = 0; at < raw.length; at++) {
    const character = raw.charAt(at);
    if (character === "\\" && quote !== "'") {
      at += 1;
      text += raw.charAt(at);
    } else if (quote !== "") {
      if (character === quote) quote = "";
      else text += character;
    } else if (character === "'" || character === '"') quote = character;
    else text += character;
  }
  return text;
}
