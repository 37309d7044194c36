/**
 * What could make a terminal or a reader see something else than is there: control characters, line
 * ends, halves of characters, and marks that have no width or turn the writing direction.
 */
const treacherous = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const short = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Somebody else's text on one line, safe to show: each such character as its number, the end cut. */
export function plainText(text: string, limit: number): string {
  // What is cut away is not looked at: the text may be long.
  const isLong = text.length > limit;
  const start = isLong ? text.slice(0, limit) : text;
  const plain = start.replace(treacherous, escape);
  return isLong || plain.length > limit * 2 ? `${plain.slice(0, limit * 2 - 1)}…` : plain;
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return short.get(character) ?? `\\u{${code.toString(16)}}`;
}
