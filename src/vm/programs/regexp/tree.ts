/** A POSIX regular expression as a tree. */
import type { CharacterSet } from "./character-set.ts";

export type Sign =
  | "line-start"
  | "line-end"
  | "text-start"
  | "text-end"
  | "edge"
  | "no-edge"
  | "word-start"
  | "word-end"
  /** No word character stands before, or behind: grep's -w. */
  | "no-word-before"
  | "no-word-behind";

export type Node =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly nodes: readonly Node[] }
  | { readonly kind: "choice"; readonly nodes: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly least: number; readonly most: number }
  | { readonly kind: "group"; readonly node: Node; readonly index: number }
  | { readonly kind: "assert"; readonly sign: Sign }
  | { readonly kind: "back"; readonly index: number };

export interface Tree {
  readonly root: Node;
  readonly groupCount: number;
  readonly hasBackReferences: boolean;
  /** What GNU grep warns of, in its words. */
  readonly warnings: readonly string[];
}

/** Whether a node can match without taking a character. */
export function isNullable(node: Node): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "sequence":
      return node.nodes.every(isNullable);
    case "choice":
      return node.nodes.some(isNullable);
    case "repeat":
      return node.least === 0 || isNullable(node.node);
    case "group":
      return isNullable(node.node);
    case "assert":
    case "back":
      return true;
  }
}
