/** The flags of a tool, for help, completion and suggestions. */
import type { JsonValue } from "../json-schema.ts";
import { describeJson } from "./describe-json.ts";
import { describeScalar, placeholder } from "./describe-shape.ts";
import { flagWord } from "./find-property.ts";
import { offFlag } from "./resolve-flag.ts";
import type { SchemaDocument } from "./schema-document.ts";
import { isSwitch, type ObjectShape, type Shape } from "./shape.ts";

export interface FlagRow {
  /** `--filter.max-age`. */
  readonly flag: string;
  /** `<integer>`; "" for a switch. */
  readonly value: string;
  /** What is in a value that is JSON; "" where there is nothing to say of it. */
  readonly json: string;
  readonly isSwitch: boolean;
  /** How a switch is turned off; "" for anything else. */
  readonly off: string;
  readonly isRepeatable: boolean;
  readonly isRequired: boolean;
  readonly description: string;
  readonly default: JsonValue | undefined;
  readonly shape: Shape;
}

/** Flags that are listed at most. */
const ROW_LIMIT = 2000;
/** Objects in objects are flags of their own this deep; below, they are JSON. */
const DEPTH_LIMIT = 3;
/** A flag that the command itself has is written with a dot: `--.output`. */
export const builtInNames: ReadonlySet<string> = new Set([
  "help",
  "json",
  "json-file",
  "output",
  "fields",
  "full",
]);

/** Required ones first, otherwise in the schema's order. */
export function listFlags(document: SchemaDocument): readonly FlagRow[] {
  const rows: FlagRow[] = [];
  new FlagLister(document, rows).inObject(document.root, {
    prefix: "",
    isRequired: true,
    above: [],
  });
  return [...rows.filter((row) => row.isRequired), ...rows.filter((row) => !row.isRequired)];
}

interface Place {
  readonly prefix: string;
  readonly isRequired: boolean;
  readonly above: readonly ObjectShape[];
}

class FlagLister {
  readonly #document: SchemaDocument;
  readonly #rows: FlagRow[];

  constructor(document: SchemaDocument, rows: FlagRow[]) {
    this.#document = document;
    this.#rows = rows;
  }

  inObject(shape: ObjectShape, place: Place): void {
    for (const [name, schema] of shape.properties) {
      if (this.#rows.length >= ROW_LIMIT) return;
      const word = flagWord(shape, name);
      const isTaken = place.prefix === "" && builtInNames.has(word);
      const flag = `${place.prefix}${isTaken ? "." : ""}${word}`;
      const below = this.#document.shapeOf(schema);
      const isRequired =
        place.isRequired && shape.required.has(name) && below.default === undefined;
      this.#add(flag, below, { ...place, isRequired, above: [...place.above, shape] });
    }
  }

  #add(name: string, shape: Shape, place: Place): void {
    const { object } = shape;
    const isSpread =
      object !== undefined &&
      object.properties.size > 0 &&
      shape.array === undefined &&
      place.above.length < DEPTH_LIMIT &&
      !place.above.includes(object);
    if (!isSpread) {
      this.#push(name, shape, place.isRequired);
      return;
    }
    const oneWord = { ...shape, object: undefined };
    const isObjectOnly = describeScalar({ ...oneWord, hasNull: false }).length === 0;
    if (!isObjectOnly) this.#push(name, oneWord, place.isRequired);
    const isRequired = place.isRequired && isObjectOnly;
    this.inObject(object, { ...place, isRequired, prefix: `${name}.` });
  }

  #push(name: string, shape: Shape, isRequired: boolean): void {
    const { object } = shape;
    const isRecord = object !== undefined && object.properties.size === 0 && object.rest !== false;
    const isOnlyRecord = isRecord && shape.array === undefined && !shape.isAny;
    const held = isOnlyRecord ? this.#document.shapeOf(object.rest) : this.#itemShape(shape);
    const isYesNo = isSwitch(shape);
    this.#rows.push({
      flag: `--${name}${isOnlyRecord ? ".<key>" : ""}`,
      value: isYesNo ? "" : placeholder(held),
      json: describeJson(this.#document, held),
      isSwitch: isYesNo,
      off: isYesNo ? offFlag(this.#document, `--${name}`) : "",
      isRepeatable: shape.array !== undefined,
      isRequired,
      description: shape.description ?? "",
      default: shape.default,
      shape,
    });
  }

  /** A list is given by its items, where these are words. */
  #itemShape(shape: Shape): Shape {
    if (shape.array === undefined || shape.array.prefix.length > 0) return shape;
    return this.#document.shapeOf(shape.array.items);
  }
}
