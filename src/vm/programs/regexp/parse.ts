/** Reads POSIX basic and extended regular expressions as GNU's regcomp does, errors word for word. */

import { readBracket } from "./bracket.ts";
import { CharacterSet, classMembers, wordSet } from "./character-set.ts";
import { characterCodes } from "./characters.ts";
import { RegExpSyntaxError } from "./errors.ts";
import { readInterval } from "./interval.ts";
import { isOperator, signs, type Token } from "./token.ts";
import type { Node, Tree } from "./tree.ts";

export interface ParseOptions {
  /** Emacs' is basic, but for `+` and `?`; it has neither intervals nor classes in brackets. */
  readonly syntax: "basic" | "extended" | "emacs";
  /**
   * grep takes much of what sed refuses, and warns. "gnu" takes the same without a word, as expr
   * and csplit do. regcomp(3) is as strict as sed, but for `)` that closes nothing.
   */
  readonly flavour: "grep" | "sed" | "gnu" | "regcomp";
  readonly isUtf8: boolean;
  readonly ignoreCase: boolean;
  /** Groups of patterns that stand before this one. */
  readonly groupsBefore?: number;
}

/** Fails with a RegExpSyntaxError. */
export function parsePosix(source: string, options: ParseOptions): Tree {
  return new Parser(characterCodes(source, options.isUtf8), options).parse();
}

/** Groups in groups: deeper ones would end the stack. */
const DEPTH_LIMIT = 1000;

class Parser {
  readonly #codes: readonly number[];
  readonly #options: ParseOptions;
  readonly #isExtended: boolean;
  readonly #isGrep: boolean;
  readonly #isEmacs: boolean;
  readonly #closed = new Set<number>();
  readonly #warnings: string[] = [];
  /** One set for each character. */
  readonly #characters = new Map<number, CharacterSet>();
  #at = 0;
  #depth = 0;
  #groups: number;
  #hasBackReferences = false;
  #token: Token = { kind: "end" };

  constructor(codes: readonly number[], options: ParseOptions) {
    this.#codes = codes;
    this.#options = options;
    this.#isExtended = options.syntax === "extended";
    this.#isGrep = options.flavour === "grep" || options.flavour === "gnu";
    this.#isEmacs = options.syntax === "emacs";
    this.#groups = options.groupsBefore ?? 0;
  }

  parse(): Tree {
    this.#next(true);
    const root = this.#choice();
    return {
      root,
      groupCount: this.#groups,
      hasBackReferences: this.#hasBackReferences,
      warnings: this.#warnings,
    };
  }

  #next(canAnchor = false): void {
    const code = this.#codes[this.#at];
    this.#at += 1;
    if (code === undefined) this.#token = { kind: "end" };
    else if (code === 92) this.#token = this.#escape();
    else this.#token = this.#plain(String.fromCodePoint(Math.min(code, 0x10ffff)), code, canAnchor);
  }

  #plain(character: string, code: number, canAnchor: boolean): Token {
    if (character === "*" || character === "." || character === "[") return { kind: character };
    if (character === "^" && (this.#isExtended || canAnchor))
      return { kind: "anchor", sign: "line-start" };
    if (character === "$" && this.#isDollarAnchor()) return { kind: "anchor", sign: "line-end" };
    if (this.#isEmacs && (character === "+" || character === "?")) return { kind: character };
    if (this.#isExtended && isOperator(character)) return { kind: character };
    return { kind: "character", code };
  }

  #isDollarAnchor(): boolean {
    const next = this.#codes[this.#at];
    if (this.#isExtended || next === undefined) return true;
    const second = this.#codes[this.#at + 1];
    return next === 92 && (second === 41 || second === 124);
  }

  #escape(): Token {
    const code = this.#codes[this.#at];
    if (code === undefined) throw new RegExpSyntaxError("Trailing backslash");
    this.#at += 1;
    const character = String.fromCodePoint(Math.min(code, 0x10ffff));
    const isOpen = this.#isEmacs ? "()|".includes(character) : !this.#isExtended;
    if (isOpen && isOperator(character)) return { kind: character };
    if (code >= 49 && code <= 57) return { kind: "back", index: code - 48 };
    if (character === "w" || character === "W" || character === "s" || character === "S")
      return { kind: "class", name: character };
    const sign = signs.get(character);
    return sign === undefined ? { kind: "character", code } : { kind: "anchor", sign };
  }

  #choice(): Node {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) throw new RegExpSyntaxError("Regular expression too big");
    const nodes = [this.#sequence()];
    while (this.#token.kind === "|") {
      this.#next(true);
      nodes.push(this.#sequence());
    }
    this.#depth -= 1;
    const [first] = nodes;
    return first !== undefined && nodes.length === 1 ? first : { kind: "choice", nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    let isStart = true;
    for (;;) {
      const { kind } = this.#token;
      if (kind === "end" || kind === "|" || (kind === ")" && this.#depth > 1)) break;
      const node = this.#expression(isStart);
      if (node !== undefined) nodes.push(node);
      isStart = false;
    }
    const [first] = nodes;
    return first !== undefined && nodes.length === 1 ? first : { kind: "sequence", nodes };
  }

  /** An operand with its repetitions. */
  #expression(isStart: boolean): Node | undefined {
    const token = this.#token;
    if (token.kind === "anchor") {
      this.#next();
      return { kind: "assert", sign: token.sign };
    }
    if (token.kind === "*" || token.kind === "+" || token.kind === "?" || token.kind === "{") {
      const isKept = this.#misplaced(token.kind, isStart);
      if (!isKept) return undefined;
    }
    let node = this.#operand();
    let count = 0;
    for (;;) {
      const repeated = this.#repeated(node, count);
      if (repeated === undefined) return node;
      node = repeated;
      count += 1;
    }
  }

  /** An operator with nothing to repeat. Answers whether it is a character of its own. */
  #misplaced(kind: "*" | "+" | "?" | "{", isStart: boolean): boolean {
    if (!this.#isExtended) {
      if (kind === "{" && !this.#isGrep)
        throw new RegExpSyntaxError("Invalid preceding regular expression");
      return true;
    }
    if (!this.#isGrep) throw new RegExpSyntaxError("Invalid preceding regular expression");
    if (kind === "{") {
      const interval = readInterval(this.#codes, this.#at, { isExtended: true, isLenient: true });
      if (interval === undefined) return true;
      this.#at = interval.end;
    }
    this.#warnings.push(`${kind === "{" ? "{...}" : kind} at start of expression`);
    this.#next(isStart);
    return false;
  }

  #operand(): Node {
    const token = this.#token;
    switch (token.kind) {
      case "(":
        return this.#group();
      case ")":
        if (!this.#isExtended || this.#options.flavour === "sed")
          throw new RegExpSyntaxError("Unmatched ) or \\)");
        return this.#taken(this.#character(41));
      case ".":
        return this.#taken(this.#set(new CharacterSet({ ranges: [], isNegated: true })));
      case "[":
        return this.#bracket();
      case "back":
        return this.#back(token.index);
      case "class":
        return this.#taken(this.#set(this.#classSet(token.name)));
      case "character":
        return this.#taken(this.#character(token.code));
      default:
        return this.#taken(this.#character(this.#codes[this.#at - 1] ?? 0));
    }
  }

  #taken(node: Node): Node {
    this.#next();
    return node;
  }

  #set(set: CharacterSet): Node {
    return { kind: "set", set };
  }

  #character(code: number): Node {
    const { ignoreCase } = this.#options;
    const set =
      this.#characters.get(code) ?? new CharacterSet({ ranges: [[code, code]], ignoreCase });
    this.#characters.set(code, set);
    return this.#set(set);
  }

  #classSet(name: "w" | "W" | "s" | "S"): CharacterSet {
    const { isUtf8 } = this.#options;
    if (name === "w" || name === "W") return wordSet(isUtf8, name === "W");
    const members = classMembers("space", isUtf8) ?? { ranges: [] };
    return new CharacterSet({ ...members, isNegated: name === "S" });
  }

  #group(): Node {
    this.#groups += 1;
    const index = this.#groups;
    this.#next(true);
    const node = this.#choice();
    if (this.#token.kind !== ")") throw new RegExpSyntaxError("Unmatched ( or \\(");
    this.#closed.add(index);
    this.#next();
    return { kind: "group", node, index };
  }

  #back(index: number): Node {
    const group = index + (this.#options.groupsBefore ?? 0);
    if (!this.#closed.has(group)) throw new RegExpSyntaxError("Invalid back reference");
    this.#hasBackReferences = true;
    return this.#taken({ kind: "back", index: group });
  }

  #bracket(): Node {
    const { members, end } = readBracket(this.#codes, this.#at, {
      ...this.#options,
      hasClasses: !this.#isEmacs,
      refusesColons: this.#options.flavour === "grep" || this.#options.flavour === "sed",
    });
    this.#at = end;
    const { ignoreCase } = this.#options;
    return this.#taken(this.#set(new CharacterSet({ ...members, ignoreCase })));
  }

  #repeated(node: Node, count: number): Node | undefined {
    const { kind } = this.#token;
    const isDouble = count > 0 && !this.#isExtended && !this.#isGrep;
    if (isDouble && (kind === "*" || kind === "{"))
      throw new RegExpSyntaxError("Invalid preceding regular expression");
    const most = Number.POSITIVE_INFINITY;
    switch (kind) {
      case "*":
        return this.#taken({ kind: "repeat", node, least: 0, most });
      case "+":
        return this.#taken({ kind: "repeat", node, least: 1, most });
      case "?":
        return this.#taken({ kind: "repeat", node, least: 0, most: 1 });
      case "{":
        return this.#interval(node);
      default:
        return undefined;
    }
  }

  #interval(node: Node): Node | undefined {
    const isLenient = this.#isExtended && this.#isGrep;
    const interval = readInterval(this.#codes, this.#at, {
      isExtended: this.#isExtended,
      isLenient,
    });
    if (interval === undefined) {
      this.#token = { kind: "character", code: 123 };
      return undefined;
    }
    this.#at = interval.end;
    this.#next();
    return { kind: "repeat", node, least: interval.least, most: interval.most };
  }
}
