/** The commands `s` and `y`. */
import { characterCodes, RAW } from "../regexp/characters.ts";
import type { ReplacementPart, SedRegExp, Substitution, Translation } from "./command.ts";
import { readEscape } from "./escapes.ts";
import { asText, latin1, type ScriptReader } from "./script-reader.ts";

export interface RegExpFlags {
  readonly ignoreCase: boolean;
  readonly isMultiline: boolean;
}

export interface SubstituteSetting {
  /** Makes the regular expression; undefined for the empty one. */
  readonly compile: (source: string, flags: RegExpFlags) => SedRegExp;
  readonly readFile: () => string;
  readonly isPosix: boolean;
  readonly isUtf8: boolean;
}

/** A text up to a delimiter, which is read; undefined where there is none. */
export function readDelimited(
  reader: ScriptReader,
  delimiter: string,
  isRegExp: boolean,
): string | undefined {
  let made = "";
  const brackets = new BracketWatch();
  for (;;) {
    let character = reader.next();
    if (character === "" || character === "\n") {
      reader.back(character);
      return undefined;
    }
    if (character === delimiter && !brackets.isInside) return made;
    if (character === "\\" && !brackets.isInside) {
      character = reader.next();
      if (character === "") return undefined;
      if (character === delimiter) made += isRegExp || character !== "&" ? "" : "\\";
      else if (character === "n" && isRegExp) character = "\n";
      else if (character !== "\n" || !isRegExp) made += "\\";
    } else if (isRegExp) {
      brackets.take(character);
    }
    made += character;
  }
}

/** Knows whether a place in a regular expression is within brackets, where a delimiter is none. */
class BracketWatch {
  isInside = false;
  #isFresh = false;
  #named = "";
  #before = "";

  take(character: string): void {
    if (!this.isInside) {
      this.isInside = character === "[";
      this.#isFresh = true;
      this.#before = "";
      return;
    }
    if (this.#isFresh && character === "^" && this.#before === "") {
      this.#before = "^";
      return;
    }
    if (this.#named !== "") {
      if (this.#before === this.#named && character === "]") this.#named = "";
    } else if (this.#before === "[" && ":.=".includes(character)) {
      this.#named = character;
      this.#before = "";
      return;
    } else if (character === "]" && !this.#isFresh) {
      this.isInside = false;
    }
    this.#isFresh = false;
    this.#before = character;
  }
}

export function readSubstitution(reader: ScriptReader, setting: SubstituteSetting): Substitution {
  const delimiter = reader.next();
  const source = readDelimited(reader, delimiter, true);
  const replacement = source === undefined ? undefined : readDelimited(reader, delimiter, false);
  if (source === undefined || replacement === undefined || delimiter === "\n" || delimiter === "\\")
    reader.fail("unterminated `s' command");
  const flags = new FlagReader(reader, setting).read();
  const regExp = setting.compile(source, flags);
  const parts = readReplacement(replacement, setting.isPosix);
  const highest = Math.max(0, ...parts.map((part) => (part.kind === "group" ? part.index : 0)));
  if (regExp !== undefined && highest > regExp.groupCount)
    reader.fail(`invalid reference \\${highest} on \`s' command's RHS`);
  return { ...flags, regExp, parts };
}

type Flags = RegExpFlags & Omit<Substitution, "regExp" | "parts">;

class FlagReader {
  readonly #reader: ScriptReader;
  readonly #setting: SubstituteSetting;
  readonly #flags = {
    ignoreCase: false,
    isMultiline: false,
    isGlobal: false,
    number: 0,
    prints: false,
    runs: false,
    file: undefined as string | undefined,
  };

  constructor(reader: ScriptReader, setting: SubstituteSetting) {
    this.#reader = reader;
    this.#setting = setting;
  }

  read(): Flags {
    for (;;) {
      const character = this.#reader.next();
      if (character === "" || character === "\n" || character === ";") break;
      if (character === "}" || character === "#") {
        this.#reader.back(character);
        break;
      }
      if (character === "w") {
        this.#flags.file = this.#setting.readFile();
        break;
      }
      this.#flag(character);
    }
    return { ...this.#flags, number: Math.max(1, this.#flags.number) };
  }

  #flag(character: string): void {
    const flags = this.#flags;
    const reader = this.#reader;
    switch (character) {
      case " ":
      case "\r":
        return;
      case "i":
      case "I":
        flags.ignoreCase = true;
        return;
      case "m":
      case "M":
        flags.isMultiline = true;
        return;
      case "e":
        flags.runs = true;
        return;
      case "p":
        if (flags.prints) reader.fail("multiple `p' options to `s' command");
        flags.prints = true;
        return;
      case "g":
        if (flags.isGlobal) reader.fail("multiple `g' options to `s' command");
        flags.isGlobal = true;
        return;
      default:
        if (!/\d/.test(character)) reader.fail("unknown option to `s'");
        if (flags.number > 0) reader.fail("multiple number options to `s' command");
        flags.number = reader.number(character);
        if (flags.number === 0) reader.fail("number option to `s' command may not be zero");
    }
  }
}

function readReplacement(source: string, isPosix: boolean): ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let text = "";
  const add = (part: ReplacementPart): void => {
    if (text !== "") parts.push({ kind: "text", bytes: latin1(text) });
    text = "";
    parts.push(part);
  };
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    if (character === "&") {
      add({ kind: "group", index: 0 });
      continue;
    }
    if (character !== "\\") {
      text += character;
      continue;
    }
    at += 1;
    const escaped = source[at] ?? "";
    const escape = readEscape(source, at);
    if (/\d/.test(escaped)) add({ kind: "group", index: Number(escaped) });
    else if (!isPosix && isCaseLetter(escaped)) add({ kind: "case", letter: escaped });
    else if (escape !== undefined) {
      text += escape.character;
      at = escape.end - 1;
    } else text += escaped;
  }
  if (text !== "") parts.push({ kind: "text", bytes: latin1(text) });
  return parts;
}

function isCaseLetter(letter: string): letter is "U" | "L" | "u" | "l" | "E" {
  return letter !== "" && "ULulE".includes(letter);
}

export function readTranslation(reader: ScriptReader, isUtf8: boolean): Translation {
  const delimiter = reader.next();
  const from = readDelimited(reader, delimiter, false);
  const to = from === undefined ? undefined : readDelimited(reader, delimiter, false);
  if (from === undefined || to === undefined) reader.fail("unterminated `y' command");
  const sources = translated(from, reader, isUtf8);
  const targets = translated(to, reader, isUtf8);
  if (sources.length !== targets.length)
    reader.fail("strings for `y' command are different lengths");
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const longer = new Map<string, Uint8Array>();
  for (const [at, source] of sources.entries()) {
    const target = targets[at] ?? "";
    if (source.length === 1 && target.length === 1)
      bytes[source.charCodeAt(0)] = target.charCodeAt(0);
    else longer.set(source, latin1(target));
  }
  reader.endCommand();
  return { bytes, longer };
}

/** The characters of one side of `y`, each as Latin-1. */
function translated(source: string, reader: ScriptReader, isUtf8: boolean): string[] {
  let made = "";
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    if (character !== "\\") {
      made += character;
      continue;
    }
    const next = source[at + 1] ?? "";
    const escape = readEscape(source, at + 1);
    if (next === "\\" || next === "") made += "\\";
    else if (escape !== undefined) made += escape.character;
    else if (next === "\n") made += "\n";
    else reader.fail("unknown command: `\\'");
    at = escape === undefined ? at + 1 : escape.end - 1;
  }
  if (!isUtf8) return Array.from(made);
  return characterCodes(asText(made), true).map((code) =>
    code >= RAW
      ? String.fromCharCode(code - RAW)
      : Buffer.from(String.fromCodePoint(code)).toString("latin1"),
  );
}
