/** awk's escapes in regular expressions. */
import type { Charset } from "./charset.ts";

const controls = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["f", "\f"],
  ["v", "\v"],
  ["a", "\x07"],
  ["b", "\b"],
]);

/** awk's escapes as what a POSIX expression calls them; in brackets they are escapes, too. */
export function readRegExpEscapes(source: string, charset: Charset): string {
  if (!source.includes("\\") && !/(?:^|[(|^])[*+?]/.test(source)) return source;
  let made = "";
  let inBracket = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    if (character === "\\") {
      const number = /^\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2}))/.exec(source.slice(at, at + 4));
      const isBack = number !== null && /^\\[1-9]$/.test(number[0]);
      if (number !== null && !isBack) {
        const octal = number[1];
        const code = Number.parseInt(octal ?? number[2] ?? "0", octal === undefined ? 16 : 8);
        made += literally(charset.byte(code & 255), inBracket);
        at += number[0].length - 1;
        continue;
      }
      at += 1;
      made += escaped(source[at] ?? "\\", inBracket);
      continue;
    }
    if (inBracket) {
      const named = character === "[" ? /^\[([:.=]).*?\1\]/s.exec(source.slice(at, at + 32)) : null;
      made += named?.[0] ?? character;
      at += (named?.[0].length ?? 1) - 1;
      if (character === "]") inBracket = false;
      continue;
    }
    if (character === "[") {
      const start = /^\[\^?\]?/.exec(source.slice(at, at + 3))?.[0] ?? "[";
      inBracket = true;
      made += start;
      at += start.length - 1;
      continue;
    }
    // A repetition of nothing is a character.
    const isLost = /[*+?]/.test(character) && /^$|(?:^|[^\\])[(|^]$/.test(made.slice(-2));
    made += isLost ? `\\${character}` : character;
  }
  return charset.join(made);
}

function escaped(letter: string, inBracket: boolean): string {
  const control = controls.get(letter);
  if (control !== undefined) return control;
  if (inBracket) return literally(letter, true);
  if (letter === "y") return "\\b";
  if (letter === "/" || letter === '"' || letter === "&") return letter;
  return `\\${letter}`;
}

function literally(character: string, inBracket: boolean): string {
  if (inBracket) return /[\]\\^-]/.test(character) ? `[.${character}.]` : character;
  return /[\\^$.[\]|()*+?{}]/.test(character) ? `\\${character}` : character;
}
