/** YAML texts as documents, each with the value jq's machine computes on. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from "yaml";
import { parseAll } from "../jq/modules.ts";
import { JqError, type Value } from "../jq/value.ts";

export interface YamlDocument {
  readonly document: Document | undefined;
  readonly value: Value;
  readonly fileIndex: number;
  readonly documentIndex: number;
  readonly fileName: string;
  /** The nodes that containers of the value came from. */
  readonly origins: Origins;
}

export type Origins = Map<Value, Node>;

/** Fails with a JqError that says where. */
export function parseDocuments(
  text: string,
  format: string,
  from: { readonly fileIndex: number; readonly fileName: string },
): YamlDocument[] {
  if (format === "json") {
    return parseAll(text).map((value, documentIndex) => {
      return { document: undefined, value, documentIndex, origins: new Map(), ...from };
    });
  }
  if (format === "props") {
    const value = parseProperties(text);
    return [{ document: undefined, value, documentIndex: 0, origins: new Map(), ...from }];
  }
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, uniqueKeys: false, merge: false });
  const documents: readonly Document[] = Array.isArray(parsed) ? parsed : [];
  return documents.map((document, documentIndex) => {
    const [problem] = document.errors;
    if (problem !== undefined) {
      const { line } = lines.linePos(problem.pos[0]);
      const [words = ""] = problem.message.split(" at line ");
      throw new JqError(`bad file '${from.fileName}': yaml: line ${line}: ${words}`);
    }
    const origins: Origins = new Map();
    const value = new Reader(document, origins).read(nodeOf(document.contents));
    return { document, value, documentIndex, origins, ...from };
  });
}

function nodeOf(contents: unknown): Node | null {
  return isScalar(contents) || isMap(contents) || isSeq(contents) || isAlias(contents)
    ? contents
    : null;
}

/** Nodes within nodes: what the stack bears. */
const DEPTH_LIMIT = 1000;

class Reader {
  readonly #document: Document;
  readonly #origins: Origins;
  /** An alias is the very value of its anchor, however often it is used. */
  readonly #known = new Map<Node, Value>();

  constructor(document: Document, origins: Origins) {
    this.#document = document;
    this.#origins = origins;
  }

  read(node: Node | null, depth = 0): Value {
    if (node === null) return null;
    if (depth > DEPTH_LIMIT) throw new JqError("document too deep");
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const value = this.#make(node, depth);
    this.#known.set(node, value);
    if (typeof value === "object" && value !== null) this.#origins.set(value, node);
    return value;
  }

  #make(node: Node, depth: number): Value {
    if (isAlias(node)) return this.read(nodeOf(node.resolve(this.#document) ?? null), depth + 1);
    if (isSeq(node)) return node.items.map((item) => this.read(nodeOf(item), depth + 1));
    if (isMap(node)) {
      return new Map(
        node.items.map(({ key, value }) => [keyText(key), this.read(nodeOf(value), depth + 1)]),
      );
    }
    return isScalar(node) ? scalarValue(node.value) : null;
  }
}

export function keyText(key: unknown): string {
  const value = isScalar(key) ? key.value : key;
  return typeof value === "string" ? value : String(value);
}

function scalarValue(value: unknown): Value {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (typeof value === "bigint") return Number(value);
  return value === null || value === undefined
    ? null
    : value instanceof Date
      ? value.toISOString()
      : "";
}

function parseProperties(text: string): Value {
  const made = new Map<string, Value>();
  for (const line of text.split("\n")) {
    const match = /^\s*([^#!=:\s][^=:]*?)\s*[=:]\s*(.*)$/.exec(line);
    if (match === null) continue;
    const [, path = "", value = ""] = match;
    setDotted(made, path.split("."), value);
  }
  return made;
}

function setDotted(into: Map<string, Value>, keys: readonly string[], value: string): void {
  const [key = "", ...rest] = keys;
  if (rest.length === 0) {
    into.set(key, value);
    return;
  }
  const inner = into.get(key);
  const map = inner instanceof Map ? new Map<string, Value>(inner) : new Map<string, Value>();
  setDotted(map, rest, value);
  into.set(key, map);
}
