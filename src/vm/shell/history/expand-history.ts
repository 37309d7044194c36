/** History expansion: `!!`, `!n`, `!text`, `^old^new^`, word designators and modifiers. */
import { quoteText } from "../expansion/quote-text.ts";
import type { History } from "./history.ts";
import { HistoryError } from "./history-error.ts";
import { type Edited, editEvent } from "./history-modifiers.ts";
import { tokenizeLine } from "./tokenize-line.ts";

export interface ExpansionOptions {
  readonly history: History;
  /** `!(` is a pattern then. */
  readonly hasExtglob: boolean;
  /** In POSIX mode double quotes protect `!` as single quotes do. */
  readonly isPosix: boolean;
  /** The quote the line starts inside, of a command that goes on. */
  readonly quote: string;
  /** How many of the newest entries are the command at hand itself. */
  readonly skipped?: number;
}

export interface Expanded {
  readonly text: string;
  readonly isChanged: boolean;
  /** `:p`: to be shown and remembered, not run. */
  readonly isOnlyShown: boolean;
}

/** Longer results are refused: `!!` doubles what it is used on. */
const LENGTH_LIMIT = 1024 * 1024;

/** Fails with a HistoryError. */
export function expandHistory(line: string, options: ExpansionOptions): Expanded {
  const quick = line.startsWith("^") && options.quote === "";
  const source = quick ? `!!:s${line}` : line;
  if (!source.includes("!")) return { text: line, isChanged: false, isOnlyShown: false };
  return new Expansion(source, options).run();
}

class Expansion {
  readonly #source: string;
  readonly #options: ExpansionOptions;
  #result = "";
  #isChanged = false;
  #isOnlyShown = false;
  #at = 0;

  constructor(source: string, options: ExpansionOptions) {
    this.#source = source;
    this.#options = options;
  }

  run(): Expanded {
    let quote = this.#options.quote;
    while (this.#at < this.#source.length) {
      const character = this.#source.charAt(this.#at);
      if (character === "\\" && quote !== "'") {
        this.#copy(2);
      } else if (character === "'" && quote !== '"') {
        quote = quote === "'" ? "" : "'";
        this.#copy(1);
      } else if (character === '"' && quote !== "'") {
        quote = quote === '"' ? "" : '"';
        this.#copy(1);
      } else if (character === "#" && quote === "" && /(?:^|[\s;&|()<>])$/.test(this.#result)) {
        this.#copy(this.#source.length);
      } else if (character === "!" && quote !== "'" && this.#isEvent(quote)) {
        this.#expandEvent(quote);
      } else {
        this.#copy(1);
      }
    }
    return { text: this.#result, isChanged: this.#isChanged, isOnlyShown: this.#isOnlyShown };
  }

  #copy(count: number): void {
    this.#result += this.#source.slice(this.#at, this.#at + count);
    this.#at += count;
  }

  /** Whether the `!` here starts an event. */
  #isEvent(quote: string): boolean {
    const next = this.#source.charAt(this.#at + 1);
    if (next === "" || " \t\n\r=".includes(next)) return false;
    if (quote === '"' && (next === '"' || this.#options.isPosix)) return false;
    if (next === "(" && this.#options.hasExtglob) return false;
    const before = this.#source.slice(0, this.#at);
    if (/\$$|\$\{$/.test(before)) return false;
    return !(before.endsWith("[") && this.#source.indexOf("]", this.#at) !== -1);
  }

  #expandEvent(quote: string): void {
    const start = this.#at;
    const event = this.#readEvent(quote);
    const afterEvent = this.#at;
    const words = this.#readWords(event, afterEvent);
    const edited = this.#readModifiers(words);
    this.#isOnlyShown ||= edited.isOnlyShown;
    this.#isChanged = true;
    this.#result += edited.text;
    if (this.#result.length > LENGTH_LIMIT)
      throw new HistoryError(`${this.#source.slice(start, this.#at)}: expansion too long`);
  }

  /** The text of the event named here; stops behind its name. */
  #readEvent(quote: string): string {
    const { history } = this.#options;
    const rest = this.#source.slice(this.#at + 1);
    const fail = (length: number): never => {
      throw new HistoryError(
        `${this.#source.slice(this.#at, this.#at + 1 + length)}: event not found`,
      );
    };
    if (/^[:$*%^!]/.test(rest)) {
      const found = this.#find(() => true) ?? fail(1);
      this.#at += rest.startsWith("!") ? 2 : 1;
      return found;
    }
    if (rest.startsWith("#")) {
      this.#at += 2;
      return this.#result;
    }
    const numbered = /^-?\d+/.exec(rest)?.[0];
    if (numbered !== undefined) {
      const number = Number(numbered);
      const found = history.find(number < 0 ? history.next + number : number);
      if (found === undefined) return fail(numbered.length);
      this.#at += 1 + numbered.length;
      return found.text;
    }
    return this.#search(rest, quote, fail);
  }

  #search(rest: string, quote: string, fail: (length: number) => never): string {
    const { history } = this.#options;
    if (rest.startsWith("?")) {
      const end = /[?\n]/.exec(rest.slice(1))?.index ?? rest.length - 1;
      const wanted = rest.slice(1, 1 + end) || history.lastSearch;
      const length = Math.min(rest.length, end + 2);
      const found = this.#find((text) => text.includes(wanted));
      if (found === undefined || wanted === "") return fail(length);
      history.lastSearch = wanted;
      this.#at += 1 + length;
      return found;
    }
    const name = (quote === '"' ? /^[^\s:;&()|<>"]+/ : /^[^\s:;&()|<>]+/).exec(rest)?.[0] ?? "";
    const cut = name.replace(/(?<=.)[$*%^].*$/s, "").replace(/(?<=.)-$/, "");
    const found = this.#find((text) => text.startsWith(cut));
    if (found === undefined || cut === "") return fail(cut.length);
    this.#at += 1 + cut.length;
    return found;
  }

  /** The newest entry that will do. */
  #find(isWanted: (text: string) => boolean): string | undefined {
    const { history, skipped = 0 } = this.#options;
    for (let index = history.length - 1 - skipped; index >= 0; index--) {
      const { text } = history.entries[index] ?? { text: "" };
      if (isWanted(text)) return text;
    }
    return undefined;
  }

  /** The words of the event that are asked for here, or all of its text. */
  #readWords(event: string, start: number): string {
    const rest = this.#source.slice(start);
    const match =
      /^(?::(?=[\d^$*%-])|(?=[\^$*%-]))(?:(\*)|(%)|(\d+|\^|\$)?(?:(-)(\d+|\^|\$)?|(\*))?)/.exec(
        rest,
      );
    if (match === null || match[0] === "" || match[0] === ":") return event;
    this.#at = start + match[0].length;
    const words = tokenizeLine(event);
    const last = words.length - 1;
    if (match[2] !== undefined) return this.#searchedWord(words);
    const place = (text: string | undefined, otherwise: number): number => {
      if (text === undefined) return otherwise;
      return text === "^" ? 1 : text === "$" ? last : Number(text);
    };
    if (match[1] !== undefined) return words.slice(1).join(" ");
    const from = place(match[3], 0);
    const isRange = match[4] !== undefined || match[6] !== undefined;
    const to = !isRange
      ? from
      : match[6] !== undefined
        ? last
        : place(match[5], Math.max(last - 1, from === last ? from : 0));
    const isEmptyRest = match[6] !== undefined && from === last + 1;
    if (isEmptyRest) return "";
    if (from > last || to > last || from > to)
      throw new HistoryError(`${match[0]}: bad word specifier`);
    return words.slice(from, to + 1).join(" ");
  }

  #searchedWord(words: readonly string[]): string {
    const { lastSearch } = this.#options.history;
    return words.find((word) => word.includes(lastSearch)) ?? "";
  }

  #readModifiers(words: string): Edited {
    let edited: Edited = { text: words, isOnlyShown: false };
    let isQuoted: "no" | "whole" | "words" = "no";
    while (this.#source.charAt(this.#at) === ":") {
      const rest = this.#source.slice(this.#at + 1);
      if (/^[qx]/.test(rest)) {
        isQuoted = rest.startsWith("q") ? "whole" : "words";
        this.#at += 2;
        continue;
      }
      const { length, ...result } = editEvent(edited, rest, this.#options.history);
      edited = result;
      this.#at += 1 + length;
    }
    return { ...edited, text: quoteEvent(edited.text, isQuoted) };
  }
}

function quoteEvent(text: string, how: "no" | "whole" | "words"): string {
  if (how === "no") return text;
  if (how === "whole") return quoteText(text);
  return text.replace(/[^\s]+/g, (word) => quoteText(word));
}
