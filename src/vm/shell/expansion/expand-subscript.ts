/** Subscripts that come as text at run time: their expansions, as if they had been written. */
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import type { SubscriptKind } from "../state/subscript.ts";
import type { Statement, WordPart } from "../syntax/ast.ts";
import { parse } from "../syntax/parse.ts";
import { expandArithmeticText, expandText } from "./word.ts";

export async function expandSubscript(
  shell: Shell,
  text: string,
  kind: SubscriptKind,
): Promise<string> {
  const source = kind === "key" ? `: \${_[${text}]}` : `: $((${text}))`;
  const part = firstPart(parse(source).statements[0]);
  if (part?.kind === "arithmetic") return expandArithmeticText(shell, part.expression);
  if (part?.kind === "parameter" && part.index !== undefined) return expandText(shell, part.index);
  throw new ShellError(`${text}: bad array subscript`);
}

/** The first part of the second word. */
function firstPart(statement: Statement | undefined): WordPart | undefined {
  if (statement?.command.kind !== "simple") return undefined;
  const [, word] = statement.command.words;
  return word?.kind === "word" ? word.parts[0] : undefined;
}
