/** Results as YAML: what came from a document keeps its comments, styles and aliases. */
import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { isArray, isNumber, isObject, numberOf, type Value } from "../jq/value.ts";
import { keyText, type Origins, type YamlDocument } from "./documents.ts";

export interface RenderStyle {
  readonly indent: number;
  readonly isPretty: boolean;
  readonly isUnwrapped: boolean;
}

/** The text of one result, with a line feed. */
export function renderYaml(
  value: Value,
  from: YamlDocument | undefined,
  style: RenderStyle,
): string {
  if (typeof value === "string" && style.isUnwrapped && !isWholeDocument(value, from))
    return `${value}\n`;
  const root = from?.document;
  const known = from?.origins.get(value);
  const node = rebuild(value, known ?? nodeOf(root?.contents), from?.origins ?? new Map());
  const isRoot = root !== undefined && (known === undefined || known === root.contents);
  const document = isRoot ? root : new Document();
  const before = document.contents;
  document.contents = node;
  if (style.isPretty) makePretty(node);
  try {
    return document.toString({
      indent: style.indent === 0 ? 2 : style.indent,
      lineWidth: 0,
      flowCollectionPadding: false,
      directives: false,
      verifyAliasOrder: false,
    });
  } finally {
    document.contents = before;
  }
}

function isWholeDocument(value: Value, from: YamlDocument | undefined): boolean {
  return (
    from?.document !== undefined && from.value === value && from.document.commentBefore !== null
  );
}

function nodeOf(contents: unknown): Node | undefined {
  return isScalar(contents) || isMap(contents) || isSeq(contents) || isAlias(contents)
    ? contents
    : undefined;
}

/** A node for a value: the old one where it says the same, changed where it does not. */
function rebuild(value: Value, old: Node | undefined, origins: Origins): Node {
  if (old !== undefined && isAlias(old)) return old;
  if (isObject(value))
    return rebuildMap(value, old !== undefined && isMap(old) ? old : undefined, origins);
  if (isArray(value))
    return rebuildSeq(value, old !== undefined && isSeq(old) ? old : undefined, origins);
  const plain = isNumber(value) ? numberOf(value) : value;
  if (old !== undefined && isScalar(old) && old.value === plain) return old;
  const made = new Scalar(plain);
  if (old === undefined || !isScalar(old)) return made;
  if (typeof old.value === "string" && typeof plain === "string" && old.type !== undefined)
    made.type = old.type;
  made.comment = old.comment ?? null;
  made.commentBefore = old.commentBefore ?? null;
  if (old.anchor !== undefined) made.anchor = old.anchor;
  return made;
}

function rebuildMap(
  value: ReadonlyMap<string, Value>,
  old: YAMLMap | undefined,
  origins: Origins,
): Node {
  const pairs = new Map<string, Pair>((old?.items ?? []).map((pair) => [keyText(pair.key), pair]));
  const made = new YAMLMap();
  copyStyle(old, made);
  for (const [key, item] of value) {
    const pair = pairs.get(key);
    const before = nodeOf(pair?.value);
    const own = before ?? origins.get(item);
    const node = rebuild(item, own, origins);
    const keyNode = pair === undefined ? new Scalar(key) : pair.key;
    made.add({ key: keyNode, value: node }, true);
  }
  return made;
}

function rebuildSeq(value: readonly Value[], old: YAMLSeq | undefined, origins: Origins): Node {
  const made = new YAMLSeq();
  copyStyle(old, made);
  for (const [at, item] of value.entries()) {
    const isContainer = isArray(item) || isObject(item);
    const own = isContainer ? origins.get(item) : undefined;
    made.items.push(rebuild(item, own ?? nodeOf(sameItem(old, at, item)), origins));
  }
  return made;
}

/** The old item of that value: at its place, or wherever it has moved from. */
function sameItem(old: YAMLSeq | undefined, at: number, item: Value): unknown {
  const items = old?.items ?? [];
  const same = (one: unknown): boolean => isScalar(one) && one.value === item;
  return same(items[at]) || typeof item === "object" ? items[at] : (items.find(same) ?? items[at]);
}

function copyStyle(old: YAMLMap | YAMLSeq | undefined, made: YAMLMap | YAMLSeq): void {
  if (old === undefined) return;
  if (old.flow !== undefined) made.flow = old.flow;
  if (old.anchor !== undefined) made.anchor = old.anchor;
  if (old.tag !== undefined) made.tag = old.tag;
  made.comment = old.comment ?? null;
  made.commentBefore = old.commentBefore ?? null;
}

function makePretty(node: Node): void {
  if (isMap(node) || isSeq(node)) {
    node.flow = false;
    for (const item of node.items) {
      const inner = isSeq(node) ? nodeOf(item) : nodeOf(valueOf(item));
      if (inner !== undefined) makePretty(inner);
    }
  } else if (isScalar(node) && typeof node.value === "string" && node.type !== undefined) {
    if (node.type.startsWith("QUOTE")) delete node.type;
  }
}

function valueOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "value" in item ? item.value : undefined;
}
