/**
 * Perl's regular expressions, as PCRE takes them, into JavaScript's with the flag `u`.
 *
 * Deviation: grep -P knows no recursion, conditionals, verbs, branch reset, \G, \C and \X, and atomic
 * groups and possessive quantifiers only where they match the same as ordinary ones.
 */
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { readPerlBracket } from "./perl-bracket.ts";
import { groupStart, otherCase, simpleEscapes } from "./perl-escapes.ts";

export interface PerlPattern {
  readonly source: string;
  readonly ignoreCase: boolean;
  /** Group 1 is what `\K` keeps out of the match. */
  readonly hasKept: boolean;
}

/** Fails with a RegExpSyntaxError in PCRE's words. */
export function translatePerl(pattern: string, ignoreCase: boolean): PerlPattern {
  return new PerlTranslator(pattern, ignoreCase).translate();
}

const quantifier = /(?:[*+?]|\{\d+(?:,\d*)?\})/y;

interface OpenGroup {
  readonly ignoreCase: boolean;
  readonly isSpaced: boolean;
  readonly isDotAll: boolean;
  readonly isMultiline: boolean;
  readonly isBehind: boolean;
  /** Where the body of an atomic group starts in what is made. */
  atomic: number;
}

/** PCRE's own. */
const DEPTH_LIMIT = 250;

class PerlTranslator {
  readonly #pattern: string;
  readonly #groupCount: number;
  readonly #hasKept: boolean;
  #ignoreCase: boolean;
  #isFlag = false;
  #isSpaced = false;
  #at = 0;
  #made = "";
  #groups = 0;
  #isDotAll = false;
  #isMultiline = false;
  readonly #open: OpenGroup[] = [];
  /** Where the last item starts in what is made; -1 where nothing can be repeated. */
  #item = -1;

  constructor(pattern: string, ignoreCase: boolean) {
    this.#pattern = pattern.replace(/^(?:\(\*(?:UTF8?|UCP)\))+/, "");
    this.#isFlag = ignoreCase;
    this.#ignoreCase = false;
    const plain = this.#pattern.replace(
      /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/gs,
      "",
    );
    this.#groupCount = (plain.match(/\((?!\?(?!P?<[A-Za-z_]|'))(?!\*)/g) ?? []).length;
    this.#hasKept = /\\K/.test(this.#pattern.replace(/\\[^K]/gs, ""));
  }

  translate(): PerlPattern {
    while (this.#at < this.#pattern.length) this.#token();
    if (this.#open.length > 0) throw new RegExpSyntaxError("missing closing parenthesis");
    return { source: this.#made, ignoreCase: this.#isFlag, hasKept: this.#hasKept };
  }

  #put(text: string): void {
    this.#item = this.#made.length;
    this.#made += text;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#pattern);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  #token(): void {
    if (this.#isSpaced && this.#take(/\s+|#[^\n]*\n?/y) !== null) return;
    if (this.#take(/\(\?#[^)]*\)/y) !== null) return;
    const quoted = this.#take(/\\Q([^]*?)(?:\\E|$)/y);
    if (quoted !== null) {
      for (const character of quoted[1] ?? "") this.#put(this.#literal(character));
      return;
    }
    if (this.#take(/\\E/y) !== null) return;
    const repeat = this.#take(quantifier);
    if (repeat !== null) {
      this.#repeat(repeat[0]);
      return;
    }
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    if (character === "(") this.#group();
    else if (character === ")") this.#close();
    else if (character === "[") this.#bracket();
    else if (character === "\\") this.#escape();
    else {
      this.#at += character.length;
      this.#character(character);
    }
  }

  #character(character: string): void {
    if (character === "|") {
      this.#made += "|";
      this.#item = -1;
    } else if (character === "^") this.#put(this.#isMultiline ? "(?<=^|\\n)" : "^");
    else if (character === "$") this.#put(this.#isMultiline ? "(?=$|\\n)" : "$");
    else if (character === ".") this.#put(this.#isDotAll ? "[^]" : "[^\\n]");
    else this.#put(this.#literal(character));
  }

  #literal(character: string): string {
    const other = this.#ignoreCase ? otherCase(character) : "";
    const escaped = /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
    return other === "" ? escaped : `[${escaped}${other}]`;
  }

  #repeat(text: string): void {
    if (this.#item === -1)
      throw new RegExpSyntaxError("quantifier does not follow a repeatable item");
    const [, from = "", to = ""] = /^\{(\d+),(\d+)\}$/.exec(text) ?? [];
    if (to !== "" && Number(to) < Number(from))
      throw new RegExpSyntaxError("numbers out of order in {} quantifier");
    if (this.#open.some(({ isBehind }) => isBehind) && !/^\{(\d+)(?:,\1)?\}$/.test(text))
      throw new RegExpSyntaxError("lookbehind assertion is not fixed length");
    const atom = this.#made.slice(this.#item);
    if (/^(?:[\^$]|\\[bB])$/.test(atom))
      this.#made = `${this.#made.slice(0, this.#item)}(?:${atom})`;
    this.#made += text;
    if (this.#take(/\?/y) !== null) this.#made += "?";
    else if (this.#take(/\+/y) !== null) this.#allowPossessive(atom);
    this.#item = -1;
  }

  /** Fails unless what follows cannot match what the atom takes. */
  #allowPossessive(atom: string): void {
    const rest = this.#pattern.slice(this.#at);
    if (/^(?:\)*$|\|)/.test(rest)) return;
    const next = /^(?:[^\\[\](){}.^$*+?|]|\\[^A-Za-z0-9])/u.exec(rest)?.[0].slice(-1);
    const isSingle = /^(?:\\?[^]|\[(?:\\[^]|[^\]\\])*\]|\\[dwDW])$/u.test(atom);
    if (next !== undefined && isSingle && !new RegExp(`^(?:${atom})$`, "u").test(next)) return;
    throw new RegExpSyntaxError("possessive quantifiers and atomic groups are not supported here");
  }

  #group(): void {
    if (this.#open.length >= DEPTH_LIMIT)
      throw new RegExpSyntaxError("parentheses are too deeply nested");
    const start = this.#take(
      /\((?:\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'|<?[=!]|:|>|[a-zA-Z^-]*[:)]|P=(\w+)\)|[^]?)|\*)?/y,
    );
    const [text = "", named, quotedName, reference] = start ?? [];
    if (reference !== undefined) {
      this.#put(`\\k<${reference}>`);
      return;
    }
    const name = named ?? quotedName;
    const flags = /^\(\?([imsxnJU]*(?:-[imsx]+)?)([:)])$/.exec(text);
    if (flags !== null && text !== "(?:") {
      this.#flags(flags[1] ?? "", flags[2] === ":");
      return;
    }
    if (text === "(?<" || text === "(?P" || text === "(?'")
      throw new RegExpSyntaxError("syntax error in subpattern name (missing terminator?)");
    const isKnown = ["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>"].includes(text);
    if (!isKnown && name === undefined) this.#refuse(text);
    this.#push(text === "(?<=" || text === "(?<!");
    if (text === "(?>") this.#made += "(?:";
    else this.#made += name === undefined ? text : `(?<${name}>`;
    if (text === "(" || name !== undefined) this.#groups += 1;
    const opened = this.#open.at(-1);
    if (opened !== undefined && text === "(?>") opened.atomic = this.#made.length;
    this.#item = -1;
  }

  #refuse(text: string): never {
    if (/^\(\?[^RC(|0-9&+*-]$/.test(text))
      throw new RegExpSyntaxError("unrecognized character after (? or (?-");
    throw new RegExpSyntaxError(`${text}... is not supported in Perl regular expressions`);
  }

  #push(isBehind: boolean): void {
    this.#open.push({
      ignoreCase: this.#ignoreCase,
      isSpaced: this.#isSpaced,
      isDotAll: this.#isDotAll,
      isMultiline: this.#isMultiline,
      isBehind,
      atomic: -1,
    });
  }

  #flags(text: string, isGroup: boolean): void {
    if (isGroup) this.#push(false);
    const [on = "", off = ""] = text.split("-");
    if (on.includes("i")) {
      if (this.#made === "" && !isGroup) this.#isFlag = true;
      else this.#ignoreCase = true;
    }
    if (off.includes("i")) this.#ignoreCase = false;
    if (on.includes("x")) this.#isSpaced = true;
    if (off.includes("x")) this.#isSpaced = false;
    if (/[sm]/.test(text)) {
      this.#isDotAll = on.includes("s") || (this.#isDotAll && !off.includes("s"));
      this.#isMultiline = on.includes("m") || (this.#isMultiline && !off.includes("m"));
    }
    if (isGroup) this.#made += "(?:";
    this.#item = -1;
  }

  #close(): void {
    const opened = this.#open.pop();
    if (opened === undefined) throw new RegExpSyntaxError("unmatched closing parenthesis");
    this.#at += 1;
    this.#ignoreCase = opened.ignoreCase;
    this.#isSpaced = opened.isSpaced;
    this.#isDotAll = opened.isDotAll;
    this.#isMultiline = opened.isMultiline;
    if (opened.atomic !== -1) {
      const body = /^(.*?)(?:[*+?]|\{\d+(?:,\d*)?\})$/su.exec(this.#made.slice(opened.atomic));
      this.#allowPossessive(body?.[1] ?? "(");
    }
    this.#made += ")";
    this.#item = groupStart(this.#made);
  }

  #bracket(): void {
    const { source, end } = readPerlBracket(this.#pattern, this.#at, this.#ignoreCase);
    this.#at = end;
    this.#put(source);
  }

  #escape(): void {
    this.#at += 1;
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#pattern.length) throw new RegExpSyntaxError("\\ at end of pattern");
    const code = this.#take(/x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{0,2})|o\{([0-7]+)\}|(0[0-7]{0,2})/y);
    if (code !== null) {
      const [, braced, hex, octal, zero] = code;
      const digits = braced ?? hex ?? octal ?? zero ?? "0";
      const base = braced !== undefined || hex !== undefined ? 16 : 8;
      this.#put(`\\u{${Number.parseInt(digits || "0", base).toString(16)}}`);
      return;
    }
    const reference = this.#take(
      /g?\{?([+-]?[1-9]\d?)\}?|k(?:<(\w+)>|\{(\w+)\}|'(\w+)')|g\{([A-Za-z_]\w*)\}/y,
    );
    if (reference !== null) {
      this.#reference(reference[1], reference[2] ?? reference[3] ?? reference[4] ?? reference[5]);
      return;
    }
    const property = this.#take(/[pP](?:\{\^?\w+\}|[A-Z])/y);
    if (property !== null) this.#put(`\\${property[0].replace(/^([pP])([A-Z])$/, "$1{$2}")}`);
    else this.#simpleEscape(character);
  }

  #reference(number: string | undefined, name: string | undefined): void {
    if (name !== undefined) {
      this.#put(`\\k<${name}>`);
      return;
    }
    const given = Number(number);
    const group = number?.startsWith("-") === true ? this.#groups + 1 + given : given;
    if (group < 1 || group > this.#groupCount)
      throw new RegExpSyntaxError("reference to non-existent subpattern");
    this.#put(`(?:\\${group + (this.#hasKept ? 1 : 0)})`);
  }

  #simpleEscape(character: string): void {
    this.#at += character.length;
    const known = simpleEscapes.get(character);
    if (known !== undefined) this.#put(known);
    else if (character === "c") {
      const next = this.#pattern[this.#at] ?? "";
      this.#at += 1;
      this.#put(`\\x${(next.toUpperCase().charCodeAt(0) ^ 64).toString(16).padStart(2, "0")}`);
    } else if (character === "K") this.#keep();
    else if (/[GCXyYiIjJmMqTuUlLF]/.test(character)) {
      if (/[GCX]/.test(character))
        throw new RegExpSyntaxError(`\\${character} is not supported in Perl regular expressions`);
      throw new RegExpSyntaxError("unrecognized character follows \\");
    } else this.#put(this.#literal(character));
  }

  #keep(): void {
    if (this.#open.length > 0 || /(?<!\\)\|/.test(this.#made))
      throw new RegExpSyntaxError("\\K is not supported in groups and alternatives");
    this.#made = `(${this.#made})`;
    this.#item = -1;
  }
}
