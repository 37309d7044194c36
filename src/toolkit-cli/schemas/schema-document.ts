/** A schema with everything its `$ref`s can reach: itself. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { followPointer } from "./local-ref.ts";

/** Where a schema without `$id` lives. */
const NOWHERE = "agentos:/schema";

export class SchemaDocument {
  readonly root: JsonSchema;
  /** By their absolute names: `$id`, and `$id#anchor`. */
  readonly #named = new Map<string, JsonSchema>();
  /** The address that a node's references start from. */
  readonly #base = new Map<object, string>();
  readonly #patterns = new Map<string, RegExp | undefined>();
  /** Whether what a part of a schema has looked at matters elsewhere. */
  readonly hasUnevaluated: boolean;

  /** Throws a TypeError where a reference leads nowhere or out of the schema. */
  constructor(root: JsonSchema) {
    this.root = root;
    this.#named.set(NOWHERE, root);
    this.#visit(root, NOWHERE);
    this.hasUnevaluated = [...this.nodes()].some(
      (node) => "unevaluatedProperties" in node || "unevaluatedItems" in node,
    );
    for (const node of this.nodes()) this.#checkReferences(node);
  }

  nodes(): Iterable<JsonSchema> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only objects that are no arrays are visited
    return this.#base.keys() as Iterable<JsonSchema>;
  }

  /** What `reference` in `node` means; undefined where that is nothing. */
  resolve(node: JsonSchema, reference: string): JsonValue | undefined {
    const base = this.#base.get(node) ?? NOWHERE;
    const url = toUrl(reference, base);
    if (url === undefined) return undefined;
    const [address = "", fragment = ""] = url.split("#", 2);
    const resource = this.#named.get(address) ?? (address === base ? this.root : undefined);
    if (fragment === "") return resource;
    if (!fragment.startsWith("/")) return this.#named.get(`${address}#${fragment}`);
    return resource === undefined ? undefined : followPointer(resource, fragment);
  }

  pattern(source: string, compile: (source: string) => RegExp | undefined): RegExp | undefined {
    if (!this.#patterns.has(source)) this.#patterns.set(source, compile(source));
    return this.#patterns.get(source);
  }

  #visit(value: JsonValue, base: string): void {
    if (typeof value !== "object" || value === null) return;
    if (isArray(value)) {
      for (const item of value) this.#visit(item, base);
      return;
    }
    const { $id, $anchor, $dynamicAnchor } = value;
    const here = typeof $id === "string" ? (toUrl($id, base)?.replace(/#$/, "") ?? base) : base;
    if (here !== base) this.#named.set(here, value);
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === "string") this.#named.set(`${here}#${anchor}`, value);
    }
    this.#base.set(value, here);
    for (const [keyword, part] of Object.entries(value)) {
      if (!DATA_KEYWORDS.has(keyword)) this.#visit(part, here);
    }
  }

  #checkReferences(node: JsonSchema): void {
    for (const reference of [node["$ref"], node["$dynamicRef"]]) {
      if (typeof reference !== "string") continue;
      if (this.resolve(node, reference) === undefined) {
        throw new TypeError(
          `The schema refers to ${JSON.stringify(reference.slice(0, 200))}, which is not part of it. Nothing is fetched: put it under $defs.`,
        );
      }
    }
  }
}

/** What is in them is data, whatever it looks like. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set([
  "const",
  "enum",
  "default",
  "examples",
  "example",
]);

function toUrl(reference: string, base: string): string | undefined {
  if (reference.startsWith("#")) return base + reference;
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
