/** From what stands behind the dashes of a flag to the place in the input that it means. */
import { findProperty } from "./find-property.ts";
import type { SchemaDocument } from "./schema-document.ts";
import { type ArrayShape, anything, type ObjectShape, type Shape } from "./shape.ts";

export type Step = string | number;

export interface FlagTarget {
  readonly steps: readonly Step[];
  readonly shape: Shape;
}

export type Resolved = FlagTarget | { readonly problem: string } | undefined;

/** The largest position in a list that a flag can name. */
const INDEX_LIMIT = 9999;
/** How deep a flag may go. */
const STEP_LIMIT = 32;

/**
 * Finds `a.b.0.c` in the schema; undefined where there is no such place. A name that itself has dots is
 * found before one that ends at the dot. `isExact` is the form `--.name`, by which keys can be given
 * that the schema does not list.
 */
export function resolveFlag(document: SchemaDocument, text: string, isExact: boolean): Resolved {
  if (text.split(".").length > STEP_LIMIT) return { problem: "names a place too deep" };
  const { root } = document;
  return new FlagSearch(document).inObject(root, text, isExact || root.properties.size === 0);
}

/** How a switch is turned off: `--no-x`, or `--x=false` where `--no-x` is a flag itself. */
export function offFlag(document: SchemaDocument, flag: string): string {
  const name = `no-${flag.slice(2)}`;
  return resolveFlag(document, name, false) === undefined ? `--${name}` : `${flag}=false`;
}

class FlagSearch {
  readonly #document: SchemaDocument;

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  /** `takesUnknown`: other keys than the listed ones may be named. */
  inObject(shape: ObjectShape, text: string, takesUnknown: boolean): Resolved {
    for (let end = text.length; end > 0; end = text.lastIndexOf(".", end - 1)) {
      const head = text.slice(0, end);
      const found = findProperty(shape, head);
      if (found === undefined || (head.includes(".") && !shape.properties.has(head))) continue;
      if ("ambiguous" in found) {
        const names = found.ambiguous.map((name) => `--${name}`).join(", ");
        return { problem: `could be any of ${names}: write it as one of these` };
      }
      const schema = shape.properties.get(found.name) ?? true;
      return this.#below(this.#document.shapeOf(schema), found.name, text.slice(end + 1));
    }
    if (!takesUnknown || shape.rest === false) return undefined;
    return this.#unknownKey(this.#document.shapeOf(shape.rest), text);
  }

  /** A key of a record is all that follows, where what it holds has no places of its own. */
  #unknownKey(shape: Shape, text: string): Resolved {
    if (text === "") return undefined;
    const hasPlaces = shape.isAny || shape.object !== undefined || shape.array !== undefined;
    const end = hasPlaces ? text.indexOf(".", 1) : -1;
    return end === -1
      ? { steps: [text], shape }
      : this.#below(shape, text.slice(0, end), text.slice(end + 1));
  }

  #below(shape: Shape, step: Step, rest: string): Resolved {
    if (rest === "") return { steps: [step], shape };
    const inside = this.#inside(shape, rest);
    if (inside === undefined || "problem" in inside) return inside;
    return { steps: [step, ...inside.steps], shape: inside.shape };
  }

  #inside(shape: Shape, text: string): Resolved {
    if (shape.array !== undefined && /^\d+(\.|$)/.test(text)) {
      const [position = ""] = text.split(".", 1);
      const rest = text.slice(position.length + 1);
      const index = Number(position);
      if (index > INDEX_LIMIT) return { problem: `names a position past ${INDEX_LIMIT}` };
      return this.#below(this.#document.shapeOf(itemOf(shape.array, index)), index, rest);
    }
    if (shape.object !== undefined) {
      const { object } = shape;
      return this.inObject(object, text, object.isRecord || object.properties.size === 0);
    }
    if (!shape.isAny) return undefined;
    return { steps: text.split("."), shape: anything };
  }
}

/** What stands at a position of a list. */
export function itemOf({ prefix, items }: ArrayShape, index: number): ArrayShape["items"] {
  return prefix[index] ?? items;
}
