import { requireFieldRoom, requireWordRoom } from "../state/word-limit.ts";
import { escapePattern, isPattern, isSpecial } from "./pattern.ts";

/** One word after splitting. `pattern` is set where unquoted wildcards are in it. */
export interface Field {
  readonly text: string;
  readonly pattern: string | undefined;
}

export interface FieldBuilderOptions {
  /** The value of IFS; empty for contexts that do not split. */
  readonly ifs: string;
  /** How quoted text is kept from meaning anything in the pattern. */
  readonly escape?: (text: string) => string;
}

const USUAL_IFS = " \t\n";

/**
 * Gathers the text of a word, part by part, and splits it into fields as POSIX field splitting has
 * it. Quoted text is never split and never a wildcard.
 */
export class FieldBuilder {
  readonly #fields: Field[] = [];
  readonly #whitespace: string;
  readonly #separators: string;
  readonly #escape: (text: string) => string;
  #text = "";
  /** Undefined as long as no unquoted text has anything but plain characters. */
  #pattern: string | undefined;
  #isOpen = false;
  /** A field ended at whitespace: one separator may follow that belongs to the same end. */
  #isAfterWhitespace = false;

  constructor(options: FieldBuilderOptions) {
    const { ifs, escape } = options;
    this.#whitespace = ifs === "" || ifs === USUAL_IFS ? ifs : ifs.replace(/[^ \t\n]/g, "");
    this.#separators = ifs;
    this.#escape = escape ?? escapePattern;
    if (escape !== undefined) this.#pattern = "";
  }

  /** Text that is quoted: opens a field even when it is empty. */
  addQuoted(text: string): void {
    this.#isOpen = true;
    this.#isAfterWhitespace = false;
    requireWordRoom(this.#text.length + text.length);
    this.#text += text;
    if (this.#pattern !== undefined) this.#pattern += this.#escape(text);
  }

  /** Unquoted text of the source: not split, but its wildcards count. */
  addLiteral(text: string): void {
    if (text === "") return;
    this.#isOpen = true;
    this.#isAfterWhitespace = false;
    requireWordRoom(this.#text.length + text.length);
    // Plain characters are the same escaped, so all that came before can be escaped now.
    if (this.#pattern === undefined && isSpecial(text)) this.#pattern = this.#escape(this.#text);
    this.#text += text;
    if (this.#pattern !== undefined) this.#pattern += text;
  }

  /** The value of an unquoted expansion: split at IFS. */
  addSplit(text: string): void {
    if (this.#separators === "") {
      this.addLiteral(text);
      return;
    }
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at);
      if (!this.#separators.includes(character)) continue;
      if (at > start) this.addLiteral(text.slice(start, at));
      start = at + 1;
      this.#separate(this.#whitespace.includes(character));
    }
    if (start < text.length) this.addLiteral(text.slice(start));
  }

  /** Ends the field, as between the items of `"$@"`. */
  breakField(): void {
    if (this.#isOpen) this.#close();
  }

  finish(): readonly Field[] {
    this.breakField();
    return this.#fields;
  }

  /** The whole as one text, for contexts that do not split. */
  get text(): string {
    return this.#text;
  }

  /** The whole as one pattern. */
  get pattern(): string {
    return this.#pattern ?? this.#escape(this.#text);
  }

  #separate(isWhitespace: boolean): void {
    if (isWhitespace) {
      if (!this.#isOpen) return;
      this.#close();
      this.#isAfterWhitespace = true;
      return;
    }
    if (this.#isOpen || !this.#isAfterWhitespace) this.#close();
    this.#isAfterWhitespace = false;
  }

  #close(): void {
    const pattern = this.#pattern;
    const isWild = pattern !== undefined && isPattern(pattern);
    this.#fields.push({ text: this.#text, pattern: isWild ? pattern : undefined });
    requireFieldRoom(this.#fields.length);
    this.#text = "";
    this.#pattern = undefined;
    this.#isOpen = false;
    this.#isAfterWhitespace = false;
  }
}
