/** What kind of text a file holds, in which encoding, with which line ends. */
import { JsonParser, JsonSyntaxError } from "../jq/json-parser.ts";
import type { Value } from "../jq/value.ts";
import type { Magic } from "./magics.ts";

export interface Description extends Magic {
  readonly charset: string;
}

/** Characters of one line that are too many, as file has it. */
const LONG_LINE = 300;

/** Undefined where the bytes are no text. */
export function describeText(bytes: Uint8Array, isWhole: boolean): Description | undefined {
  const encoding = findEncoding(bytes);
  if (encoding === undefined) return undefined;
  const { text, name, charset } = encoding;
  const kind = kindOf(text, isWhole);
  const lines = describeLines(text);
  if (kind === undefined) return { text: `${name} text${lines}`, mime: "text/plain", charset };
  if (kind.isAlone === true) return { text: kind.text, mime: kind.mime, charset };
  const suffix = kind.isExecutable === true ? " executable" : "";
  return { text: `${kind.text}, ${name} text${suffix}${lines}`, mime: kind.mime, charset };
}

interface Encoding {
  readonly text: string;
  readonly name: string;
  readonly charset: string;
}

function findEncoding(bytes: Uint8Array): Encoding | undefined {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) {
    const text = new TextDecoder("utf-16le").decode(bytes);
    return { text, name: "Unicode text, UTF-16, little-endian", charset: "utf-16le" };
  }
  if (first === 0xfe && second === 0xff) {
    const text = new TextDecoder("utf-16be").decode(bytes);
    return { text, name: "Unicode text, UTF-16, big-endian", charset: "utf-16be" };
  }
  // Bytes that no text has: all controls but BEL, BS, tab, line feed, form feed, return and escape.
  if (bytes.some((byte) => byte < 32 && !(byte >= 7 && byte <= 13 && byte !== 11) && byte !== 27))
    return undefined;
  if (bytes.includes(127)) return undefined;
  const isAscii = bytes.every((byte) => byte < 128);
  const text = new TextDecoder().decode(bytes);
  if (isAscii) return { text, name: "ASCII", charset: "us-ascii" };
  if (isUtf8(bytes)) {
    const isMarked = first === 0xef && second === 0xbb;
    return { text, name: `Unicode text, UTF-8${isMarked ? " (with BOM)" : ""}`, charset: "utf-8" };
  }
  const isLatin = bytes.every((byte) => byte < 128 || byte >= 160);
  return isLatin
    ? { text, name: "ISO-8859", charset: "iso-8859-1" }
    : { text, name: "Non-ISO extended-ASCII", charset: "unknown-8bit" };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function describeLines(text: string): string {
  const withCrlf = text.split("\r\n").length - 1;
  const withLf = text.split("\n").length - 1 - withCrlf;
  const withCr = text.split("\r").length - 1 - withCrlf;
  const ends = [
    ...(withCrlf > 0 ? ["CRLF"] : []),
    ...(withCr > 0 ? ["CR"] : []),
    ...(withLf > 0 ? ["LF"] : []),
  ];
  const longest = text.split(/\r\n|\r|\n/).reduce((most, line) => Math.max(most, line.length), 0);
  const isLong = longest >= LONG_LINE ? `, with very long lines (${longest})` : "";
  const isPlain = ends.length === 1 && ends[0] === "LF";
  const shown = isPlain
    ? ""
    : ends.length === 0
      ? ", with no line terminators"
      : `, with ${ends.join(", ")} line terminators`;
  const hasEscapes = text.includes("\u001b") ? ", with escape sequences" : "";
  const overstrikes = text.includes("\b") ? ", with overstriking" : "";
  return `${isLong}${shown}${hasEscapes}${overstrikes}`;
}

interface TextKind extends Magic {
  /** "executable" follows. */
  readonly isExecutable?: boolean;
  /** Nothing follows. */
  readonly isAlone?: boolean;
}

const shells: readonly (readonly [RegExp, TextKind])[] = [
  [
    /\b(?:ba)sh\b/,
    { text: "Bourne-Again shell script", mime: "text/x-shellscript", isExecutable: true },
  ],
  [
    /\bzsh\b/,
    { text: "Paul Falstad's zsh script", mime: "text/x-shellscript", isExecutable: true },
  ],
  [/\bksh\b/, { text: "Korn shell script", mime: "text/x-shellscript", isExecutable: true }],
  [/\b(?:da)?sh\b/, { text: "POSIX shell script", mime: "text/x-shellscript", isExecutable: true }],
  [/\bpython[\d.]*\b/, { text: "Python script", mime: "text/x-script.python", isExecutable: true }],
  [/\bperl\b/, { text: "Perl script text executable", mime: "text/x-perl", isAlone: true }],
  [/\bruby\b/, { text: "Ruby script", mime: "text/x-ruby", isExecutable: true }],
  [/\bnode\b/, { text: "Node.js script executable", mime: "application/javascript" }],
  [/\bphp\b/, { text: "PHP script", mime: "text/x-php", isExecutable: true }],
  [/\bawk\b/, { text: "awk script", mime: "text/x-awk", isExecutable: true }],
];

const starts: readonly (readonly [RegExp, TextKind])[] = [
  [/^\s*<\?xml version=["']([\d.]+)/, { text: "XML 1.0 document", mime: "text/xml" }],
  [
    /^\s*<(?:!doctype html|html|head|body|title|h1)\b/i,
    { text: "HTML document", mime: "text/html" },
  ],
  [/^\s*<svg\b/, { text: "SVG Scalable Vector Graphics image", mime: "image/svg+xml" }],
  [/^-----BEGIN CERTIFICATE-----/, { text: "PEM certificate", mime: "text/plain", isAlone: true }],
  [
    /^-----BEGIN RSA PRIVATE KEY/,
    { text: "PEM RSA private key", mime: "text/plain", isAlone: true },
  ],
  [
    /^-----BEGIN OPENSSH PRIVATE KEY/,
    { text: "OpenSSH private key", mime: "text/plain", isAlone: true },
  ],
  [/^(?:diff |Index: |--- \S+.*\n\+\+\+ )/, { text: "diff output", mime: "text/x-diff" }],
  [/^\s*#\s*include\s*[<"]|^\s*int\s+main\s*\(/m, { text: "C source", mime: "text/x-c" }],
  [
    /^\s*def\s+\w+\s*\(.*\):|^\s*from\s+\S+\s+import\s|^class\s+\w+.*:$/m,
    { text: "Python script", mime: "text/x-script.python", isExecutable: true },
  ],
  [/^%!PS/, { text: "PostScript document text", mime: "application/postscript", isAlone: true }],
  [/^\{\\rtf/, { text: "Rich Text Format data", mime: "text/rtf", isAlone: true }],
];

function kindOf(text: string, isWhole: boolean): TextKind | undefined {
  if (text.startsWith("#!")) return scriptKind(text);
  if (isWhole && isJson(text))
    return { text: "JSON text data", mime: "application/json", isAlone: true };
  const known = starts.find(([pattern]) => pattern.test(text));
  if (known !== undefined) return known[1];
  if (isTable(text)) return { text: "CSV text", mime: "text/csv", isAlone: true };
  return undefined;
}

function scriptKind(text: string): TextKind {
  const [line = ""] = text.split("\n", 1);
  const known = shells.find(([pattern]) => pattern.test(line));
  if (known !== undefined) return known[1];
  const command = line
    .slice(2)
    .trim()
    .replace(/^\S*\/env\s+/, "");
  return { text: `a ${command} script`, mime: "text/plain", isExecutable: true };
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  const parser = new JsonParser();
  try {
    parser.push(text);
    const first: Value | undefined = parser.next();
    return first !== undefined && parser.next() === undefined && parser.end() === undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

/** At least two lines, each with as many commas. */
function isTable(text: string): boolean {
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .slice(0, 10);
  const [first = ""] = lines;
  const count = first.split(",").length;
  return count > 1 && lines.length > 2 && lines.every((line) => line.split(",").length === count);
}
