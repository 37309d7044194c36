/** Replaces every match of a global pattern by what `make` gives for it. */
export function replaceEach(
  text: string,
  pattern: RegExp,
  make: (match: RegExpExecArray) => string,
): string {
  let made = "";
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    made += text.slice(at, match.index) + make(match);
    at = match.index + match[0].length;
  }
  return made + text.slice(at);
}
