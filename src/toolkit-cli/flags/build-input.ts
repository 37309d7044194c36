/** The input of a call from `--json` and from flags, which go on top of it. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { findMissing } from "./find-missing.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "./json-kinds.ts";
import { objectFrom, readLeaf } from "./read-leaf.ts";
import type { Given, GivenWord } from "./read-words.ts";
import type { FlagTarget, Step } from "./resolve-flag.ts";
import { SchemaDocument } from "./schema-document.ts";

export interface BuiltInput {
  readonly input: JsonObject;
  /** What is wrong, all of it, one sentence each. */
  readonly problems: readonly string[];
}

/** A place in the input that flags name. */
type Node = Leaf | Branch;

interface Leaf {
  readonly kind: "leaf";
  readonly flag: string;
  readonly target: FlagTarget;
  readonly words: GivenWord[];
}

interface Branch {
  readonly kind: "branch";
  /** The first flag that goes through here. */
  readonly flag: string;
  readonly nodes: Map<Step, Node>;
}

/** What is missing is looked for where nothing else is wrong and the words are `isComplete`. */
export function buildInput(
  schema: JsonSchema,
  bases: readonly JsonObject[],
  given: readonly Given[],
  isComplete = true,
): BuiltInput {
  const document = new SchemaDocument(schema);
  const builder = new InputBuilder(document);
  const root: Branch = { kind: "branch", flag: "", nodes: new Map() };
  for (const one of given) builder.place(root, one);
  const base = bases.reduce<JsonValue>((below, above) => mergeJson(below, above), {});
  const input = builder.merge(base, root);
  const built = isJsonObject(input) ? input : {};
  if (isComplete && builder.problems.length === 0) {
    const missing = findMissing(document, built);
    if (missing !== undefined) builder.problems.push(missing);
  }
  return { input: built, problems: builder.problems };
}

class InputBuilder {
  readonly #document: SchemaDocument;
  readonly problems: string[] = [];

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  place(root: Branch, { flag, target, word }: Given): void {
    let branch = root;
    const last = target.steps.length - 1;
    for (const step of target.steps.slice(0, -1)) {
      const next = branch.nodes.get(step) ?? { kind: "branch", flag, nodes: new Map() };
      if (next.kind === "leaf") {
        this.problems.push(`${flag} and ${nameOf(next)} exclude each other`);
        return;
      }
      branch.nodes.set(step, next);
      branch = next;
    }
    const step = target.steps[last] ?? "";
    const node = branch.nodes.get(step);
    if (node === undefined) branch.nodes.set(step, { kind: "leaf", flag, target, words: [word] });
    else if (node.kind === "leaf") node.words.push(word);
    else this.problems.push(`${flag} and ${node.flag} exclude each other`);
  }

  merge(base: JsonValue | undefined, node: Node): JsonValue {
    if (node.kind === "leaf") {
      const read = readLeaf(this.#document, node.target.shape, node.words);
      if ("value" in read) return read.value;
      this.problems.push(`${nameOf(node)} ${read.problem}`);
      return null;
    }
    const isList = [...node.nodes.keys()].some((step) => typeof step === "number");
    return isList ? this.#mergeList(base, node) : this.#mergeObject(base, node);
  }

  #mergeObject(base: JsonValue | undefined, { nodes }: Branch): JsonValue {
    const entries = new Map(isJsonObject(base) ? Object.entries(base) : []);
    for (const [step, node] of nodes) {
      entries.set(String(step), this.merge(entries.get(String(step)), node));
    }
    return objectFrom(entries);
  }

  #mergeList(base: JsonValue | undefined, { nodes, flag }: Branch): JsonValue {
    const values: (JsonValue | undefined)[] = isJsonArray(base) ? [...base] : [];
    const sorted = [...nodes].toSorted(([one], [other]) => Number(one) - Number(other));
    for (const [step, node] of sorted) {
      const index = Number(step);
      if (!Number.isInteger(index) || index > values.length) {
        this.problems.push(`${flag}: the list has no item ${values.length}`);
        return [];
      }
      values[index] = this.merge(values[index], node);
    }
    return values.map((value) => value ?? null);
  }
}

function nameOf({ flag, target }: Leaf): string {
  return flag === "" ? target.steps.join(".") : flag;
}

/** Objects are merged, anything else is replaced. Both come from JSON text of bounded depth. */
function mergeJson(below: JsonValue | undefined, above: JsonValue): JsonValue {
  if (!isJsonObject(above)) return above;
  const entries = new Map(isJsonObject(below) ? Object.entries(below) : []);
  for (const [key, value] of Object.entries(above)) {
    entries.set(key, mergeJson(entries.get(key), value));
  }
  return objectFrom(entries);
}
