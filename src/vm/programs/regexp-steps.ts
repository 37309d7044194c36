/** A tree of a regular expression as a list of steps for a machine that tries and goes back. */
import { RegExpTooComplexError } from "./regexp/errors.ts";
import type { RegExpNode, RegExpTree } from "./regexp-tree.ts";

export type Step =
  | { readonly kind: "character"; readonly accepts: (code: number) => boolean }
  /** Goes on at `first`, and at `second` should that fail. `id` numbers the splits. */
  | { readonly kind: "split"; first: number; second: number; readonly id: number }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "save"; readonly slot: number }
  /** Fails where nothing was taken since the place in the slot. */
  | { readonly kind: "advanced"; readonly slot: number }
  | { readonly kind: "assert"; readonly sign: "^" | "$" | "\\b" | "\\B" }
  | {
      readonly kind: "look";
      readonly steps: Steps;
      readonly isBehind: boolean;
      readonly isNegated: boolean;
    }
  | { readonly kind: "back"; readonly index: number }
  | { readonly kind: "match" };

export interface Steps {
  readonly list: readonly Step[];
  readonly splitCount: number;
  readonly slotCount: number;
}

const STEPS_LIMIT = 50_000;

export function makeSteps(tree: RegExpTree, ignoreCase: boolean, isDotAll: boolean): Steps {
  const flags = `${ignoreCase ? "i" : ""}${isDotAll ? "s" : ""}u`;
  return new Maker(tree, flags).make(tree.root);
}

class Maker {
  readonly #tree: RegExpTree;
  readonly #flags: string;
  readonly #list: Step[] = [];
  #splits = 0;
  #slots: number;

  constructor(tree: RegExpTree, flags: string) {
    this.#tree = tree;
    this.#flags = flags;
    this.#slots = (tree.groupCount + 1) * 2;
  }

  make(root: RegExpNode): Steps {
    this.#add(root);
    this.#put({ kind: "match" });
    return { list: this.#list, splitCount: this.#splits, slotCount: this.#slots };
  }

  #put(step: Step): number {
    if (this.#list.length >= STEPS_LIMIT) throw new RegExpTooComplexError();
    return this.#list.push(step) - 1;
  }

  #add(node: RegExpNode): void {
    switch (node.kind) {
      case "atom":
        this.#put({ kind: "character", accepts: atomTest(node.source, this.#flags) });
        return;
      case "sequence":
        for (const one of node.nodes) this.#add(one);
        return;
      case "choice":
        this.#addChoice(node.nodes);
        return;
      case "repeat":
        this.#addRepeat(node);
        return;
      case "group":
        this.#put({ kind: "save", slot: node.index * 2 });
        this.#add(node.node);
        this.#put({ kind: "save", slot: node.index * 2 + 1 });
        return;
      case "assert":
      case "back":
        this.#put(node);
        return;
      case "look": {
        const { isBehind, isNegated } = node;
        const steps = new Maker(this.#tree, this.#flags).make(node.node);
        this.#put({ kind: "look", steps, isBehind, isNegated });
      }
    }
  }

  #addChoice(nodes: readonly RegExpNode[]): void {
    const ends: number[] = [];
    for (const [at, node] of nodes.entries()) {
      const split = at < nodes.length - 1 ? this.#split() : undefined;
      this.#add(node);
      if (split === undefined) continue;
      ends.push(this.#put({ kind: "jump", to: 0 }));
      split.second = this.#list.length;
    }
    for (const end of ends) this.#list[end] = { kind: "jump", to: this.#list.length };
  }

  #split(): Extract<Step, { kind: "split" }> {
    const step = { kind: "split" as const, first: 0, second: 0, id: this.#splits };
    this.#splits += 1;
    step.first = this.#put(step) + 1;
    return step;
  }

  #addRepeat({ node, least, most, isLazy }: Extract<RegExpNode, { kind: "repeat" }>): void {
    for (let count = 0; count < least; count++) this.#add(node);
    if (most === Number.POSITIVE_INFINITY) {
      const split = this.#split();
      this.#addAdvancing(node);
      this.#put({ kind: "jump", to: split.first - 1 });
      this.#leave(split, isLazy);
      return;
    }
    const splits = [];
    for (let count = least; count < most; count++) {
      splits.push(this.#split());
      this.#addAdvancing(node);
    }
    for (const split of splits) this.#leave(split, isLazy);
  }

  /** A repetition that is not needed must take something. */
  #addAdvancing(node: RegExpNode): void {
    if (node.kind === "atom") {
      this.#add(node);
      return;
    }
    const slot = this.#slots++;
    this.#put({ kind: "save", slot });
    this.#add(node);
    this.#put({ kind: "advanced", slot });
  }

  /** The split's other way is past what there is now; a lazy one prefers it. */
  #leave(split: Extract<Step, { kind: "split" }>, isLazy: boolean): void {
    split.second = this.#list.length;
    if (isLazy) [split.first, split.second] = [split.second, split.first];
  }
}

/** Whether one character matches; V8 is asked once for each character below 128. */
function atomTest(source: string, flags: string): (code: number) => boolean {
  const isLiteral = !flags.includes("i") && /^[^\\[.]$/u.test(source);
  const literal = source.codePointAt(0);
  if (isLiteral) return (code) => code === literal;
  const whole = new RegExp(`^(?:${source})$`, flags);
  const known = new Int8Array(128);
  return (code) => {
    if (code >= 128) return whole.test(String.fromCodePoint(code));
    if (known[code] === 0) known[code] = whole.test(String.fromCodePoint(code)) ? 1 : -1;
    return known[code] === 1;
  };
}
