/**
 * Regular expressions that cannot take the VM, in JavaScript's syntax: what shell patterns, jq's and
 * Perl's expressions become. POSIX' own are in regexp/, where the longest match wins.
 *
 * V8's engine takes time without end for some patterns, and its fallback knows no flag `u` or `i`, no
 * lookahead, no back reference. So V8 matches where the pattern's shape and the text's length bound
 * its work; the machine of our own does the rest.
 */
import { RegExpMachine } from "./regexp-machine.ts";
import { makeSteps, type Steps } from "./regexp-steps.ts";
import { parseRegExp, type RegExpNode, type RegExpTree } from "./regexp-tree.ts";

/** Characters V8 may look at: some tenths of a second. */
const V8_WORK_LIMIT = 100_000_000;

export interface SafeMatch {
  readonly index: number;
  /** What matched, then its groups. */
  readonly groups: readonly (string | undefined)[];
  /** Where each of these starts and ends; known to those who ask with the flag `d`. */
  readonly spans?: readonly ([number, number] | undefined)[] | undefined;
}

export class SafeRegExp {
  readonly #source: string;
  readonly #regExp: RegExp;
  readonly #isMultiline: boolean;
  #tree: RegExpTree | undefined;
  #degree: number | undefined;
  #steps: Steps | undefined;

  /** Flags of RegExp, without `g` and `y`. Fails with V8's SyntaxError. */
  constructor(source: string, flags: string) {
    this.#source = source;
    this.#regExp = new RegExp(source, `${flags}g`);
    this.#isMultiline = flags.includes("m");
  }

  test(text: string): boolean {
    return this.exec(text) !== null;
  }

  /** The first match from a place on. Fails with a RegExpTooComplexError. */
  exec(text: string, from = 0): SafeMatch | null {
    if (text.length * text.length ** this.#degreeOfWork() <= V8_WORK_LIMIT) {
      this.#regExp.lastIndex = from;
      const match = this.#regExp.exec(text);
      return match === null ? null : { index: match.index, groups: match, spans: match.indices };
    }
    return this.#search(text, from);
  }

  #search(text: string, from: number): SafeMatch | null {
    const tree = this.#parsed();
    const { ignoreCase, dotAll } = this.#regExp;
    this.#steps ??= makeSteps(tree, ignoreCase, dotAll);
    const { hasBackReferences } = tree;
    const machine = new RegExpMachine(text, { isMultiline: this.#isMultiline, hasBackReferences });
    const slots = machine.search(this.#steps, this.#starts(tree, text, from));
    if (slots === undefined) return null;
    const spans = Array.from({ length: tree.groupCount + 1 }, (_, group) => {
      const [start = -1, end = -1] = slots.subarray(group * 2, group * 2 + 2);
      const span: [number, number] | undefined =
        start === -1 || end === -1 ? undefined : [start, end];
      return span;
    });
    const groups = spans.map((span) => (span === undefined ? undefined : text.slice(...span)));
    return { index: slots[0] ?? 0, groups, spans };
  }

  *#starts(tree: RegExpTree, text: string, from: number): Iterable<number> {
    const isAnchored = !this.#isMultiline && startsAnchored(tree.root);
    for (let at = from; at <= text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
      yield at;
      if (isAnchored) return;
    }
  }

  #parsed(): RegExpTree {
    this.#tree ??= parseRegExp(this.#source);
    return this.#tree;
  }

  /** V8's work is at most the text's length to the power of this and one. */
  #degreeOfWork(): number {
    if (this.#degree !== undefined) return this.#degree;
    if (!/[*+?{\\]/.test(this.#source)) this.#degree = 0;
    else {
      const tree = this.#parsed();
      const isAnchored = startsAnchored(tree.root) ? 1 : 0;
      this.#degree = tree.hasBackReferences
        ? Number.POSITIVE_INFINITY
        : Math.max(0, degreeOf(tree.root) - isAnchored);
    }
    return this.#degree;
  }
}

function startsAnchored(node: RegExpNode): boolean {
  if (node.kind === "assert") return node.sign === "^";
  const [first] = node.kind === "sequence" ? node.nodes : [];
  return first !== undefined && startsAnchored(first);
}

/** Optional single characters: few double the work few times. */
const OPTIONAL_DEGREE = 1 / 8;

/** How many repetitions can each take any part of the text; infinite for one within another. */
function degreeOf(node: RegExpNode): number {
  switch (node.kind) {
    case "sequence":
      return node.nodes.reduce((sum, one) => sum + degreeOf(one), 0);
    case "choice":
      return node.nodes.reduce((sum, one) => sum + degreeOf(one), 0);
    case "group":
      return degreeOf(node.node);
    case "look":
      return degreeOf(node.node);
    case "repeat":
      return degreeOfRepeat(node);
    default:
      return 0;
  }
}

function degreeOfRepeat({ node, least, most }: Extract<RegExpNode, { kind: "repeat" }>): number {
  if (node.kind === "atom") return least === most ? 0 : most === 1 ? OPTIONAL_DEGREE : 1;
  if (most === 1) return OPTIONAL_DEGREE + degreeOf(node);
  return isSingle(node) ? 1 : Number.POSITIVE_INFINITY;
}

/** Takes one character, in one way. */
function isSingle(node: RegExpNode): boolean {
  if (node.kind === "group") return isSingle(node.node);
  const [first, ...more] = node.kind === "sequence" ? node.nodes : [];
  return node.kind === "atom" || (first !== undefined && more.length === 0 && isSingle(first));
}
