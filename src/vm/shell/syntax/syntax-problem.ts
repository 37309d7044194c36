/** The parser's first complaint in bash's words, and whether more input would mend it. */
import type * as unbash from "unbash";
import type { SyntaxProblem } from "./ast.ts";
import type { SourceLines } from "./source-lines.ts";

export function findProblem(
  parsed: unbash.ParsedScript,
  lines: SourceLines,
): SyntaxProblem | undefined {
  const source = lines.text;
  const errors = (parsed.errors ?? []).filter((error) => !isOpenBody(error, source));
  const error = errors.toSorted((a, b) => a.pos - b.pos)[0] ?? parsed.errors?.[0];
  if (error === undefined) return undefined;
  const closer = closers.get(error.message);
  if (closer !== undefined) {
    const message = `unexpected EOF while looking for matching \`${closer}'`;
    const isEndNamed = error.message === "unterminated command substitution";
    const line = isEndNamed
      ? lines.lineAt(source.length) + (source.endsWith("\n") ? 0 : 1)
      : lines.lineAt(error.pos);
    return { message, line, isIncomplete: true };
  }
  if (error.pos >= source.trimEnd().length) {
    const line = lines.lineAt(source.length) + (source.endsWith("\n") ? 0 : 1);
    return { message: "syntax error: unexpected end of file", line, isIncomplete: true };
  }
  const token = tokenAt(source, error.pos);
  const message = `syntax error near unexpected token \`${token}'`;
  return { message, line: lines.lineAt(error.pos), isIncomplete: false };
}

/** A `{` or `then` with nothing behind it yet: what closes it is missing, not the command. */
function isOpenBody(error: unbash.ParseError, source: string): boolean {
  if (!error.message.startsWith("expected command")) return false;
  return /^\s*(?:[{(]|[a-z]+)?\s*(?:#[^\n]*\s*)*$/.test(source.slice(error.pos));
}

const closers = new Map([
  ["unterminated double quote", '"'],
  ["unterminated single quote", "'"],
  ["unterminated ANSI-C quote", "'"],
  ["unterminated locale string", '"'],
  ["unterminated command substitution", ")"],
  ["unterminated process substitution", ")"],
  ["unterminated backtick", "`"],
  ["unterminated parameter expansion", "}"],
  ["unterminated arithmetic expansion", ")"],
  ["unterminated arithmetic command", ")"],
  ["unterminated extended glob", ")"],
]);

function tokenAt(source: string, position: number): string {
  const rest = source.slice(position).replace(/^[ \t]+/, "");
  if (rest.startsWith("\n")) return "newline";
  return (
    /^(?:;;&|;&|;;|&&|\|\||\|&|<<-?|>>|<&|>&|[;&|()<>]|[^\s;&|()<>]+)/.exec(rest)?.[0] ?? "newline"
  );
}
