/** The tokens of a command language: what stands at the scanner's place, without reading words. */
import { isMeta, type Scanner } from "./scanner.ts";

export interface Token {
  readonly kind: "word" | "operator" | "redirect" | "newline" | "end";
  /** An operator's text; a word's unquoted letters where it has no others, else empty. */
  readonly text: string;
  readonly start: number;
}

const operator = /&&|&>>|&>|&|\|\||\|&|\||;;&|;;|;&|;|<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|\(|\)/y;
/** A word that can be a reserved word or an alias, with nothing that quotes or expands in it. */
const plain = /[^\s;&|()<>"'`$\\]+(?=[\s;&|()<>]|\\\n[\s;&|()<>]|$)/y;
/** Such letters, and what they are when the next line is joined to them. */
const letters = /[^\s;&|()<>"'`$\\]+/y;
/** Lines joined one right behind the other are looked at up to here. */
const JOINS_LENGTH = 64;
const redirectFd = /(?:\d+|\{[A-Za-z_]\w*(?:\[[^\]\s]*\])?\})(?=[<>])/y;

/** The token here; the scanner steps over blanks only. */
export function peekToken(scanner: Scanner): Token {
  scanner.skipBlanks();
  const { peeked } = scanner;
  const { text, at } = scanner;
  if (peeked !== undefined && peeked.token.start === at && peeked.text === text)
    return peeked.token;
  if (scanner.source.hasJoinNear(at)) joinToken(scanner);
  const token = readToken(scanner.text, at);
  scanner.peeked = { token, text: scanner.text };
  return token;
}

/** Joins lines in the middle of an operator or of a word's first letters. */
function joinToken({ source, at }: Scanner): void {
  for (;;) {
    const part = isMeta(source.text.charCodeAt(at)) ? operator : letters;
    part.lastIndex = at;
    if (!part.test(source.text)) return;
    const end = part.lastIndex;
    const goesOn = part === operator ? /^(?:\\\n)+[&|;<>(-]/ : /^(?:\\\n)+[^\s;&|()]/;
    if (!goesOn.test(source.text.slice(end, end + JOINS_LENGTH)) || !source.join(end)) return;
  }
}

function readToken(text: string, start: number): Token {
  if (start >= text.length) return { kind: "end", text: "", start };
  const code = text.charCodeAt(start);
  if (code === 10) return { kind: "newline", text: "newline", start };
  if (isMeta(code)) {
    const isAngle = code === 60 || code === 62;
    if (!isAngle || text.charCodeAt(start + 1) !== 40) {
      operator.lastIndex = start;
      const found = operator.exec(text)?.[0] ?? "";
      const isRedirect = isAngle || found === "&>" || found === "&>>";
      return { kind: isRedirect ? "redirect" : "operator", text: found, start };
    }
  } else if (code === 123 || (code >= 48 && code <= 57)) {
    redirectFd.lastIndex = start;
    const fd = redirectFd.exec(text)?.[0];
    if (fd !== undefined && text.charCodeAt(start + fd.length + 1) !== 40)
      return { kind: "redirect", text: fd, start };
  }
  plain.lastIndex = start;
  const isPlain = plain.test(text);
  return { kind: "word", text: isPlain ? text.slice(start, plain.lastIndex) : "", start };
}

/** The name a token has in an error message: a word's is all of it. */
export function failAt(scanner: Scanner, token: Token): never {
  if (token.kind === "end") {
    if (scanner.substitutionDepth > 0) scanner.failOpen(")");
    scanner.failEnd();
  }
  scanner.failToken(nameOf(scanner, token), token.start);
}

/** As `failAt`, where a newline is as wrong as anything: bash ends every text with one. */
export function failWithin(scanner: Scanner, token: Token): never {
  failAt(scanner, token.kind === "end" ? { ...token, kind: "newline", text: "newline" } : token);
}

function nameOf(scanner: Scanner, token: Token): string {
  if (token.kind !== "word" || token.text !== "") return token.text;
  return /[^\s;&|()<>]+/.exec(scanner.text.slice(token.start))?.[0] ?? "";
}
