import type * as unbash from "unbash";
import { type AdaptContext, adaptWord, makeWord } from "./adapt-word.ts";
import type { ArrayElement, Assignment, Word, WordPart } from "./ast.ts";

export function adaptAssignment(node: unbash.Assignment, context: AdaptContext): Assignment {
  const { name, text } = node;
  const index = node.index && adaptWord(node.index, context);
  const value =
    node.value.type === "ArrayValue"
      ? ({
          kind: "array",
          elements: node.value.elements.map((word) => adaptElement(adaptWord(word, context))),
        } as const)
      : adaptWord(node.value, context);
  return { kind: "assignment", name, index, isAppend: node.append === true, value, text };
}

/** `[index]=value` is one word for the parser: the index ends at the first unquoted `]=` or `]+=`. */
function adaptElement(word: Word): ArrayElement {
  const plain: ArrayElement = { index: undefined, isAppend: false, value: word };
  const [first] = word.parts;
  if (first?.kind !== "literal" || first.isQuoted || !first.text.startsWith("[")) return plain;
  for (const [at, part] of word.parts.entries()) {
    if (part.kind !== "literal" || part.isQuoted) continue;
    const close = /\](\+?)=/.exec(part.text);
    if (close === null) continue;
    const index = trimStart([
      ...word.parts.slice(0, at),
      { ...part, text: part.text.slice(0, close.index) },
    ]);
    const rest = part.text.slice(close.index + close[0].length);
    const value: WordPart[] = rest === "" ? [] : [{ ...part, text: rest }];
    value.push(...word.parts.slice(at + 1));
    return {
      index: makeWord(index, word.text),
      isAppend: close[1] === "+",
      value: makeWord(value, word.text),
    };
  }
  return plain;
}

/** Takes the opening bracket off. */
function trimStart(parts: readonly WordPart[]): WordPart[] {
  const [first, ...rest] = parts;
  if (first?.kind !== "literal") return [...parts];
  const text = first.text.slice(1);
  return text === "" ? rest : [{ ...first, text }, ...rest];
}
