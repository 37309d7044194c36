import type { Sign } from "./tree.ts";

export type Token =
  | { readonly kind: "(" | ")" | "|" | "*" | "+" | "?" | "{" | "." | "[" | "end" }
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "anchor"; readonly sign: Sign }
  | { readonly kind: "class"; readonly name: "w" | "W" | "s" | "S" }
  | { readonly kind: "back"; readonly index: number };

/** Assertions by the character behind their backslash. */
export const signs = new Map<string, Sign>([
  ["<", "word-start"],
  [">", "word-end"],
  ["b", "edge"],
  ["B", "no-edge"],
  ["`", "text-start"],
  ["'", "text-end"],
]);

/** Plain in an extended expression, behind a backslash in a basic one. */
export function isOperator(character: string): character is "(" | ")" | "|" | "+" | "?" | "{" {
  return "()|+?{".includes(character);
}
