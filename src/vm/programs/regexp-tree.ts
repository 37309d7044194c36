/** The source of a JavaScript regular expression that V8 accepts, as a tree. */

export type RegExpNode =
  /** Matches one character; `source` is a regular expression of its own. */
  | { readonly kind: "atom"; readonly source: string }
  | { readonly kind: "sequence"; readonly nodes: readonly RegExpNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly RegExpNode[] }
  | {
      readonly kind: "repeat";
      readonly node: RegExpNode;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: "group"; readonly node: RegExpNode; readonly index: number }
  | { readonly kind: "assert"; readonly sign: "^" | "$" | "\\b" | "\\B" }
  | {
      readonly kind: "look";
      readonly node: RegExpNode;
      readonly isBehind: boolean;
      readonly isNegated: boolean;
    }
  | { readonly kind: "back"; readonly index: number };

export interface RegExpTree {
  readonly root: RegExpNode;
  /** Groups that capture. */
  readonly groupCount: number;
  readonly hasBackReferences: boolean;
}

/** `source` is one that `new RegExp(source, "u")` or without the flag takes. */
export function parseRegExp(source: string): RegExpTree {
  return new Parser(source).parse();
}

const atomSource =
  /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/uy;
const groupStart = /\((?:\?(?:<?[=!]|:|<([\p{ID_Start}$_][\p{ID_Continue}$]*)>))?/uy;
const quantifier = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})(\??)/y;

class Parser {
  readonly #source: string;
  readonly #names: readonly string[];
  #at = 0;
  #groups = 0;
  #hasBackReferences = false;

  constructor(source: string) {
    this.#source = source;
    const starts = source
      .replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/gu, "")
      .matchAll(/\((?!\?[^<]|\?<[=!])(?:\?<([^>]*)>)?/g);
    this.#names = Array.from(starts, (match) => match[1] ?? "");
  }

  parse(): RegExpTree {
    const root = this.#choice();
    return { root, groupCount: this.#groups, hasBackReferences: this.#hasBackReferences };
  }

  #choice(): RegExpNode {
    const nodes = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      nodes.push(this.#sequence());
    }
    const [first] = nodes;
    return first !== undefined && nodes.length === 1 ? first : { kind: "choice", nodes };
  }

  #sequence(): RegExpNode {
    const nodes: RegExpNode[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? "")) {
      nodes.push(this.#quantified(this.#term()));
    }
    return { kind: "sequence", nodes };
  }

  #quantified(node: RegExpNode): RegExpNode {
    const match = this.#take(quantifier);
    if (match === null) return node;
    const [text, from, comma, to, lazy] = match;
    const isLazy = lazy === "?";
    if (text.startsWith("*"))
      return { kind: "repeat", node, least: 0, most: Number.POSITIVE_INFINITY, isLazy };
    if (text.startsWith("+"))
      return { kind: "repeat", node, least: 1, most: Number.POSITIVE_INFINITY, isLazy };
    if (text.startsWith("?")) return { kind: "repeat", node, least: 0, most: 1, isLazy };
    const least = Number(from);
    const most = comma === undefined ? least : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    return { kind: "repeat", node, least, most, isLazy };
  }

  #term(): RegExpNode {
    const character = this.#source[this.#at] ?? "";
    if (character === "(") return this.#group();
    if (character === "^" || character === "$") {
      this.#at += 1;
      return { kind: "assert", sign: character };
    }
    const back = this.#take(/\\(?:([1-9]\d*)|k<([^>]*)>)/y);
    if (back !== null) {
      this.#hasBackReferences = true;
      const index =
        back[1] === undefined ? this.#names.indexOf(back[2] ?? "") + 1 : Number(back[1]);
      return { kind: "back", index };
    }
    const source = this.#take(atomSource)?.[0] ?? "";
    return source === "\\b" || source === "\\B"
      ? { kind: "assert", sign: source }
      : { kind: "atom", source };
  }

  #group(): RegExpNode {
    const start = this.#take(groupStart)?.[0] ?? "(";
    const isCapture = start === "(" || /^\(\?<[^=!]/.test(start);
    if (isCapture) this.#groups += 1;
    const index = this.#groups;
    const node = this.#choice();
    this.#at += 1;
    if (isCapture) return { kind: "group", node, index };
    if (start === "(?:") return node;
    return {
      kind: "look",
      node,
      isBehind: start.includes("<"),
      isNegated: start.endsWith("!"),
    };
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }
}
