import { readEscape } from "./escapes.ts";
import { latin1, type ScriptReader } from "./script-reader.ts";

/**
 * The text of `a`, `i` and `c`: on the same line, or behind a backslash and a newline. A backslash
 * keeps a newline in it and leading blanks.
 */
export function readText(reader: ScriptReader): Uint8Array {
  const first = reader.nextNonBlank();
  if (first === "") reader.fail("expected \\ after `a', `c' or `i'");
  if (first !== "\\") reader.back(first);
  else reader.take(/[ \t]*\n/y);
  const source = reader.take(/(?:[^\\\n]|\\[^])*\\?/y);
  reader.take(/\n/y);
  if (source === "") return latin1(first === "\n" ? "\n" : "");
  return latin1(`${unescaped(source)}\n`);
}

function unescaped(source: string): string {
  let made = "";
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    if (character !== "\\") {
      made += character;
      continue;
    }
    const escape = readEscape(source, at + 1);
    made += escape?.character ?? source[at + 1] ?? "";
    at = (escape?.end ?? at + 2) - 1;
  }
  return made;
}
