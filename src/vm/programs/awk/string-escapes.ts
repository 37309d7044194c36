/** What a string in a program, `-v` and `var=value` stand for. */
import type { Charset } from "./charset.ts";

const letters = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ['"', '"'],
  ["/", "/"],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["\n", ""],
]);

/** `\ooo` and `\xhh` are one byte each. A letter that means nothing is told. */
export function readStringEscapes(
  text: string,
  charset: Charset,
  onUnknown: (letter: string) => void,
): string {
  if (!text.includes("\\")) return text;
  let made = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character !== "\\") {
      made += character;
      continue;
    }
    const number = /^\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2}))/.exec(text.slice(at, at + 4));
    if (number !== null) {
      const code =
        number[1] === undefined
          ? Number.parseInt(number[2] ?? "0", 16)
          : Number.parseInt(number[1], 8);
      made += charset.byte(code & 255);
      at += number[0].length - 1;
      continue;
    }
    const letter = text[at + 1];
    if (letter === undefined) break;
    const meant = letters.get(letter);
    if (meant === undefined || letter === "/") onUnknown(letter);
    made += meant ?? letter;
    at += 1;
  }
  return charset.join(made);
}
