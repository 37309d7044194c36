import { decodeText } from "../../../kernel/index.ts";
import { SedError } from "./command.ts";

/** One script, or a part of it: its text as Latin-1, and what messages call it. */
export interface ScriptPart {
  readonly text: string;
  /** `-e expression #1`, or a file's name. */
  readonly expression: number | undefined;
  readonly file: string;
}

/** Reads a script character by character, and says where it is wrong. */
export class ScriptReader {
  readonly #part: ScriptPart;
  #at = 0;

  constructor(part: ScriptPart) {
    this.#part = part;
  }

  get at(): number {
    return this.#at;
  }

  get isFile(): boolean {
    return this.#part.expression === undefined;
  }

  /** The next character; "" at the end. */
  next(): string {
    const character = this.#part.text[this.#at] ?? "";
    this.#at += character.length;
    return character;
  }

  /** Gives the character read last back. */
  back(character: string): void {
    this.#at -= character.length;
  }

  nextNonBlank(): string {
    for (;;) {
      const character = this.next();
      if (character !== " " && character !== "\t") return character;
    }
  }

  /** A number whose first digit was read. */
  number(first: string): number {
    let digits = "";
    let character = first;
    for (; /\d/.test(character); character = this.next()) digits += character;
    this.back(character);
    return Number(digits);
  }

  /** To the end of the line, which is read. */
  line(): string {
    let made = "";
    for (
      let character = this.next();
      character !== "" && character !== "\n";
      character = this.next()
    )
      made += character;
    return made;
  }

  /** What a sticky pattern matches next; "" where it does not. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#part.text) ?? [];
    this.#at += found.length;
    return found;
  }

  /** What must stand behind a command. */
  endCommand(): void {
    const character = this.nextNonBlank();
    if (character === "}" || character === "#") this.back(character);
    else if (character !== "" && character !== "\n" && character !== ";")
      this.fail("extra characters after command");
  }

  fail(message: string, status = 1): never {
    throw new SedError(this.#where(this.#at) + message, status);
  }

  /** For what shows only when the script is read. */
  failAt(at: number, message: string): never {
    throw new SedError(this.#where(this.isFile ? at : 0) + message);
  }

  #where(at: number): string {
    const { expression, file, text } = this.#part;
    if (expression !== undefined) return `-e expression #${expression}, char ${at}: `;
    const line = text.slice(0, at).split("\n").length - (text[at - 1] === "\n" ? 1 : 0);
    return `file ${file} line ${Math.max(1, line)}: `;
  }
}

export function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

/** A name or a regular expression as text again. */
export function asText(bytes: string): string {
  return decodeText(latin1(bytes));
}
