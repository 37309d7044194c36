/** Text as the shell would read it back. */

/** As `${x@Q}`, `set` and `declare -p` show a value: in single quotes, or `$'…'` for control characters. */
export function quoteText(text: string): string {
  if (hasControl(text)) return quoteAnsi(text);
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** As `set -x` and `set` show a word: bare where that is safe. */
export function quoteIfNeeded(text: string): string {
  if (text === "") return "''";
  if (hasControl(text)) return quoteAnsi(text);
  return /^[\w@%+=:,./^-]+$/u.test(text) && !text.startsWith("=") ? text : quoteText(text);
}

/** As `printf %q` writes: backslashes. */
export function quoteBackslash(text: string): string {
  if (text === "") return "''";
  if (hasControl(text)) return quoteAnsi(text);
  return text.replace(/[^\w@%+=:./-]/gu, (character) =>
    character > "\u007f" ? character : `\\${character}`,
  );
}

/** As `declare -p` shows a value: in double quotes. */
export function quoteDouble(text: string): string {
  if (hasControl(text)) return quoteAnsi(text);
  return `"${text.replace(/[$`"\\]/g, "\\$&")}"`;
}

function hasControl(text: string): boolean {
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

function quoteAnsi(text: string): string {
  let quoted = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
    const isControl = code < 32 || code === 127 || byte !== code;
    quoted +=
      names.get(character) ?? (isControl ? `\\${byte.toString(8).padStart(3, "0")}` : character);
  }
  return `$'${quoted}'`;
}
