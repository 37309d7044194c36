import { decodeText, encodeText } from "../../../kernel/index.ts";
import { RegExpSyntaxError } from "../regexp/errors.ts";
import type { Text } from "../regexp/surroundings.ts";
import { SafeRegExp } from "../safe-regexp.ts";
import type { Matcher } from "./matcher.ts";
import { translatePerl } from "./perl-syntax.ts";

interface PerlOptions {
  readonly ignoreCase: boolean;
  readonly isWord: boolean;
  readonly isLine: boolean;
  readonly isUtf8: boolean;
  readonly delimiter: number;
}

/** One Perl regular expression, matched line by line. */
export class PerlMatcher implements Matcher {
  readonly #regExp: SafeRegExp;
  readonly #options: PerlOptions;
  readonly #hasKept: boolean;
  matchStart = 0;
  matchEnd = 0;

  /** Fails with a RegExpSyntaxError. */
  constructor(pattern: string, options: PerlOptions) {
    this.#options = options;
    const { source, ignoreCase, hasKept } = translatePerl(pattern, options.ignoreCase);
    this.#hasKept = hasKept;
    const wrapped = options.isLine
      ? `^(?:${source})$`
      : options.isWord
        ? `(?<!\\w)(?:${source})(?!\\w)`
        : source;
    try {
      this.#regExp = new SafeRegExp(wrapped, ignoreCase ? "ui" : "u");
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new RegExpSyntaxError(`unsupported Perl regular expression: ${reasonOf(error)}`);
      throw error;
    }
  }

  findLine(block: Uint8Array, from: number): number {
    const { delimiter } = this.#options;
    for (let start = from; start < block.length; ) {
      const stop = block.indexOf(delimiter, start);
      const end = stop === -1 ? block.length : stop;
      if (this.search({ bytes: block, start, end }, start)) return end;
      start = end + 1;
    }
    return -1;
  }

  search({ bytes, start, end }: Text, from: number): boolean {
    const line = bytes.subarray(start, end);
    const text = this.#decode(line);
    const isPlain = text.length === line.length;
    const place = isPlain ? from - start : this.#decode(line.subarray(0, from - start)).length;
    const match = this.#regExp.exec(text, place);
    if (match === null) return false;
    const whole = match.groups[0]?.length ?? 0;
    const kept = this.#hasKept ? (match.groups[1]?.length ?? 0) : 0;
    const first = match.index + kept;
    const last = match.index + whole;
    this.matchStart = start + (isPlain ? first : encodeText(text.slice(0, first)).length);
    this.matchEnd = start + (isPlain ? last : encodeText(text.slice(0, last)).length);
    return true;
  }

  #decode(line: Uint8Array): string {
    if (this.#options.isUtf8) return decodeText(line);
    return Buffer.from(line.buffer, line.byteOffset, line.length).toString("latin1");
  }
}

function reasonOf(error: SyntaxError): string {
  return error.message.slice(error.message.lastIndexOf(":") + 1).trim();
}
