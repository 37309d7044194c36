/** Text of the host's or an agent's making, made fit for a line of a message. */

/** Without control characters, which a terminal would obey: each becomes a blank. */
export function plainText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}

/** The same, line by line. */
export function plainLines(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => plainText(line))
    .join("\n")
    .trim();
}

/** The first sentence or line, cut. */
export function firstLine(text: string, limit: number): string {
  const [line = ""] = plainLines(text).split("\n", 1);
  return line.length > limit ? `${line.slice(0, limit - 1).trimEnd()}…` : line;
}

/** As one word of a shell. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}
