/** What awk's variables hold. */
import { AwkArray } from "./awk-array.ts";
import { AwkFatalError } from "./awk-error.ts";
import { leadingNumber, type NumberFormat, numberText, wholeNumber } from "./number-text.ts";

/** Text from outside: a number, too, where it looks like one. */
export class InputText {
  readonly text: string;
  #number: number | undefined;
  #isKnown = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Undefined where it does not look like a number. */
  get number(): number | undefined {
    if (!this.#isKnown) {
      this.#number = wholeNumber(this.text);
      this.#isKnown = true;
    }
    return this.#number;
  }
}

/** A field the record does not have: empty, and no number. */
export const MISSING_FIELD = new InputText("");

/** `@/…/`. */
export class RegExpValue {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Undefined is a variable nothing was assigned to. */
export type Scalar = number | string | InputText | RegExpValue | undefined;

export type Value = Scalar | AwkArray;

function inScalarContext(value: Value): never {
  const name = value instanceof AwkArray ? value.name : "";
  throw new AwkFatalError(`attempt to use array \`${name}' in a scalar context`);
}

export function toNumber(value: Value): number {
  if (typeof value === "number") return value;
  if (value === undefined) return 0;
  if (typeof value === "string") return leadingNumber(value);
  if (value instanceof InputText) return value.number ?? leadingNumber(value.text);
  if (value instanceof RegExpValue) return leadingNumber(value.source);
  return inScalarContext(value);
}

export function toText(value: Value, format: NumberFormat): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value, format);
  if (value === undefined) return "";
  if (value instanceof InputText) return value.text;
  if (value instanceof RegExpValue) return value.source;
  return inScalarContext(value);
}

export function toBoolean(value: Value): boolean {
  if (typeof value === "number") return value !== 0;
  if (typeof value === "string") return value !== "";
  if (value === undefined) return false;
  if (value instanceof InputText) {
    const { number } = value;
    return number === undefined ? value.text !== "" : number !== 0;
  }
  if (value instanceof RegExpValue) return value.source !== "";
  return inScalarContext(value);
}

/** The number of a value that compares as one; undefined for text. */
function numericValue(value: Value): number | undefined {
  if (typeof value === "number") return value;
  if (value === undefined) return 0;
  return value instanceof InputText ? value.number : undefined;
}

/** Below zero, zero, above; NaN where numbers do not compare. */
export function compareValues(
  left: Value,
  right: Value,
  format: NumberFormat,
  ignoreCase: boolean,
): number {
  const leftNumber = numericValue(left);
  if (leftNumber !== undefined) {
    const rightNumber = numericValue(right);
    if (rightNumber !== undefined) return compareNumbers(leftNumber, rightNumber);
  }
  return compareTexts(toText(left, format), toText(right, format), ignoreCase);
}

/** gawk puts every NaN behind the numbers. */
export function compareNumbers(left: number, right: number): number {
  if (left === right) return 0;
  if (left < right) return -1;
  if (left > right) return 1;
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : 1;
  return -1;
}

export function compareTexts(left: string, right: string, ignoreCase = false): number {
  if (ignoreCase) return compareTexts(left.toLowerCase(), right.toLowerCase());
  return left === right ? 0 : left < right ? -1 : 1;
}

/** What `typeof` says of it. */
export function typeName(value: Value): string {
  if (typeof value === "number") return "number";
  if (typeof value === "string") return "string";
  if (value === MISSING_FIELD) return "unassigned";
  if (value instanceof InputText) return value.number === undefined ? "string" : "strnum";
  if (value instanceof RegExpValue) return "regexp";
  return value instanceof AwkArray && !value.isUntouched ? "array" : "untyped";
}
