/** Names quoted the ways of `ls --quoting-style`. */
import { encodeText } from "../../kernel/index.ts";

export const quoteStyles = [
  "literal",
  "shell",
  "shell-always",
  "shell-escape",
  "shell-escape-always",
  "c",
  "c-maybe",
  "escape",
  "locale",
  "clocale",
] as const;

export type QuoteStyle = (typeof quoteStyles)[number];

const letters: ReadonlyMap<string, string> = new Map([
  ["\u0007", "a"],
  ["\b", "b"],
  ["\f", "f"],
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
  ["\v", "v"],
]);

/** What is not a graphic character; bytes that are no UTF-8 come as lone surrogates. */
const unprintable = /[\p{Cc}\p{Cs}]/u;
/** Characters a shell would not take as they are. */
const special = /[ !"$&()*;<=>?[\\^`|'\n\r\t\v\f]|^[#~]|^[{}]$/;
/** Names of these alone may stand between double quotes for a shell, too. */
const plainInDouble = /^[#~]?[A-Za-z0-9 '%+,\-./:\]_]*$/;

export function quoteAs(style: QuoteStyle, name: string): string {
  switch (style) {
    case "literal":
      return name;
    case "shell":
      return quoteForShell(name, false, false);
    case "shell-always":
      return quoteForShell(name, true, false);
    case "shell-escape":
      return quoteForShell(name, false, true);
    case "shell-escape-always":
      return quoteForShell(name, true, true);
    case "c":
    case "clocale":
      return `"${escapeC(name, '"')}"`;
    case "c-maybe":
      return escapeC(name, '"') === name ? name : `"${escapeC(name, '"')}"`;
    case "escape":
      return escapeC(name, " ");
    case "locale":
      return `'${escapeC(name, "'")}'`;
  }
}

/** `?` for what is not graphic. */
export function maskUnprintable(name: string): string {
  return name.replace(new RegExp(unprintable, "gu"), "?");
}

function quoteForShell(name: string, isAlways: boolean, hasEscapes: boolean): string {
  const isOdd = hasEscapes && unprintable.test(name);
  if (!isAlways && !isOdd && name !== "" && !special.test(name)) return name;
  if (name.includes("'") && plainInDouble.test(name)) return `"${name}"`;
  if (!isOdd) return `'${name.replaceAll("'", "'\\''")}'`;
  let quoted = "'";
  let isEscaped = false;
  for (const character of name) {
    if (unprintable.test(character)) {
      quoted += `${isEscaped ? "" : "'$'"}${escapeCharacter(character)}`;
      isEscaped = true;
      continue;
    }
    if (isEscaped) quoted += "''";
    isEscaped = false;
    quoted += character === "'" ? "'\\''" : character;
  }
  return `${quoted}'`;
}

/** C's escapes, with `mark` and the backslash escaped. */
function escapeC(name: string, mark: string): string {
  let escaped = "";
  for (const character of name) {
    if (character === mark || character === "\\") escaped += `\\${character}`;
    else escaped += unprintable.test(character) ? escapeCharacter(character) : character;
  }
  return escaped;
}

function escapeCharacter(character: string): string {
  const letter = letters.get(character);
  if (letter !== undefined) return `\\${letter}`;
  return [...encodeText(character)]
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");
}
