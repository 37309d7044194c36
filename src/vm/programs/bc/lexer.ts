/** bc's tokens. */

export interface Token {
  readonly kind: "number" | "name" | "keyword" | "string" | "operator" | "newline" | "end" | "bad";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const keywords = new Set(
  `define auto if else while for break continue return halt quit print length scale sqrt read
ibase obase last void warranty limits`.split(/\s+/),
);

const blank = /(?:[ \t\r]|\\\n|#[^\n]*|\/\*[^]*?\*\/)+/y;
const number = /(?:[0-9A-F](?:\\\n)?)+(?:\.(?:[0-9A-F](?:\\\n)?)*)?|\.(?:[0-9A-F](?:\\\n)?)+/y;
const name = /[a-z][a-z0-9_]*/y;
const operator = /\+\+|--|[-+*/%^]=|[<>=!]=|&&|\|\||[-+*/%^<>=!(){}[\];,.]/y;
const text = /"[^"]*"/y;

/** The token at a place of a source. */
export function tokenAt(source: string, place: number): Token {
  const start = place + match(blank, source, place).length;
  const first = source[start];
  const make = (kind: Token["kind"], length: number): Token => ({
    kind,
    text: source.slice(start, start + length),
    start,
    end: start + length,
  });
  if (first === undefined) return make("end", 0);
  if (first === "\n") return make("newline", 1);
  const digits = match(number, source, start);
  if (digits !== "")
    return { ...make("number", digits.length), text: digits.replaceAll("\\\n", "") };
  const word = match(name, source, start);
  if (word !== "") return make(keywords.has(word) ? "keyword" : "name", word.length);
  const quoted = match(text, source, start);
  if (quoted !== "") return { ...make("string", quoted.length), text: quoted.slice(1, -1) };
  const sign = match(operator, source, start);
  return sign === "" ? make("bad", 1) : make("operator", sign.length);
}

function match(pattern: RegExp, source: string, place: number): string {
  pattern.lastIndex = place;
  return pattern.exec(source)?.[0] ?? "";
}

/** Whether a source ends within braces, a comment, a text or a continued line. */
export function isOpen(source: string): boolean {
  let depth = 0;
  const pieces = /#[^\n]*|\/\*[^]*?(?:\*\/|$)|"[^"]*(?:"|$)|[{}]|\\\n$/g;
  for (const [piece] of source.matchAll(pieces)) {
    if (piece === "{") depth += 1;
    else if (piece === "}") depth -= 1;
    else if (piece === "\\\n") return true;
    else if (piece.startsWith("/*") && !/^\/\*[^]*\*\/$/.test(piece)) return true;
    else if (piece.startsWith('"') && !/^"[^]*"$/.test(piece)) return true;
  }
  return depth > 0;
}
