/** A schema with everything its `$ref`s can reach: itself. */
import { isJsonArray } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { followPointer } from "./local-ref.ts";
import { Patterns } from "./patterns.ts";
import { checkLoops } from "./schema-loops.ts";

/** Where a schema without `$id` lives. */
const NOWHERE = "agentos:/schema";

export class SchemaDocument {
  readonly root: JsonSchema;
  /** By their absolute names: `$id`, and `$id#anchor`. */
  readonly #named = new Map<string, JsonSchema>();
  /** The address that a node's references start from. */
  readonly #base = new Map<object, string>();
  /** What the references of a node mean. */
  readonly #targets = new Map<object, readonly JsonValue[]>();
  readonly patterns = new Patterns();
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
    for (const node of this.nodes()) this.#resolveReferences(node);
    checkLoops(this);
  }

  nodes(): Iterable<JsonSchema> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only objects that are no arrays are visited
    return this.#base.keys() as Iterable<JsonSchema>;
  }

  /** What `$ref` and `$dynamicRef` of a node stand for. */
  targets(node: JsonSchema): readonly JsonValue[] {
    return this.#targets.get(node) ?? [];
  }

  #find(node: JsonSchema, reference: string): JsonValue | undefined {
    const base = this.#base.get(node) ?? NOWHERE;
    const url = toUrl(reference, base);
    if (url === undefined) return undefined;
    const [address = "", fragment = ""] = url.split("#", 2);
    const resource = this.#named.get(address) ?? (address === base ? this.root : undefined);
    if (fragment === "") return resource;
    if (!fragment.startsWith("/")) return this.#named.get(`${address}#${fragment}`);
    return resource === undefined ? undefined : followPointer(resource, fragment);
  }

  #visit(value: JsonValue, base: string): void {
    if (typeof value !== "object" || value === null) return;
    if (isJsonArray(value)) {
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

  #resolveReferences(node: JsonSchema): void {
    const targets = [node["$ref"], node["$dynamicRef"]]
      .filter((reference) => typeof reference === "string")
      .map((reference) => this.#get(node, reference));
    if (targets.length > 0) this.#targets.set(node, targets);
  }

  #get(node: JsonSchema, reference: string): JsonValue {
    const found = this.#find(node, reference);
    if (found !== undefined) return found;
    throw new TypeError(
      `The schema refers to ${JSON.stringify(reference.slice(0, 200))}, which is not part of it. Nothing is fetched: put it under $defs.`,
    );
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
