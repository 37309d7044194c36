/** Text in which only expansions and a few escapes count: double quotes, here-documents, operands in either. */
import type { WordPart } from "./ast.ts";
import { simpleParameter } from "./make-word.ts";
import type { Scanner } from "./scanner.ts";
import { SyntaxFailure } from "./syntax-failure.ts";

/** `template` ends with the text, `double` at `"`, `operand` at the `}` of a `${…}` inside either. */
type Mode = "double" | "operand" | "template";

const escapes: Readonly<Record<Mode, string>> = {
  double: '$`"\\',
  operand: '$`"\\}',
  template: "$`\\",
};

/** What stands between double quotes; the scanner is at the first of them, then behind the last. */
export function readDoubleQuoted(scanner: Scanner): readonly WordPart[] {
  const start = scanner.at;
  scanner.at += 1;
  const parts = scanner.nested(() => readRun(scanner, "double"));
  if (scanner.isAtEnd) scanner.failOpen('"', start);
  scanner.at += 1;
  return parts;
}

/** The operand of `${x:-…}` where that stands in double quotes or a here-document, up to its `}`. */
export function readQuotedOperand(scanner: Scanner): readonly WordPart[] {
  const start = scanner.at;
  const parts = readRun(scanner, "operand");
  if (scanner.isAtEnd) scanner.failOpen("}", start);
  return parts;
}

/** Reads all of the scanner's text as a here-document's body: expansions, no quotes. */
export function readTemplate(scanner: Scanner): readonly WordPart[] {
  const { text } = scanner;
  if (!/[$`\\]/.test(text)) return [{ kind: "literal", text, isQuoted: true }];
  try {
    return readRun(scanner, "template");
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return [{ ...simpleParameter(""), operation: { kind: "bad" }, text }];
  }
}

function readRun(scanner: Scanner, mode: Mode): WordPart[] {
  const parts: WordPart[] = [];
  let literal = "";
  let start = scanner.at;
  let hiddenEnd = -1;
  const keep = (): void => {
    literal += scanner.text.slice(start, scanner.at);
  };
  const push = (part: WordPart): void => {
    if (literal !== "") parts.push({ kind: "literal", text: literal, isQuoted: true });
    literal = "";
    parts.push(part);
  };
  while (!scanner.isAtEnd) {
    const code = scanner.code();
    const isEnd = code === (mode === "double" ? 34 : 125) && mode !== "template";
    if (isEnd && scanner.at > hiddenEnd) break;
    if (code === 92) {
      keep();
      literal += readEscape(scanner, mode);
      start = scanner.at;
      continue;
    }
    if (code === 39 && mode === "operand" && scanner.at > hiddenEnd) hiddenEnd = singleEnd(scanner);
    const before = scanner.at;
    const part = readPart(scanner, code, mode);
    if (part === undefined) {
      scanner.at = before + 1;
      continue;
    }
    literal += scanner.text.slice(start, before);
    push(part);
    start = scanner.at;
  }
  keep();
  if (literal !== "") parts.push({ kind: "literal", text: literal, isQuoted: true });
  return parts;
}

/** What the character here begins; undefined where it stands for itself. */
function readPart(scanner: Scanner, code: number, mode: Mode): WordPart | undefined {
  if (code === 36)
    return scanner.grammar.readDollar(scanner, mode === "operand" ? "operand" : true);
  if (code === 96) return scanner.grammar.readBackquoted(scanner, mode !== "template");
  if (code === 34 && mode === "operand")
    return { kind: "quoted", parts: readDoubleQuoted(scanner) };
  return undefined;
}

function readEscape(scanner: Scanner, mode: Mode): string {
  const next = scanner.text.charAt(scanner.at + 1);
  scanner.at += next === "" ? 1 : 2;
  if (next === "\n") return "";
  return next !== "" && escapes[mode].includes(next) ? next : `\\${next}`;
}

/** Where `'…'` in an operand ends: it hides a `}`, but no expansion. */
function singleEnd(scanner: Scanner): number {
  const close = scanner.text.indexOf("'", scanner.at + 1);
  const double = scanner.text.indexOf('"', scanner.at + 1);
  return close !== -1 && (double === -1 || close < double) ? close : -1;
}
