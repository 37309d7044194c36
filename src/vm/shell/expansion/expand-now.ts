/** Words that need nothing that has to be waited for: most of a script's words are such. */
import { asksKernel } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ExpansionNeeded } from "../state/subscript.ts";
import type { ArithmeticText, Word, WordPart } from "../syntax/ast.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import { FieldBuilder } from "./field-builder.ts";
import { textNow } from "./find-parameter.ts";

const USUAL_IFS = " \t\n";

/** Splits a word into fields at once. False, and nothing done, where something has to be waited for. */
export function expandFieldsNow(shell: Shell, word: Word, into: string[]): boolean {
  if (word.hasBraces) return false;
  const builder = new FieldBuilder({ ifs: shell.variables.get("IFS") ?? USUAL_IFS });
  if (!addNow(shell, word.parts, builder, false)) return false;
  const fields = builder.finish();
  if (fields.some(({ pattern }) => pattern !== undefined)) return false;
  for (const { text } of fields) into.push(text);
  return true;
}

/** One text, neither split nor globbed, as `expandFieldsNow` has it; undefined where it cannot. */
export function expandTextNow(shell: Shell, word: Word): FieldBuilder | undefined {
  const builder = new FieldBuilder({ ifs: "" });
  return addNow(shell, word.parts, builder, false) ? builder : undefined;
}

function addNow(
  shell: Shell,
  parts: readonly WordPart[],
  builder: FieldBuilder,
  isQuoted: boolean,
): boolean {
  for (const part of parts) {
    switch (part.kind) {
      case "literal":
        if (isQuoted || part.isQuoted) builder.addQuoted(part.text);
        else if (part.text.includes("~")) return false;
        else builder.addLiteral(part.text);
        break;
      case "quoted":
        if (!addNow(shell, part.parts, builder, true)) return false;
        builder.addQuoted("");
        break;
      case "parameter":
      case "arithmetic": {
        const value = valueNow(shell, part);
        if (value === undefined) return false;
        if (isQuoted) builder.addQuoted(value);
        else builder.addSplit(value);
        break;
      }
      default:
        return false;
    }
  }
  return true;
}

function valueNow(
  shell: Shell,
  part: Extract<WordPart, { kind: "parameter" | "arithmetic" }>,
): string | undefined {
  if (part.kind === "arithmetic") return arithmeticNow(shell, part.expression);
  const { operation, prefix, index, name } = part;
  const isPlain = operation === undefined && prefix === undefined && index === undefined;
  return isPlain ? textNow(shell, name) : undefined;
}

/** An expression without expansions that changes nothing: it may be evaluated twice. */
function arithmeticNow(shell: Shell, { text, parts }: ArithmeticText): string | undefined {
  if (parts !== undefined || asksKernel(text) || /=|\+\+|--/.test(text)) return undefined;
  try {
    return evaluateArithmetic(shell, text).toString();
  } catch (error) {
    if (error instanceof ExpansionNeeded) return undefined;
    throw error;
  }
}
