import { encodeText } from "../../../kernel/index.ts";

const escapes = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [34, '\\"'],
  [92, "\\\\"],
]);

/** A name in a diff's header: in double quotes where it holds a space or an odd character. */
export function quoteHeaderName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (!/[\x00-\x20"\\\x7f]/.test(name)) return name;
  let shown = "";
  for (const byte of encodeText(name)) {
    const isOdd = byte < 32 || byte === 127;
    shown +=
      escapes.get(byte) ?? (isOdd ? `\\${byte.toString(8).padStart(3, "0")}` : bytesText(byte));
  }
  return `"${shown}"`;
}

/** Bytes above ASCII stand as they are: each becomes the surrogate that encodes to it. */
function bytesText(byte: number): string {
  return String.fromCharCode(byte < 128 ? byte : 0xdc00 + byte);
}

/** A word as a shell takes it back. */
export function quoteArgument(word: string): string {
  if (/^[\w%+,./:@-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
