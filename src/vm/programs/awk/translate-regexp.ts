/**
 * POSIX extended regular expressions, with GNU's extensions, as JavaScript's: V8 says quickly whether
 * a short text matches. Of alternatives it takes the first, so it does not say how long a match is.
 */
import { RegExpSyntaxError } from "../regexp/errors.ts";

/** The source for a RegExp with the flag `u`. Fails with a RegExpSyntaxError. */
export function translateRegExp(source: string): string {
  return new Translator(source).translate();
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
  #at = 0;
  #made = "";
  #depth = 0;
  /** Nothing a repetition could repeat stands before. */
  #isStart = true;

  constructor(source: string) {
    this.#source = source;
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

  /** The operator a token is; undefined for an operand. */
  #operator(token: string): string | undefined {
    return "(){|+?*".includes(token) ? token : undefined;
  }

  #addOperand(token: string): void {
    if (token === ".") this.#put("[^]", false);
    else if (token === "[") this.#put(this.#bracket(), false);
    else if (token === "^") this.#made += "^";
    else if (token === "$") this.#put("$", false);
    else if (token.startsWith("\\")) this.#addEscape(token.slice(1));
    else this.#put(escapeCharacter(token), false);
  }

  #addEscape(character: string): void {
    if (/[1-9]/.test(character)) {
      this.#put(`\\${character}(?:)`, false);
      return;
    }
    this.#put(escapes.get(character) ?? escapeCharacter(character), false);
  }

  #repeat(operator: string): void {
    if (this.#isStart) {
      if (operator === "*") return;
      this.#put(`\\${operator}`, false);
      return;
    }
    this.#made = makeRepeatable(this.#made);
    this.#made += operator;
  }

  #interval(): void {
    const end = this.#source.indexOf("}", this.#at);
    const body = end === -1 ? "" : this.#source.slice(this.#at, end);
    const match = /^(\d*)(,?)(\d*)$/.exec(body);
    if (this.#isStart || match === null || body === "" || body === ",") {
      this.#put("\\{", false);
      return;
    }
    const [, from = "", comma = "", to = ""] = match;
    if (Number(from) > 32767 || Number(to) > 32767)
      throw new RegExpSyntaxError("Regular expression too big");
    if (to !== "" && Number(to) < Number(from))
      throw new RegExpSyntaxError("Invalid content of \\{\\}");
    this.#at = end + 1;
    this.#made = `${makeRepeatable(this.#made)}{${from === "" ? "0" : from}${comma}${to}}`;
  }

  #bracket(): string {
    let at = this.#at;
    let made = "[";
    if (this.#source[at] === "^") {
      made += "^";
      at += 1;
    }
    for (let isFirst = true; at < this.#source.length; isFirst = false) {
      const character = String.fromCodePoint(this.#source.codePointAt(at) ?? 0);
      if (character === "]" && !isFirst) {
        this.#at = at + 1;
        return `${made}]`;
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
  ["space", "\\s"],
  ["upper", "\\p{Lu}"],
  ["lower", "\\p{Ll}"],
  ["blank", " \\t"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["print", " -~\\u{a0}-\\u{10ffff}"],
  ["graph", "!-~\\u{a1}-\\u{10ffff}"],
  ["cntrl", "\\x00-\\x1f\\x7f"],
  ["xdigit", "0-9A-Fa-f"],
]);
