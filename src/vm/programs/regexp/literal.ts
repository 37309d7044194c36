/** Bytes that every match of a tree holds, to find lines that may match without an automaton. */
import type { Node } from "./tree.ts";

export interface RequiredLiteral {
  readonly bytes: Uint8Array;
  /** The same as Latin-1. */
  readonly text: string;
  /** The tree matches these bytes and nothing else. */
  readonly isWhole: boolean;
}

const LENGTH_LIMIT = 10_000;

/** The longest string of bytes that all matches share; undefined where none is plain to see. */
export function requiredLiteral(root: Node): RequiredLiteral | undefined {
  const runs: number[][] = [[]];
  let isWhole = true;
  const visit = (node: Node): void => {
    const only = node.kind === "set" ? node.set.only : undefined;
    if (only !== undefined && only < 128) {
      runs.at(-1)?.push(only);
    } else if (node.kind === "sequence") {
      for (const one of node.nodes) visit(one);
    } else if (node.kind === "group") {
      visit(node.node);
    } else if (node.kind === "repeat" && node.least > 0) {
      isWhole = false;
      visit(node.node);
      runs.push([]);
    } else {
      isWhole = false;
      if (node.kind !== "assert") runs.push([]);
    }
  };
  visit(root);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), []);
  if (longest.length === 0 || longest.length > LENGTH_LIMIT) return undefined;
  const text = String.fromCharCode(...longest);
  return { bytes: Uint8Array.from(longest), text, isWhole: isWhole && runs.length === 1 };
}

/** Whether a literal stands at a place where its first byte does. */
export function isAt(bytes: Uint8Array, at: number, literal: Uint8Array): boolean {
  for (let place = 1; place < literal.length; place++) {
    if (bytes[at + place] !== literal[place]) return false;
  }
  return true;
}

/** The last block asked for as Latin-1: searching text is quicker than searching bytes. */
export class LatinText {
  #block: Uint8Array | undefined;
  #text = "";

  of(block: Uint8Array): string {
    if (this.#block !== block) {
      this.#block = block;
      this.#text = Buffer.from(block.buffer, block.byteOffset, block.length).toString("latin1");
    }
    return this.#text;
  }
}
