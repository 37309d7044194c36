/** What a value of JSON takes in memory beside its text: an object or a list, and its place in another. */
const VALUE_BYTES = 64;
/** Shorter ones are not looked at: even of `[],[],[]…` they become no more than a few MiB. */
const LOOKED_AT_BYTES = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,`, `[` and `{`: each comes before a value. */
const STARTS = new Set([0x2c, 0x5b, 0x7b]);

/** About how much memory a request takes once it is read, whatever its author makes of its text. */
export function weighRequest(line: Uint8Array): number {
  return line.length + VALUE_BYTES * (line.length > LOOKED_AT_BYTES ? countValues(line) : 1);
}

/** How many values a text of JSON holds, a few more at most; counts no further than just above `limit`. */
export function countValues(line: Uint8Array, limit: number = Number.POSITIVE_INFINITY): number {
  let count = 1;
  for (let at = 0; at < line.length && count <= limit; at++) {
    const byte = line[at] ?? 0;
    if (byte === QUOTE) at = endOfString(line, at);
    else if (STARTS.has(byte)) count += 1;
  }
  return count;
}

/** Where the quote is that ends it. */
function endOfString(line: Uint8Array, start: number): number {
  for (let end = line.indexOf(QUOTE, start + 1); end >= 0; end = line.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (line[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return line.length;
}
