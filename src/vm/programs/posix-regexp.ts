/**
 * POSIX basic and extended regular expressions, with GNU's extensions, as JavaScript's.
 *
 * Deviation: alternation takes the first alternative that matches, not the longest.
 */

export interface RegExpStyle {
  readonly syntax: "basic" | "extended";
  /** The text holds many lines and the flag `m` is set: nothing matches a newline. */
  readonly isMultiline?: boolean;
}

/** A regular expression that POSIX does not know, in GNU's words. */
export class RegExpSyntaxError extends Error {}

/** The source for a RegExp with the flag `u`. */
export function translateRegExp(source: string, style: RegExpStyle): string {
  return new Translator(source, style).translate();
}

const escapes = new Map([
  ["w", "\\w"],
  ["W", "[^\\w\\n]"],
  ["s", "\\s"],
  ["S", "\\S"],
  ["b", "\\b"],
  ["B", "\\B"],
  ["<", "\\b(?=\\w)"],
  [">", "\\b(?<=\\w)"],
  ["`", "^"],
  ["'", "$"],
]);

class Translator {
  readonly #source: string;
  readonly #isExtended: boolean;
  readonly #newline: string;
  #at = 0;
  #made = "";
  #depth = 0;
  /** Nothing a repetition could repeat stands before. */
  #isStart = true;

  constructor(source: string, style: RegExpStyle) {
    this.#source = source;
    this.#isExtended = style.syntax === "extended";
    this.#newline = style.isMultiline === true ? "\\n" : "";
  }

  translate(): string {
    while (this.#at < this.#source.length) {
      const token = this.#token();
      this.#at += token.length;
      this.#add(token);
    }
    if (this.#depth > 0) throw new RegExpSyntaxError("Unmatched ( or \\(");
    return this.#made;
  }

  /** One character, or a backslash with the character it stands before. */
  #token(): string {
    const first = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    if (first !== "\\") return first;
    const second = this.#source.codePointAt(this.#at + 1);
    if (second === undefined) throw new RegExpSyntaxError("Trailing backslash");
    return first + String.fromCodePoint(second);
  }

  #add(token: string): void {
    const operator = this.#operator(token);
    switch (operator) {
      case "(":
        this.#depth += 1;
        this.#put("(", true);
        return;
      case ")":
        if (this.#depth === 0) {
          if (!this.#isExtended) throw new RegExpSyntaxError("Unmatched ) or \\)");
          this.#put("\\)", false);
          return;
        }
        this.#depth -= 1;
        this.#put(")", false);
        return;
      case "|":
        this.#put("|", true);
        return;
      case "*":
      case "+":
      case "?":
        this.#repeat(operator);
        return;
      case "{":
        this.#interval();
        return;
      default:
        this.#addOperand(token);
    }
  }

  /** The operator a token is in this syntax; undefined for an operand. */
  #operator(token: string): string | undefined {
    if (token === "*") return "*";
    const isEscaped = token.startsWith("\\");
    if (isEscaped === this.#isExtended) return undefined;
    const character = isEscaped ? token.slice(1) : token;
    return "(){|+?".includes(character) ? character : undefined;
  }

  #addOperand(token: string): void {
    if (token === ".") this.#put(this.#newline === "" ? "[^]" : "[^\\n]", false);
    else if (token === "[") this.#put(this.#bracket(), false);
    else if (token === "^") this.#addCaret();
    else if (token === "$") this.#addDollar();
    else if (token.startsWith("\\")) this.#addEscape(token.slice(1));
    else this.#put(escapeCharacter(token), false);
  }

  #addCaret(): void {
    if (this.#isExtended || this.#isStart) {
      this.#made += "^";
      return;
    }
    this.#put("\\^", false);
  }

  #addDollar(): void {
    const rest = this.#source.slice(this.#at);
    const isAnchor =
      this.#isExtended || rest === "" || rest.startsWith("\\)") || rest.startsWith("\\|");
    this.#put(isAnchor ? "$" : "\\$", false);
  }

  #addEscape(character: string): void {
    if (/[1-9]/.test(character)) {
      this.#put(`\\${character}(?:)`, false);
      return;
    }
    if (character === "s" && this.#newline !== "") this.#put("[^\\S\\n]", false);
    else this.#put(escapes.get(character) ?? escapeCharacter(character), false);
  }

  #repeat(operator: string): void {
    if (this.#isStart) {
      if (this.#isExtended && operator === "*") return;
      this.#put(`\\${operator}`, false);
      return;
    }
    this.#made = makeRepeatable(this.#made);
    this.#made += operator;
  }

  #interval(): void {
    const close = this.#isExtended ? "}" : "\\}";
    const end = this.#source.indexOf(close, this.#at);
    const body = end === -1 ? "" : this.#source.slice(this.#at, end);
    const match = /^(\d*)(,?)(\d*)$/.exec(body);
    const isValid = end !== -1 && match !== null && body !== "" && body !== ",";
    if (this.#isStart || !isValid) {
      if (!this.#isExtended) {
        if (end === -1) throw new RegExpSyntaxError("Unmatched \\{");
        throw new RegExpSyntaxError(
          this.#isStart ? "Invalid preceding regular expression" : "Invalid content of \\{\\}",
        );
      }
      this.#put("\\{", false);
      return;
    }
    const [, from = "", comma = "", to = ""] = match;
    if (Number(from) > 32767 || Number(to) > 32767)
      throw new RegExpSyntaxError("Regular expression too big");
    if (to !== "" && Number(to) < Number(from))
      throw new RegExpSyntaxError("Invalid content of \\{\\}");
    this.#at = end + close.length;
    this.#made = `${makeRepeatable(this.#made)}{${from === "" ? "0" : from}${comma}${to}}`;
  }

  #bracket(): string {
    let at = this.#at;
    let made = "[";
    let isNegated = false;
    if (this.#source[at] === "^") {
      isNegated = true;
      made += "^";
      at += 1;
    }
    for (let isFirst = true; at < this.#source.length; isFirst = false) {
      const character = String.fromCodePoint(this.#source.codePointAt(at) ?? 0);
      if (character === "]" && !isFirst) {
        this.#at = at + 1;
        return `${made}${isNegated ? this.#newline : ""}]`;
      }
      const named = /^\[([:.=])(.+?)\1\]/u.exec(this.#source.slice(at, at + 24));
      if (named !== null) {
        made += this.#namedMember(named[1] ?? "", named[2] ?? "");
        at += named[0].length;
        continue;
      }
      made += character === "-" ? dash(this.#source, at, isFirst) : escapeMember(character);
      at += character.length;
    }
    throw new RegExpSyntaxError("Unmatched [, [^, [:, [., or [=");
  }

  #namedMember(kind: string, name: string): string {
    if (kind !== ":") return escapeMember(name);
    if (name === "space") return this.#newline === "" ? "\\s" : " \\t\\r\\f\\v";
    const members = classes.get(name);
    if (members === undefined) throw new RegExpSyntaxError("Invalid character class name");
    return members;
  }

  #put(text: string, isStart: boolean): void {
    this.#made += text;
    this.#isStart = isStart;
  }
}

/** JavaScript repeats neither a repetition nor an assertion: `a**`, `^*`. */
function makeRepeatable(made: string): string {
  if (!/(?:[*+?}]|\\b|\\B|\))$/.test(made) || /\\[*+?})]$/.test(made)) return made;
  const start = lastAtom(made);
  return `${made.slice(0, start)}(?:${made.slice(start)})`;
}

/** Where the last atom with its repetitions starts. */
function lastAtom(made: string): number {
  let best = 0;
  const atom =
    /(?:\\u\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?[:=!]|\?<[=!])?|[^])(?:[*+?]|\{[\d,]+\})*/gsu;
  const opened: number[] = [];
  for (const match of made.matchAll(atom)) {
    const [text] = match;
    if (text.startsWith("(")) opened.push(match.index);
    else best = text.startsWith(")") ? (opened.pop() ?? match.index) : match.index;
  }
  return best;
}

function escapeCharacter(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

function escapeMember(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}

function dash(source: string, at: number, isFirst: boolean): string {
  return isFirst || source[at + 1] === "]" ? "\\-" : "-";
}

const classes = new Map([
  ["alpha", "\\p{L}"],
  ["digit", "0-9"],
  ["alnum", "\\p{L}\\p{Nd}"],
  ["upper", "\\p{Lu}"],
  ["lower", "\\p{Ll}"],
  ["blank", " \\t"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["print", " -~\\u{a0}-\\u{10ffff}"],
  ["graph", "!-~\\u{a1}-\\u{10ffff}"],
  ["cntrl", "\\x00-\\x1f\\x7f"],
  ["xdigit", "0-9A-Fa-f"],
]);
