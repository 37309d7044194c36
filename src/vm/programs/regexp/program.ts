/** A tree as a list of instructions, forwards or backwards, for the automaton and for the backtracker. */

import type { CharacterSet } from "./character-set.ts";
import { RegExpTooComplexError } from "./errors.ts";
import { isNullable, type Node, type Sign } from "./tree.ts";

export type Instruction =
  | { readonly op: "set"; readonly set: CharacterSet }
  /** Goes on at `first`, and at `second` should that fail. */
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "save"; readonly slot: number }
  /** Fails where nothing was taken since the place in the slot. */
  | { readonly op: "advanced"; readonly slot: number }
  | { readonly op: "assert"; readonly sign: Sign }
  | { readonly op: "back"; readonly index: number }
  | { readonly op: "match" };

export interface RegExpProgram {
  readonly list: readonly Instruction[];
  readonly slotCount: number;
  readonly hasAssertions: boolean;
}

const INSTRUCTION_LIMIT = 400_000;

const mirrored: Record<Sign, Sign> = {
  "line-start": "line-end",
  "line-end": "line-start",
  "text-start": "text-end",
  "text-end": "text-start",
  edge: "edge",
  "no-edge": "no-edge",
  "word-start": "word-end",
  "word-end": "word-start",
  "no-word-before": "no-word-behind",
  "no-word-behind": "no-word-before",
};

/** Backwards it matches the text from its end to its start. Fails with a RegExpTooComplexError. */
export function makeProgram(
  root: Node,
  groupCount: number,
  direction: "forwards" | "backwards" = "forwards",
): RegExpProgram {
  return new Maker(groupCount, direction === "backwards").make(root);
}

class Maker {
  readonly #list: Instruction[] = [];
  readonly #isBackwards: boolean;
  #slots: number;
  #hasAssertions = false;

  constructor(groupCount: number, isBackwards: boolean) {
    this.#isBackwards = isBackwards;
    this.#slots = (groupCount + 1) * 2;
  }

  make(root: Node): RegExpProgram {
    this.#add(root);
    this.#put({ op: "match" });
    return { list: this.#list, slotCount: this.#slots, hasAssertions: this.#hasAssertions };
  }

  #put(instruction: Instruction): number {
    if (this.#list.length >= INSTRUCTION_LIMIT) throw new RegExpTooComplexError();
    return this.#list.push(instruction) - 1;
  }

  #add(node: Node): void {
    switch (node.kind) {
      case "set":
        this.#put({ op: "set", set: node.set });
        return;
      case "sequence":
        for (const one of this.#isBackwards ? node.nodes.toReversed() : node.nodes) this.#add(one);
        return;
      case "choice":
        this.#addChoice(node.nodes);
        return;
      case "repeat":
        this.#addRepeat(node);
        return;
      case "group":
        this.#put({ op: "save", slot: node.index * 2 });
        this.#add(node.node);
        this.#put({ op: "save", slot: node.index * 2 + 1 });
        return;
      case "assert":
        this.#hasAssertions = true;
        this.#put({ op: "assert", sign: this.#isBackwards ? mirrored[node.sign] : node.sign });
        return;
      case "back":
        this.#put({ op: "back", index: node.index });
    }
  }

  #addChoice(nodes: readonly Node[]): void {
    const jumps: Extract<Instruction, { op: "jump" }>[] = [];
    for (const [at, node] of nodes.entries()) {
      const split = at < nodes.length - 1 ? this.#split() : undefined;
      this.#add(node);
      if (split === undefined) continue;
      const jump = { op: "jump" as const, to: 0 };
      this.#put(jump);
      jumps.push(jump);
      split.second = this.#list.length;
    }
    for (const jump of jumps) jump.to = this.#list.length;
  }

  #split(): Extract<Instruction, { op: "split" }> {
    const split = { op: "split" as const, first: 0, second: 0 };
    split.first = this.#put(split) + 1;
    return split;
  }

  #addRepeat({ node, least, most }: Extract<Node, { kind: "repeat" }>): void {
    for (let count = 0; count < least; count++) this.#add(node);
    if (most === Number.POSITIVE_INFINITY) {
      const split = this.#split();
      this.#addAdvancing(node);
      this.#put({ op: "jump", to: split.first - 1 });
      split.second = this.#list.length;
      return;
    }
    const splits = [];
    for (let count = least; count < most; count++) {
      splits.push(this.#split());
      this.#addAdvancing(node);
    }
    for (const split of splits) split.second = this.#list.length;
  }

  /** A repetition that is not needed must take something. */
  #addAdvancing(node: Node): void {
    if (!isNullable(node)) {
      this.#add(node);
      return;
    }
    const slot = this.#slots++;
    this.#put({ op: "save", slot });
    this.#add(node);
    this.#put({ op: "advanced", slot });
  }
}
