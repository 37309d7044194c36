import { isWordCode, RAW } from "./characters.ts";

/** Members of a set before it is looked at: ranges, both ends in, and tests. */
export interface SetMembers {
  readonly ranges: readonly (readonly [number, number])[];
  readonly tests?: readonly ((code: number) => boolean)[];
  readonly isNegated?: boolean;
  readonly ignoreCase?: boolean;
}

/** A set of characters: one character, a bracket expression, a dot. Answers are kept for bytes. */
export class CharacterSet {
  readonly #members: SetMembers;
  #known: Int8Array | undefined;

  constructor(members: SetMembers) {
    this.#members = members;
  }

  has(code: number): boolean {
    if (code >= 256) return this.#looksUp(code);
    this.#known ??= new Int8Array(256);
    if (this.#known[code] === 0) this.#known[code] = this.#looksUp(code) ? 1 : -1;
    return this.#known[code] === 1;
  }

  /** The one character it holds; undefined for more or none. */
  get only(): number | undefined {
    const { ranges, tests, isNegated, ignoreCase } = this.#members;
    const [first] = ranges;
    if (first === undefined || ranges.length > 1 || first[0] !== first[1]) return undefined;
    if ((tests?.length ?? 0) > 0 || isNegated === true) return undefined;
    return ignoreCase === true && otherCases(first[0]).length > 0 ? undefined : first[0];
  }

  #looksUp(code: number): boolean {
    const { isNegated, ignoreCase } = this.#members;
    if (isNegated === true && code >= RAW) return false;
    const isMember =
      this.#holds(code) ||
      (ignoreCase === true && otherCases(code).some((other) => this.#holds(other)));
    return isMember !== (isNegated === true);
  }

  #holds(code: number): boolean {
    const { ranges, tests = [] } = this.#members;
    return (
      ranges.some(([from, to]) => code >= from && code <= to) || tests.some((test) => test(code))
    );
  }
}

/** The same letter in its other cases; characters that become several have none. */
export function otherCases(code: number): number[] {
  if (code >= 0x80 && (code < 0x100 || code >= RAW) && code !== 0xb5 && code < 0xc0) return [];
  if (code >= RAW) return [];
  const text = String.fromCodePoint(code);
  const cases = [text.toLowerCase(), text.toUpperCase()].filter(
    (other) => other !== text && [...other].length === 1,
  );
  return cases.map((other) => other.codePointAt(0) ?? 0);
}

const unicode = (source: string) => {
  const pattern = new RegExp(source, "u");
  return (code: number) => code >= 128 && code < RAW && pattern.test(String.fromCodePoint(code));
};

const asciiRanges = new Map<string, readonly (readonly [number, number])[]>([
  [
    "alpha",
    [
      [65, 90],
      [97, 122],
    ],
  ],
  ["digit", [[48, 57]]],
  [
    "alnum",
    [
      [48, 57],
      [65, 90],
      [97, 122],
    ],
  ],
  ["upper", [[65, 90]]],
  ["lower", [[97, 122]]],
  [
    "blank",
    [
      [9, 9],
      [32, 32],
    ],
  ],
  [
    "space",
    [
      [9, 13],
      [32, 32],
    ],
  ],
  [
    "punct",
    [
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ],
  ],
  ["print", [[32, 126]]],
  ["graph", [[33, 126]]],
  [
    "cntrl",
    [
      [0, 31],
      [127, 127],
    ],
  ],
  [
    "xdigit",
    [
      [48, 57],
      [65, 70],
      [97, 102],
    ],
  ],
]);

const unicodeTests = new Map<string, (code: number) => boolean>([
  ["alpha", unicode("[\\p{L}\\p{M}\\p{N}]")],
  ["alnum", unicode("[\\p{L}\\p{M}\\p{N}]")],
  ["upper", unicode("\\p{Lu}")],
  ["lower", unicode("\\p{Ll}")],
  ["blank", unicode("(?![\\u00a0\\u2007\\u202f])\\p{Zs}")],
  ["space", unicode("(?![\\u00a0\\u2007\\u202f\\ufeff])\\s")],
  ["punct", unicode("[\\p{P}\\p{S}]")],
  ["print", unicode("[^\\p{C}]")],
  ["graph", unicode("[^\\p{C}\\p{Z}]")],
  ["cntrl", unicode("[\\p{Cc}\\u2028\\u2029]")],
]);

/** The members of `[:name:]`; undefined where there is no such class. */
export function classMembers(name: string, isUtf8: boolean): SetMembers | undefined {
  const ranges = asciiRanges.get(name);
  if (ranges === undefined) return undefined;
  const test = isUtf8 ? unicodeTests.get(name) : undefined;
  return { ranges, tests: test === undefined ? [] : [test] };
}

/** `\w` and `\W`. */
export function wordSet(isUtf8: boolean, isNegated: boolean): CharacterSet {
  const test = (code: number) => (isUtf8 || code < 128) && isWordCode(code);
  return new CharacterSet({ ranges: [], tests: [test], isNegated });
}
