/** The values jq computes with. They are never changed once another can see them. */
import { MemoryLimitError } from "../memory-limit.ts";
import { NumberLiteral } from "./number-text.ts";

export type Value = null | boolean | number | string | NumberLiteral | readonly Value[] | JqObject;
/** Keys in the order they were added. */
export type JqObject = ReadonlyMap<string, Value>;
export type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Elements of one array or object, characters of one string: what fits a cell. */
export const SIZE_LIMIT = 16 * 1024 * 1024;

/** What `error` raises and `try` catches. */
export class JqError extends Error {
  readonly value: Value;

  constructor(value: Value) {
    super(typeof value === "string" ? value : "error");
    this.value = value;
  }
}

export function isArray(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isObject(value: Value): value is JqObject {
  return value instanceof Map;
}

export function isNumber(value: Value): value is number | NumberLiteral {
  return typeof value === "number" || value instanceof NumberLiteral;
}

/** The number a value that is one stands for. */
export function numberOf(value: number | NumberLiteral): number {
  return typeof value === "number" ? value : value.number;
}

export function isTrue(value: Value): boolean {
  return value !== null && value !== false;
}

export function typeOf(value: Value): TypeName {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "number":
      return "number";
    case "string":
      return "string";
    default:
      if (isArray(value)) return "array";
      return isObject(value) ? "object" : "number";
  }
}

/** Fails where a value grows larger than one may be. */
export function checkSize(size: number): void {
  if (size > SIZE_LIMIT) throw new MemoryLimitError();
}
