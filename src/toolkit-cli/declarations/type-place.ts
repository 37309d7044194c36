/** What the writers of types know of where they are. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import type { NamedTypes } from "./named-types.ts";

export interface TypeStyle {
  readonly comments: boolean;
  /** Objects and unions deeper than this are `any`. */
  readonly depthLimit: number;
  /** Further properties are allowed without being listed. */
  readonly propertyLimit: number;
}

/** Where in which document a schema stands. */
export interface TypePlace {
  readonly root: JsonSchema;
  /** What `#` is called. */
  readonly rootName: string;
  readonly names: NamedTypes;
  readonly style: TypeStyle;
  readonly depth: number;
  /** The spaces before a line of it. */
  readonly indent: string;
}

/** Writes the type of a schema. */
export type WriteType = (schema: JsonValue | undefined, place: TypePlace) => string;

export function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
