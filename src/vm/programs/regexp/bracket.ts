import { classMembers, type SetMembers } from "./character-set.ts";
import { RegExpSyntaxError } from "./errors.ts";

interface BracketOptions {
  readonly isUtf8: boolean;
  readonly ignoreCase: boolean;
  /** False in Emacs' syntax, which has no `[:alpha:]`. */
  readonly hasClasses: boolean;
  /** Whether what looks like a class without its brackets is refused. */
  readonly refusesColons: boolean;
}

interface Bracket {
  readonly members: SetMembers;
  /** Behind the closing bracket. */
  readonly end: number;
}

/** What stands behind an opening bracket. Fails with a RegExpSyntaxError. */
export function readBracket(
  codes: readonly number[],
  from: number,
  options: BracketOptions,
): Bracket {
  return new BracketReader(codes, from, options).read();
}

/** A pattern that asks for `[[:space:]]` and says `[:space:]`: refused beyond all syntax. */
export class ColonClassError extends RegExpSyntaxError {
  constructor() {
    super("character class syntax is [[:space:]], not [:space:]");
  }
}

type Element =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "class"; readonly members: SetMembers };

const CLOSE = 93;
const DASH = 45;
const COLON = 58;

class BracketReader {
  readonly #codes: readonly number[];
  readonly #options: BracketOptions;
  readonly #ranges: (readonly [number, number])[] = [];
  readonly #tests: ((code: number) => boolean)[] = [];
  readonly #from: number;
  #at: number;
  #isPlain = true;

  constructor(codes: readonly number[], from: number, options: BracketOptions) {
    this.#codes = codes;
    this.#from = from;
    this.#at = from;
    this.#options = options;
  }

  read(): Bracket {
    if (this.#codes[this.#at] === undefined)
      throw new RegExpSyntaxError("Invalid regular expression");
    const isNegated = this.#codes[this.#at] === 94;
    if (isNegated) this.#at += 1;
    if (this.#codes[this.#at] === undefined)
      throw new RegExpSyntaxError("Invalid regular expression");
    for (let isFirst = true; isFirst || this.#peek() !== CLOSE; isFirst = false)
      this.#member(isFirst);
    this.#refuseColons();
    this.#at += 1;
    return {
      members: { ranges: this.#ranges, tests: this.#tests, isNegated },
      end: this.#at,
    };
  }

  #peek(): number {
    const code = this.#codes[this.#at];
    if (code === undefined) throw new RegExpSyntaxError("Unmatched [, [^, [:, [., or [=");
    return code;
  }

  #refuseColons(): void {
    const isLong = this.#at - this.#from > 2;
    const hasColons = this.#codes[this.#from] === COLON && this.#codes[this.#at - 1] === COLON;
    if (this.#options.refusesColons && this.#isPlain && isLong && hasColons)
      throw new ColonClassError();
  }

  #member(isFirst: boolean): void {
    if (this.#peek() === DASH && !isFirst && this.#codes[this.#at + 1] !== CLOSE) {
      throw new RegExpSyntaxError("Invalid range end");
    }
    const start = this.#element();
    const isRange = this.#peek() === DASH && this.#codes[this.#at + 1] !== CLOSE;
    if (!isRange) {
      this.#add(start);
      return;
    }
    this.#at += 1;
    this.#isPlain = false;
    const end = this.#peek() === DASH ? this.#dash() : this.#element();
    if (start.kind === "class" || end.kind === "class" || start.code > end.code)
      throw new RegExpSyntaxError("Invalid range end");
    this.#ranges.push([start.code, end.code]);
  }

  #dash(): Element {
    this.#at += 1;
    if (this.#peek() !== CLOSE) throw new RegExpSyntaxError("Invalid range end");
    return { kind: "character", code: DASH };
  }

  #add(element: Element): void {
    if (element.kind === "character") {
      this.#ranges.push([element.code, element.code]);
      return;
    }
    this.#ranges.push(...element.members.ranges);
    this.#tests.push(...(element.members.tests ?? []));
  }

  #element(): Element {
    const code = this.#peek();
    const mark = this.#codes[this.#at + 1];
    if (this.#options.hasClasses && code === 91 && (mark === COLON || mark === 46 || mark === 61)) {
      const named = this.#named(mark);
      if (named !== undefined) return named;
    }
    this.#at += 1;
    return { kind: "character", code };
  }

  /** `[:alpha:]`, `[.-.]`, `[=a=]`. */
  #named(mark: number): Element | undefined {
    let end = this.#at + 2;
    while (
      end < this.#codes.length &&
      !(this.#codes[end] === mark && this.#codes[end + 1] === CLOSE)
    )
      end += 1;
    if (end >= this.#codes.length) {
      if (mark === COLON) return undefined;
      throw new RegExpSyntaxError("Unmatched [, [^, [:, [., or [=");
    }
    const name = this.#codes.slice(this.#at + 2, end);
    this.#at = end + 2;
    this.#isPlain = false;
    if (mark === COLON) return { kind: "class", members: this.#class(name) };
    const [only] = name;
    if (only === undefined || name.length !== 1)
      throw new RegExpSyntaxError("Invalid collation character");
    return { kind: "character", code: only };
  }

  #class(codes: readonly number[]): SetMembers {
    const name = String.fromCodePoint(
      ...codes.slice(0, 16).map((code) => Math.min(code, 0x10ffff)),
    );
    const isLetter = this.#options.ignoreCase && (name === "upper" || name === "lower");
    const members = classMembers(isLetter ? "alpha" : name, this.#options.isUtf8);
    if (members === undefined) throw new RegExpSyntaxError("Invalid character class name");
    return members;
  }
}
