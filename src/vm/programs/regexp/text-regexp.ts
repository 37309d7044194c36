import { decodeText, encodeText } from "../../../kernel/index.ts";
import { LineRegExp } from "./line-regexp.ts";
import { type ParseOptions, parsePosix } from "./parse.ts";
import type { Node, Tree } from "./tree.ts";

export interface TextRegExpOptions {
  readonly syntax: ParseOptions["syntax"];
  /** How much of what POSIX leaves open is taken; regcomp(3) where nothing is said. */
  readonly flavour?: ParseOptions["flavour"];
  /** False where each byte is a character. */
  readonly isUtf8?: boolean;
  readonly ignoreCase?: boolean;
  /** `^` and `$` match at newlines within the text. */
  readonly isMultiline?: boolean;
  /** A match starts where the text does; a whole one ends where it ends. */
  readonly place?: "anywhere" | "start" | "whole";
}

export interface TextMatch {
  /** Where it starts in the text. */
  readonly index: number;
  /** What matched, then its groups. */
  readonly groups: readonly (string | undefined)[];
}

/**
 * A POSIX regular expression on text: of the leftmost matches the longest, as glibc finds it. The
 * way in for programs that search single texts; LineRegExp searches blocks of bytes.
 */
export class TextRegExp {
  readonly groupCount: number;
  readonly #regExp: LineRegExp;
  #text = "";
  #bytes: Uint8Array = new Uint8Array(0);

  /** Fails with a RegExpSyntaxError, or with a RegExpTooComplexError. */
  constructor(source: string, options: TextRegExpOptions) {
    const { syntax, flavour = "regcomp", isUtf8 = true, ignoreCase = false } = options;
    const { isMultiline = false, place = "anywhere" } = options;
    const tree = parsePosix(source, { syntax, flavour, isUtf8, ignoreCase });
    this.groupCount = tree.groupCount;
    this.#regExp = new LineRegExp(anchored(tree, place), {
      isUtf8,
      isMultiline,
      ignoreCase,
      delimiter: 10,
    });
  }

  /** Fails with a RegExpTooComplexError. */
  test(text: string): boolean {
    this.#take(text);
    return this.#regExp.search({ bytes: this.#bytes, start: 0, end: this.#bytes.length }, 0);
  }

  /** The first match from a place on. Fails with a RegExpTooComplexError. */
  exec(text: string, from = 0): TextMatch | null {
    this.#take(text);
    const bytes = this.#bytes;
    const isAscii = bytes.length === text.length;
    const start = isAscii ? from : encodeText(text.slice(0, from)).length;
    const whole = { bytes, start: 0, end: bytes.length };
    if (!this.#regExp.search(whole, start)) return null;
    const { matchStart } = this.#regExp;
    const places = this.#regExp.groups(whole);
    const groups = Array.from({ length: this.groupCount + 1 }, (_, group) => {
      const [at = -1, end = -1] = places.subarray(group * 2, group * 2 + 2);
      if (at === -1 || end === -1) return undefined;
      return isAscii ? text.slice(at, end) : decodeText(bytes.subarray(at, end));
    });
    const index = isAscii ? matchStart : decodeText(bytes.subarray(0, matchStart)).length;
    return { index, groups };
  }

  #take(text: string): void {
    if (this.#text === text) return;
    this.#text = text;
    this.#bytes = encodeText(text);
  }
}

function anchored(tree: Tree, place: "anywhere" | "start" | "whole"): Tree {
  if (place === "anywhere") return tree;
  const nodes: Node[] = [{ kind: "assert", sign: "text-start" }, tree.root];
  if (place === "whole") nodes.push({ kind: "assert", sign: "text-end" });
  return { ...tree, root: { kind: "sequence", nodes } };
}
