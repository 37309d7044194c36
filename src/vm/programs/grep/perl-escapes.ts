/** Escapes of Perl's that are always the same in JavaScript. */
export const simpleEscapes = new Map([
  ["a", "\\x07"],
  ["e", "\\x1b"],
  ["f", "\\f"],
  ["n", "\\n"],
  ["r", "\\r"],
  ["t", "\\t"],
  ["d", "\\d"],
  ["D", "\\D"],
  ["w", "\\w"],
  ["W", "\\W"],
  ["s", "[ \\t-\\r]"],
  ["S", "[^ \\t-\\r]"],
  ["h", "[ \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]"],
  ["H", "[^ \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]"],
  ["v", "[\\n-\\r\\x85\\u2028\\u2029]"],
  ["V", "[^\\n-\\r\\x85\\u2028\\u2029]"],
  ["R", "(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])"],
  ["N", "[^\\n]"],
  ["b", "\\b"],
  ["B", "\\B"],
  ["A", "^"],
  ["Z", "$"],
  ["z", "$"],
]);

/** A character in its other case; empty where it has none. */
export function otherCase(character: string): string {
  const other =
    character.toLowerCase() === character ? character.toUpperCase() : character.toLowerCase();
  return other !== character && other.length === character.length ? other : "";
}

/** Where the group that was just closed starts. */
export function groupStart(made: string): number {
  const opened: number[] = [];
  let last = 0;
  for (const match of made.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|[()]/gsu)) {
    if (match[0] === "(") opened.push(match.index);
    else if (match[0] === ")") last = opened.pop() ?? 0;
  }
  return last;
}
