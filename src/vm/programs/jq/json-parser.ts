/** JSON texts as they come in, one value after another, with the errors jq has. */
import { MemoryLimitError } from "../memory-limit.ts";
import { parseNumber } from "./number-text.ts";
import { ParserStack } from "./parser-stack.ts";
import { SIZE_LIMIT, type Value } from "./value.ts";

/** A text that is not JSON; says where. */
export class JsonSyntaxError extends Error {}

const QUOTE = 34;
const BACKSLASH = 92;
const LINE_FEED = 10;
/** Starts each text of application/json-seq. */
const RECORD_SEPARATOR = 30;

/**
 * Takes texts in pieces, `push` by `push`, and hands out each value once it is whole. What a piece
 * leaves open costs no second look. Fails with a JsonSyntaxError or a MemoryLimitError.
 */
export class JsonParser {
  readonly #stack: ParserStack;
  #text = "";
  #at = 0;
  /** Lines and bytes of the current line before `#text`. */
  #line = 1;
  #column = 0;
  /** A string or a bare word that goes on in the next piece. */
  #pieces: string[] | undefined;
  #pieceLength = 0;
  #isString = false;
  #isEscaped = false;

  /** `isKept`: the values stay, all of them, which then count together. */
  constructor(isKept = false) {
    this.#stack = new ParserStack(isKept);
  }

  /** Only when `next` has answered undefined. */
  push(text: string): void {
    this.#countLines(this.#text.length);
    this.#text = text;
    this.#at = 0;
  }

  /** The next whole value; undefined when more text is needed. */
  next(): Value | undefined {
    const text = this.#text;
    while (this.#at < text.length) {
      if (this.#pieces !== undefined) {
        if (!this.#continueToken(this.#pieces)) return undefined;
      } else this.#step(text.charCodeAt(this.#at));
      const value = this.#stack.takeDone();
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** At the end of input: a bare word may be complete. */
  end(): Value | undefined {
    if (this.#pieces !== undefined) {
      if (this.#isString) throw this.#failure("Unfinished string at EOF");
      this.#word(this.#pieces.join(""), " at EOF");
      this.#pieces = undefined;
    }
    const value = this.#stack.takeDone();
    if (value !== undefined) return value;
    if (!this.#stack.isEmpty) throw this.#failure("Unfinished JSON term at EOF");
    return undefined;
  }

  /** Line feeds up to the end of the line that the last value ends in. */
  linesRead(): number {
    const rest = this.#text.indexOf("\n", this.#at);
    this.#countLines(this.#at);
    return this.#line - 1 + (rest === -1 ? 0 : 1);
  }

  #step(code: number): void {
    switch (code) {
      case 9:
      case LINE_FEED:
      case 13:
      case 32:
      case RECORD_SEPARATOR:
        this.#at += 1;
        return;
      case QUOTE:
        this.#string();
        return;
      case 44: // ,
      case 58: // :
      case 91: // [
      case 93: // ]
      case 123: // {
      case 125: // }
        this.#at += 1;
        this.#check(this.#stack.structure(code));
        return;
      default:
        this.#bare();
    }
  }

  #string(): void {
    const text = this.#text;
    const start = this.#at + 1;
    let isOdd = false;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        const raw = text.slice(start, at);
        this.#check(this.#stack.value(isOdd ? this.#unescape(raw) : raw));
        return;
      }
      if (code === BACKSLASH) {
        isOdd = true;
        at += 1;
      } else if (code < 32) isOdd = true;
    }
    this.#open(start, true);
    this.#isEscaped = endsEscaped(text, start);
  }

  #bare(): void {
    const text = this.#text;
    const start = this.#at;
    const end = endOfWord(text, start);
    if (end === text.length) {
      this.#open(start, false);
      return;
    }
    this.#at = end;
    this.#word(text.slice(start, end), "");
  }

  #open(start: number, isString: boolean): void {
    this.#pieces = [this.#text.slice(start)];
    this.#pieceLength = this.#text.length - start;
    this.#isString = isString;
    this.#at = this.#text.length;
  }

  /** Whether the open token ends in this piece. */
  #continueToken(pieces: string[]): boolean {
    const text = this.#text;
    const end = this.#isString ? this.#endOfString() : endOfWord(text, 0);
    this.#pieceLength += end;
    if (this.#pieceLength > SIZE_LIMIT * 4) throw new MemoryLimitError();
    pieces.push(text.slice(0, end));
    this.#at = end;
    if (end === text.length) return false;
    this.#pieces = undefined;
    const token = pieces.join("");
    if (!this.#isString) {
      this.#word(token, "");
      return true;
    }
    this.#at += 1;
    this.#check(this.#stack.value(this.#unescape(token)));
    return true;
  }

  #endOfString(): number {
    const text = this.#text;
    let at = this.#isEscaped ? 1 : 0;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) return at;
      if (code === BACKSLASH) at += 1;
    }
    this.#isEscaped = at > text.length;
    return text.length;
  }

  #word(word: string, where: string): void {
    const value = parseWord(word);
    if (value === undefined) {
      const isWord = /^[tfn]/.test(word) && !word.startsWith("nan");
      throw this.#failure(`${isWord ? "Invalid literal" : "Invalid numeric literal"}${where}`, 1);
    }
    this.#check(this.#stack.value(value), 1);
  }

  #unescape(raw: string): string {
    const text = unescapeString(raw);
    if (text instanceof JsonSyntaxError) throw this.#failure(text.message);
    return text;
  }

  #check(problem: string | undefined, ahead = 0): void {
    if (problem !== undefined) throw this.#failure(problem, ahead);
  }

  #failure(message: string, ahead = 0): JsonSyntaxError {
    const isEnd = message.includes("at EOF");
    this.#countLines(Math.min(this.#at + (isEnd ? 0 : ahead), this.#text.length));
    return new JsonSyntaxError(`${message} at line ${this.#line}, column ${this.#column}`);
  }

  /** Forgets what is behind `end`, but for its lines. */
  #countLines(end: number): void {
    const past = this.#text.slice(0, end);
    let last = -1;
    for (let at = past.indexOf("\n"); at !== -1; at = past.indexOf("\n", at + 1)) {
      this.#line += 1;
      last = at;
    }
    const tail = last === -1 ? past : past.slice(last + 1);
    this.#column = (last === -1 ? this.#column : 0) + utf8Length(tail);
    this.#text = this.#text.slice(end);
    this.#at -= end;
  }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Where a run of characters without space, quote and structure ends. */
function endOfWord(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 9:
      case LINE_FEED:
      case 13:
      case 32:
      case QUOTE:
      case 44:
      case 58:
      case 91:
      case 93:
      case 123:
      case 125:
      case RECORD_SEPARATOR:
        return at;
      default:
    }
  }
  return text.length;
}

function parseWord(word: string): Value | undefined {
  switch (word) {
    case "true":
      return true;
    case "false":
      return false;
    case "null":
      return null;
    case "nan":
    case "NaN":
    case "-NaN":
      return Number.NaN;
    case "Infinity":
      return Number.POSITIVE_INFINITY;
    case "-Infinity":
      return Number.NEGATIVE_INFINITY;
    default:
      return isNumeric(word) ? parseNumber(word) : undefined;
  }
}

/** What jq takes for a number: also `+1`, `.5`, `5.` and `01`. */
export function isNumeric(word: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(word);
}

function endsEscaped(text: string, start: number): boolean {
  let count = 0;
  for (let at = text.length - 1; at >= start && text.charCodeAt(at) === BACKSLASH; at--) count += 1;
  return count % 2 === 1;
}

const simpleEscapes = new Map(
  Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "/": "/", '"': '"', "\\": "\\" }),
);

function unescapeString(raw: string): string | JsonSyntaxError {
  // oxlint-disable-next-line no-control-regex -- these are what JSON refuses
  if (/[\x00-\x1f]/.test(raw)) {
    return new JsonSyntaxError(
      "Invalid string: control characters from U+0000 through U+001F must be escaped",
    );
  }
  let problem: JsonSyntaxError | undefined;
  const text = raw.replace(/\\(?:u([0-9a-fA-F]{4})|u|([^]?))/g, (_, hex?: string, one?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const escaped = one === undefined ? undefined : simpleEscapes.get(one);
    if (escaped !== undefined) return escaped;
    problem ??= new JsonSyntaxError(
      one === undefined ? "Invalid \\uXXXX escape" : "Invalid escape",
    );
    return "";
  });
  return problem ?? text.toWellFormed();
}
