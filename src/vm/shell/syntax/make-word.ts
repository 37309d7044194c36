import type { ParameterPart, Word, WordPart } from "./ast.ts";

/** A word from its parts: neighbouring literals become one, and what needs no expansion is known. */
export function makeWord(parts: readonly WordPart[], text: string): Word {
  const merged = parts.length > 1 ? mergeLiterals(parts) : parts;
  const hasBraces = mayHaveBraces(merged);
  return { kind: "word", parts: merged, literal: plainText(merged, hasBraces), hasBraces, text };
}

/** A word of plain characters only. */
export function makeLiteral(text: string): Word {
  const parts: WordPart[] = [{ kind: "literal", text, isQuoted: false }];
  return { kind: "word", parts, literal: text, hasBraces: false, text };
}

export function simpleParameter(name: string): ParameterPart {
  return {
    kind: "parameter",
    name,
    prefix: undefined,
    index: undefined,
    operation: undefined,
    text: `$${name}`,
  };
}

function mergeLiterals(parts: readonly WordPart[]): WordPart[] {
  const merged: WordPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.kind === "literal" && last?.kind === "literal" && last.isQuoted === part.isQuoted) {
      merged[merged.length - 1] = { ...last, text: last.text + part.text };
    } else {
      merged.push(part);
    }
  }
  return merged;
}

/** An unquoted `{` with a `,` or `..` somewhere behind it. */
function mayHaveBraces(parts: readonly WordPart[]): boolean {
  let isOpen = false;
  for (const part of parts) {
    if (part.kind !== "literal" || part.isQuoted) continue;
    const at = isOpen ? 0 : part.text.indexOf("{");
    if (at === -1) continue;
    isOpen = true;
    if (part.text.includes(",", at) || part.text.includes("..", at)) return true;
  }
  return false;
}

function plainText(parts: readonly WordPart[], hasBraces: boolean): string | undefined {
  if (hasBraces) return undefined;
  if (parts.length === 0) return "";
  const [only] = parts;
  if (parts.length > 1 || only?.kind !== "literal" || only.isQuoted) return undefined;
  return /[*?~\\(]/.test(only.text) || hasBracket(only.text) ? undefined : only.text;
}

/** `[…]`; a `[` that is not closed, as of the command of that name, is plain text. */
function hasBracket(text: string): boolean {
  const open = text.indexOf("[");
  return open !== -1 && text.includes("]", open);
}
