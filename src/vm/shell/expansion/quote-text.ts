/** Text as the shell would read it back. */
import { encodeText } from "../../../kernel/index.ts";

/** As `${x@Q}`, `set` and `declare -p` show a value: in single quotes, or `$'…'` for control characters. */
export function quoteText(text: string): string {
  return quoteTextIn(text, false);
}

/** The same; `isBytes`: in a locale whose characters are bytes. */
export function quoteTextIn(text: string, isBytes: boolean): string {
  if (hasControl(text) || (isBytes && hasBytes(text))) return quoteAnsi(text, isBytes);
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** As `set -x` and `set` show a word: bare where that is safe. */
export function quoteIfNeeded(text: string): string {
  if (text === "") return "''";
  if (hasControl(text)) return quoteAnsi(text);
  return hasMeaning(text) ? quoteText(text) : text;
}

/** Whether text has characters that mean something to the shell. */
export function hasMeaning(text: string): boolean {
  return /[ \t\n'"\\|&;()<>!{}*[?\]^$`]|^#|(?:^|[=:])~/.test(text);
}

/** As `printf %q` writes: backslashes. `isBytes`: in a locale whose characters are bytes. */
export function quoteBackslash(text: string, isBytes: boolean): string {
  if (text === "") return "''";
  if (hasControl(text) || (isBytes && hasBytes(text))) return quoteAnsi(text, isBytes);
  return text.replace(/[ '"\\|&;()<>!{}*[?\]^$`,]|^[#~]|(?<=[=:])~/g, "\\$&");
}

/** As `declare -p` shows a value: in double quotes. */
export function quoteDouble(text: string): string {
  if (hasControl(text)) return quoteAnsi(text);
  return `"${text.replace(/[$`"\\]/g, "\\$&")}"`;
}

/** Whether text can only be shown as `$'…'`. */
export function hasControl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\x00-\x1f\x7f\udc80-\udcff]/.test(text);
}

const names = new Map([
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\v", "\\v"],
  ["\u001b", "\\E"],
  ["'", "\\'"],
  ["\\", "\\\\"],
]);

function hasBytes(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is looked for
  return /[^\x00-\x7f]/.test(text);
}

/** `isBytes`: characters that are not ASCII are shown as their bytes. */
function quoteAnsi(text: string, isBytes = false): string {
  let quoted = "";
  for (const character of isBytes ? asBytes(text) : text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
    const isControl = code < 32 || code === 127 || byte !== code;
    quoted +=
      names.get(character) ?? (isControl ? `\\${byte.toString(8).padStart(3, "0")}` : character);
  }
  return `$'${quoted}'`;
}

/** Each byte beyond ASCII as the text codec keeps a stray one. */
function asBytes(text: string): string {
  return Array.from(encodeText(text), (byte) =>
    String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte),
  ).join("");
}
