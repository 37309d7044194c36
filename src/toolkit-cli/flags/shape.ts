/**
 * What values a schema allows as far as a command line has to know: an entry for each kind of JSON
 * value. It allows at least what the schema does; the host checks exactly.
 */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { kindOf } from "./json-kinds.ts";

export interface Shape {
  /** No kind is ruled out. */
  readonly isAny: boolean;
  readonly hasString: boolean;
  readonly number: "number" | "integer" | undefined;
  readonly hasBoolean: boolean;
  readonly hasNull: boolean;
  /** Values of enum and const, beside what the kinds allow. */
  readonly choices: readonly JsonValue[];
  readonly array: ArrayShape | undefined;
  readonly object: ObjectShape | undefined;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly format?: string;
  /** Which numbers: `1 to 10`, `at least 1`. */
  readonly range?: string;
  /** Strings are base64: a file's bytes are made so. */
  readonly isBase64?: boolean;
}

export interface ArrayShape {
  /** The first ones of a tuple. */
  readonly prefix: readonly (JsonSchema | boolean)[];
  readonly items: JsonSchema | boolean;
}

export interface ObjectShape {
  readonly properties: ReadonlyMap<string, JsonSchema | boolean>;
  readonly required: ReadonlySet<string>;
  /** What other keys may hold. */
  readonly rest: JsonSchema | boolean;
  /** Whether the schema speaks of other keys at all. */
  readonly isRecord: boolean;
}

export const never: Shape = {
  isAny: false,
  hasString: false,
  number: undefined,
  hasBoolean: false,
  hasNull: false,
  choices: [],
  array: undefined,
  object: undefined,
};

export const anything: Shape = { ...never, isAny: true };

/** Whether there is more than one way to read a text. */
export function hasOnlyString(shape: Shape): boolean {
  return (
    shape.hasString &&
    !shape.isAny &&
    shape.number === undefined &&
    !shape.hasBoolean &&
    !shape.hasNull &&
    shape.array === undefined &&
    shape.object === undefined
  );
}

/** Whether every value is one word: no lists, no objects. */
export function isScalar(shape: Shape): boolean {
  return !shape.isAny && shape.array === undefined && shape.object === undefined;
}

/** Whether the only thing to say is yes or no. */
export function isSwitch(shape: Shape): boolean {
  const saysBoolean =
    shape.hasBoolean ||
    (shape.choices.length > 0 && shape.choices.every((choice) => typeof choice === "boolean"));
  const others = shape.choices.some((choice) => typeof choice !== "boolean" && choice !== null);
  return (
    saysBoolean && !others && isScalar(shape) && !shape.hasString && shape.number === undefined
  );
}

/** Whether a value is of a kind, or one of the choices, that a shape allows. */
export function allows(shape: Shape, value: JsonValue): boolean {
  if (shape.isAny) return true;
  switch (kindOf(value)) {
    case "string":
      if (shape.hasString) return true;
      break;
    case "number":
      if (shape.number === "number") return true;
      if (shape.number === "integer" && Number.isInteger(value)) return true;
      break;
    case "boolean":
      if (shape.hasBoolean) return true;
      break;
    case "null":
      if (shape.hasNull) return true;
      break;
    case "array":
      if (shape.array !== undefined) return true;
      break;
    case "object":
      if (shape.object !== undefined) return true;
      break;
  }
  const text = JSON.stringify(value);
  return shape.choices.some((choice) => JSON.stringify(choice) === text);
}
