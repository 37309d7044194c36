/** What grep is to look for, from its options and operands. */
import { decodeText, isKernelError } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { errorWords, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { CharacterSet } from "../regexp/character-set.ts";
import { characterCodes } from "../regexp/characters.ts";
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { LineRegExp } from "../regexp/line-regexp.ts";
import { parsePosix } from "../regexp/parse.ts";
import type { Node, Tree } from "../regexp/tree.ts";
import { wordTrie } from "../regexp/word-trie.ts";
import type { Matcher } from "./matcher.ts";
import { PerlMatcher } from "./perl-matcher.ts";

export interface PatternOptions {
  readonly syntax: "basic" | "extended" | "fixed" | "perl";
  readonly ignoreCase: boolean;
  readonly isWord: boolean;
  readonly isLine: boolean;
  readonly isUtf8: boolean;
  readonly delimiter: number;
}

export interface Patterns {
  readonly matcher: Matcher;
  /** The operands that are files. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/** Fails with a UsageError. */
export async function readPatterns(run: Run, isUtf8: boolean): Promise<Patterns> {
  const { options } = run;
  const patterns = await givenPatterns(run);
  const [first, ...rest] = run.operands;
  if (patterns === undefined && first === undefined) throw new UsageError("");
  const all = patterns ?? (first ?? "").split("\n");
  const compiled = compilePatterns(all, {
    syntax: syntaxOf(run),
    ignoreCase:
      options.last("ignore-case", "y", "no-ignore-case") !== "no-ignore-case" &&
      (options.has("ignore-case") || options.has("y")),
    isWord: options.has("word-regexp"),
    isLine: options.has("line-regexp"),
    isUtf8,
    delimiter: options.has("null-data") ? 0 : 10,
  });
  return { ...compiled, files: patterns === undefined ? rest : run.operands };
}

/** Those of -e and -f; undefined where there is neither. */
async function givenPatterns(run: Run): Promise<string[] | undefined> {
  const { options } = run;
  if (!options.has("regexp") && !options.has("file")) return undefined;
  const patterns = options.all("regexp").flatMap((text) => text.split("\n"));
  for (const file of options.all("file")) {
    const text = await readPatternFile(run, file);
    if (text !== "") patterns.push(...text.replace(/\n$/, "").split("\n"));
  }
  return patterns;
}

async function readPatternFile(run: Run, file: string): Promise<string> {
  try {
    let text = "";
    await run.withInput(file, async (fd) => {
      text = decodeText(await readAllBytes(run.sys, fd));
    });
    return text;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${file}: ${errorWords(error)}`, { hasHint: false });
  }
}

function syntaxOf(run: Run): PatternOptions["syntax"] {
  const { options } = run;
  const kinds = ["extended-regexp", "fixed-strings", "basic-regexp", "perl-regexp"];
  const given = new Set(kinds.filter((kind) => options.has(kind)));
  if (run.baseName === "egrep") given.add("extended-regexp");
  if (run.baseName === "fgrep") given.add("fixed-strings");
  if (given.size > 1) throw new UsageError("conflicting matchers specified", { hasHint: false });
  if (given.has("extended-regexp")) return "extended";
  if (given.has("fixed-strings")) return "fixed";
  return given.has("perl-regexp") ? "perl" : "basic";
}

export function compilePatterns(
  patterns: readonly string[],
  options: PatternOptions,
): { readonly matcher: Matcher; readonly warnings: readonly string[] } {
  try {
    if (options.syntax === "perl") {
      if (patterns.length > 1)
        throw new RegExpSyntaxError("the -P option only supports a single pattern");
      return { matcher: new PerlMatcher(patterns[0] ?? "", options), warnings: [] };
    }
    const { tree, warnings } = makeTree(patterns, options);
    const { isUtf8, delimiter, ignoreCase } = options;
    const style = { isUtf8, isMultiline: false, delimiter, ignoreCase };
    return { matcher: new LineRegExp(tree, style), warnings };
  } catch (error) {
    if (error instanceof RegExpSyntaxError) throw new UsageError(error.message, { hasHint: false });
    throw error;
  }
}

function makeTree(
  patterns: readonly string[],
  options: PatternOptions,
): { readonly tree: Tree; readonly warnings: readonly string[] } {
  const { syntax, ignoreCase, isUtf8 } = options;
  const warnings: string[] = [];
  if (syntax === "fixed") {
    const words = patterns.map((pattern) => characterCodes(pattern, isUtf8));
    const root = wrapped(wordTrie(words, ignoreCase), options);
    return { tree: { root, groupCount: 0, hasBackReferences: false, warnings }, warnings };
  }
  const nodes: Node[] = [];
  let groupCount = 0;
  let hasBackReferences = false;
  for (const pattern of new Set(patterns)) {
    const style = {
      syntax: syntax === "extended" ? syntax : ("basic" as const),
      isUtf8,
      ignoreCase,
    };
    const tree = parsePosix(pattern, { ...style, flavour: "grep", groupsBefore: groupCount });
    groupCount = tree.groupCount;
    hasBackReferences ||= tree.hasBackReferences;
    warnings.push(...tree.warnings);
    nodes.push(tree.root);
  }
  const nothing: Node = { kind: "set", set: new CharacterSet({ ranges: [] }) };
  const [first = nothing] = nodes;
  const root = wrapped(nodes.length > 1 ? { kind: "choice", nodes } : first, options);
  return { tree: { root, groupCount, hasBackReferences, warnings }, warnings };
}

/** The whole line, or no word characters beside it. */
function wrapped(node: Node, { isLine, isWord }: PatternOptions): Node {
  if (isLine) {
    const start: Node = { kind: "assert", sign: "text-start" };
    return { kind: "sequence", nodes: [start, node, { kind: "assert", sign: "text-end" }] };
  }
  if (!isWord) return node;
  const before: Node = { kind: "assert", sign: "no-word-before" };
  return { kind: "sequence", nodes: [before, node, { kind: "assert", sign: "no-word-behind" }] };
}
