import { RegExpSyntaxError } from "../regexp/errors.ts";

const classes = new Map([
  ["alpha", "A-Za-z"],
  ["digit", "0-9"],
  ["alnum", "0-9A-Za-z"],
  ["upper", "A-Z"],
  ["lower", "a-z"],
  ["blank", " \\t"],
  ["space", " \\t-\\r"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["print", " -~"],
  ["graph", "!-~"],
  ["cntrl", "\\x00-\\x1f\\x7f"],
  ["xdigit", "0-9A-Fa-f"],
  ["word", "\\w"],
  ["ascii", "\\x00-\\x7f"],
]);

const escapes = new Map([
  ["a", "\\x07"],
  ["b", "\\x08"],
  ["e", "\\x1b"],
  ["h", " \\t\\xa0"],
  ["v", "\\n-\\r\\x85\\u2028\\u2029"],
  ["s", " \\t-\\r"],
  ["d", "\\d"],
  ["D", "\\D"],
  ["w", "\\w"],
  ["W", "\\W"],
  ["S", "\\S"],
  ["n", "\\n"],
  ["r", "\\r"],
  ["t", "\\t"],
  ["f", "\\f"],
]);

interface PerlBracket {
  readonly source: string;
  /** Behind the closing bracket. */
  readonly end: number;
}

const member =
  /\[:(\^?)(\w*):\]|\\x\{([0-9a-fA-F]+)\}|\\x([0-9a-fA-F]{0,2})|\\([0-7]{1,3})|\\([pP]\{\^?\w+\})|\\([^])|([^])/uy;

/** A bracket expression that starts at `from`. Fails with a RegExpSyntaxError in PCRE's words. */
export function readPerlBracket(pattern: string, from: number, ignoreCase: boolean): PerlBracket {
  const isNegated = pattern[from + 1] === "^";
  let at = from + (isNegated ? 2 : 1);
  let made = "";
  let before: number | undefined;
  let isClass = false;
  for (let isFirst = true; ; isFirst = false) {
    if (at >= pattern.length)
      throw new RegExpSyntaxError("missing terminating ] for character class");
    if (pattern[at] === "]" && !isFirst) break;
    const isDash = pattern[at] === "-" && !isFirst && pattern[at + 1] !== "]";
    if (isDash && isClass) throw new RegExpSyntaxError("invalid range in character class");
    const isRange = isDash && before !== undefined;
    if (isRange) at += 1;
    member.lastIndex = at;
    const match = member.exec(pattern);
    at += match?.[0].length ?? 1;
    const { code, source } = readMember(match ?? []);
    isClass = code === undefined;
    if (isRange) {
      if (code === undefined) throw new RegExpSyntaxError("invalid range in character class");
      if (code < (before ?? 0))
        throw new RegExpSyntaxError("range out of order in character class");
      made += `-${source}${ignoreCase ? rangeInOtherCase(before ?? 0, code) : ""}`;
      before = undefined;
      continue;
    }
    made += source;
    if (ignoreCase && code !== undefined) made += letterInOtherCase(code);
    before = ignoreCase && pattern[at] !== "-" ? undefined : code;
  }
  return { source: `[${isNegated ? "^" : ""}${made}]`, end: at + 1 };
}

function readMember(match: readonly (string | undefined)[]): {
  readonly code: number | undefined;
  readonly source: string;
} {
  const [, not, name, braced, hex, octal, property, escaped, plain] = match;
  if (name !== undefined) {
    const members = classes.get(name);
    if (members === undefined) throw new RegExpSyntaxError("unknown POSIX class name");
    if (not === "^") throw new RegExpSyntaxError("[:^class:] is not supported");
    return { code: undefined, source: members };
  }
  if (property !== undefined) return { code: undefined, source: `\\${property}` };
  const digits = braced ?? hex;
  const number =
    digits === undefined
      ? octal === undefined
        ? undefined
        : Number.parseInt(octal, 8)
      : Number.parseInt(digits || "0", 16);
  if (number !== undefined) return { code: number, source: `\\u{${number.toString(16)}}` };
  const known = escaped === undefined ? undefined : escapes.get(escaped);
  if (known !== undefined) return { code: undefined, source: known };
  const character = escaped ?? plain ?? "";
  const source = /[\\\]^[-]/.test(character) ? `\\${character}` : character;
  return { code: character.codePointAt(0), source };
}

function letterInOtherCase(code: number): string {
  const text = String.fromCodePoint(code);
  const other = text.toLowerCase() === text ? text.toUpperCase() : text.toLowerCase();
  return other !== text && other.length === text.length ? other : "";
}

function rangeInOtherCase(from: number, to: number): string {
  const isLetters = (low: number) => from >= low && to < low + 26;
  if (!isLetters(97) && !isLetters(65)) return "";
  return `${String.fromCodePoint(from ^ 32)}-${String.fromCodePoint(to ^ 32)}`;
}
