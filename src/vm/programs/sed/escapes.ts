/** Escapes that sed replaces before anything else looks: `\t`, `\x41`, `\d065`, `\o101`, `\cX`. */

const letters = new Map([
  ["a", "\x07"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

export interface Escape {
  readonly character: string;
  /** Behind it. */
  readonly end: number;
}

/** The escape whose letter stands at a place; undefined where it is none. */
export function readEscape(text: string, at: number): Escape | undefined {
  const letter = text[at] ?? "";
  const known = letters.get(letter);
  if (known !== undefined) return { character: known, end: at + 1 };
  if (letter === "c") return readControl(text, at);
  const digits = numberAt(text, at);
  if (digits === undefined) return undefined;
  const { base, found } = digits;
  const code = Number.parseInt(found, base) & 0xff;
  return { character: String.fromCharCode(code), end: at + 1 + found.length };
}

function readControl(text: string, at: number): Escape | undefined {
  const next = text[at + 1];
  if (next === undefined) return undefined;
  const length = next === "\\" && text[at + 2] === "\\" ? 2 : 1;
  const code = (next.toUpperCase().charCodeAt(0) ^ 0x40) & 0xff;
  return { character: String.fromCharCode(code), end: at + 1 + length };
}

function numberAt(
  text: string,
  at: number,
): { readonly base: number; readonly found: string } | undefined {
  const rest = text.slice(at + 1, at + 4);
  const [base, pattern] =
    text[at] === "x"
      ? [16, /^[0-9a-fA-F]{1,2}/]
      : text[at] === "d"
        ? [10, /^\d{1,3}/]
        : text[at] === "o"
          ? [8, /^[0-7]{1,3}/]
          : [0, /^$/];
  const found = base === 0 ? undefined : pattern.exec(rest)?.[0];
  return found === undefined ? undefined : { base, found };
}

/** A regular expression with its escapes replaced. */
export function replaceEscapes(source: string): string {
  let made = "";
  for (let at = 0; at < source.length; ) {
    const character = source[at] ?? "";
    if (character !== "\\") {
      made += character;
      at += 1;
      continue;
    }
    const escape = readEscape(source, at + 1);
    if (escape === undefined) {
      made += source.slice(at, at + 2);
      at += 2;
    } else {
      made += escape.character;
      at = escape.end;
    }
  }
  return made;
}

/** A basic or extended regular expression in which what only GNU knows (`\+`, `\w`) is an ordinary character. */
export function withoutGnuOperators(source: string, isExtended: boolean): string {
  const taken = isExtended ? "wWsSbB<>`'" : "wWsSbB<>`'+?|";
  let made = "";
  for (let at = 0; at < source.length; ) {
    const character = source[at] ?? "";
    const next = source[at + 1] ?? "";
    const end = character === "\\" ? at + 2 : character === "[" ? bracketEnd(source, at) : at + 1;
    made +=
      character === "\\" && next !== "" && taken.includes(next) ? next : source.slice(at, end);
    at = end;
  }
  return made;
}

/** Behind the bracket expression that starts at a place. */
function bracketEnd(source: string, start: number): number {
  let at = source[start + 1] === "^" ? start + 2 : start + 1;
  if (source[at] === "]") at += 1;
  while (at < source.length && source[at] !== "]") {
    const kind = source[at + 1] ?? "";
    const isNamed = source[at] === "[" && kind !== "" && ":.=".includes(kind);
    const close = isNamed ? source.indexOf(`${kind}]`, at + 2) : -1;
    at = close === -1 ? at + 1 : close + 2;
  }
  return at + 1;
}
