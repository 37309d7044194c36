import { decodeText, encodeText } from "../../kernel/index.ts";

const escapes = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [39, "\\'"],
  [92, "\\\\"],
]);

/** How GNU's quote() shows a word in the C locale: in single quotes, odd bytes as escapes. */
export function quoteText(text: string): string {
  if (/^[ -~]*$/.test(text) && !/['\\]/.test(text)) return `'${text}'`;
  let shown = "";
  for (const byte of encodeText(text)) {
    const isPlain = byte >= 32 && byte < 127;
    shown +=
      escapes.get(byte) ??
      (isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`);
  }
  return `'${shown}'`;
}

/** How GNU's quotef() shows a file's name: bare where a shell would take it so. */
export function quoteFile(name: string): string {
  if (/^[\w%+,./@{}\]-][\w%+,./@{}\]~#-]*$/.test(name) && name !== "{" && name !== "}") return name;
  const bytes = encodeText(name);
  if (bytes.every((byte) => byte >= 32 && byte < 127)) {
    if (!name.includes("'")) return `'${name}'`;
    return /["\\$`!]/.test(name) ? `'${name.replaceAll("'", "'\\''")}'` : `"${name}"`;
  }
  return quoteOdd(bytes);
}

/** Runs of odd bytes go into `$'…'` of their own. */
function quoteOdd(bytes: Uint8Array): string {
  let shown = "'";
  let isOdd = false;
  for (const byte of bytes) {
    const isByteOdd = byte < 32 || byte >= 127;
    if (isByteOdd && !isOdd) shown += "'$'";
    if (!isByteOdd && isOdd) shown += "''";
    isOdd = isByteOdd;
    if (isByteOdd) shown += escapes.get(byte) ?? `\\${byte.toString(8).padStart(3, "0")}`;
    else shown += byte === 39 ? "'\\''" : decodeText(Uint8Array.of(byte));
  }
  return `${shown}'`;
}
