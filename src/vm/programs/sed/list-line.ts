/** How `l` shows a line. */

const escapes = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [92, "\\\\"],
]);

/** Lines of at most `width` characters, each but the last ending in a backslash; 0 is one line. */
export function listLine(bytes: Uint8Array, width: number): string {
  const parts: string[] = [];
  let column = 0;
  for (const byte of bytes) {
    const shown = showByte(byte);
    if (width > 0 && column + shown.length > width - 1) {
      parts.push("\\\n");
      column = 0;
    }
    parts.push(shown);
    column += shown.length;
  }
  return `${parts.join("")}$\n`;
}

function showByte(byte: number): string {
  const escape = escapes.get(byte);
  if (escape !== undefined) return escape;
  if (byte >= 32 && byte < 127) return String.fromCharCode(byte);
  return `\\${byte.toString(8).padStart(3, "0")}`;
}
