import { excerpt } from "./access.ts";
import { areEqual, compareValues } from "./compare.ts";
import type { BinaryOperator } from "./syntax.ts";
import {
  checkSize,
  isArray,
  isNumber,
  isObject,
  JqError,
  type JqObject,
  numberOf,
  typeOf,
  type Value,
} from "./value.ts";

/** What each binary operator does. All fail with a JqError in jq's words. */
export const operators: Readonly<Record<BinaryOperator, (left: Value, right: Value) => Value>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": remainder,
  "==": (left, right) => areEqual(left, right),
  "!=": (left, right) => !areEqual(left, right),
  "<": (left, right) => compareValues(left, right) < 0,
  "<=": (left, right) => compareValues(left, right) <= 0,
  ">": (left, right) => compareValues(left, right) > 0,
  ">=": (left, right) => compareValues(left, right) >= 0,
};

/** `type (value) what`. */
export function typeError(value: Value, what: string): JqError {
  return new JqError(`${typeOf(value)} (${excerpt(value)}) ${what}`);
}

function pairError(left: Value, right: Value, what: string): JqError {
  return new JqError(
    `${typeOf(left)} (${excerpt(left)}) and ${typeOf(right)} (${excerpt(right)}) ${what}`,
  );
}

export function add(left: Value, right: Value): Value {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (left === null) return right;
  if (right === null) return left;
  if (isNumber(left) && isNumber(right)) return numberOf(left) + numberOf(right);
  if (typeof left === "string" && typeof right === "string") {
    checkSize((left.length + right.length) / 4);
    return left + right;
  }
  if (isArray(left) && isArray(right)) {
    checkSize(left.length + right.length);
    return [...left, ...right];
  }
  if (isObject(left) && isObject(right)) {
    const sum = new Map(left);
    for (const [key, value] of right) sum.set(key, value);
    return sum;
  }
  throw pairError(left, right, "cannot be added");
}

function subtract(left: Value, right: Value): Value {
  if (isNumber(left) && isNumber(right)) return numberOf(left) - numberOf(right);
  if (isArray(left) && isArray(right)) {
    const scalars = new Set(right.filter((one) => typeof one === "string"));
    const others = right.filter((one) => typeof one !== "string");
    return left.filter(
      (one) =>
        !(typeof one === "string"
          ? scalars.has(one)
          : others.some((other) => areEqual(one, other))),
    );
  }
  throw pairError(left, right, "cannot be subtracted");
}

function multiply(left: Value, right: Value): Value {
  if (isNumber(left) && isNumber(right)) return numberOf(left) * numberOf(right);
  if (typeof left === "string" && isNumber(right)) return repeat(left, numberOf(right));
  if (isNumber(left) && typeof right === "string") return repeat(right, numberOf(left));
  if (isObject(left) && isObject(right)) return mergeDeep(left, right, 0);
  throw pairError(left, right, "cannot be multiplied");
}

function repeat(text: string, count: number): Value {
  if (Number.isNaN(count) || count <= 0) return null;
  const times = count < 1 ? 1 : Math.floor(count);
  checkSize((text.length * times) / 4);
  return text.repeat(times);
}

function mergeDeep(left: JqObject, right: JqObject, depth: number): JqObject {
  if (depth > 5000) throw new JqError("Object merge too deep");
  const merged = new Map(left);
  for (const [key, value] of right) {
    const own = merged.get(key);
    const isDeep = own !== undefined && isObject(own) && isObject(value);
    merged.set(key, isDeep ? mergeDeep(own, value, depth + 1) : value);
  }
  return merged;
}

function divide(left: Value, right: Value): Value {
  if (isNumber(left) && isNumber(right)) {
    if (numberOf(right) === 0)
      throw pairError(left, right, "cannot be divided because the divisor is zero");
    return numberOf(left) / numberOf(right);
  }
  if (typeof left === "string" && typeof right === "string") return splitText(left, right);
  throw pairError(left, right, "cannot be divided");
}

/** `split/1`. */
export function splitText(text: string, separator: string): Value {
  if (text === "") return [];
  return separator === "" ? [...text] : text.split(separator);
}

function remainder(left: Value, right: Value): Value {
  if (!isNumber(left) || !isNumber(right))
    throw pairError(left, right, "cannot be divided (remainder)");
  const one = numberOf(left);
  const other = numberOf(right);
  if (Number.isNaN(one) || Number.isNaN(other)) return Number.NaN;
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other) && other !== 0)
    return one % other === 0 ? 0 : one % other;
  const divisor = toInteger(other);
  if (divisor === 0n)
    throw pairError(left, right, "cannot be divided (remainder) because the divisor is zero");
  return Number(toInteger(one) % (divisor < 0n ? -divisor : divisor));
}

const LARGEST = 2n ** 63n - 1n;

/** As C casts to intmax_t. */
function toInteger(number: number): bigint {
  if (number >= 2 ** 63) return LARGEST;
  return number <= -(2 ** 63) ? -LARGEST - 1n : BigInt(Math.trunc(number));
}

export function negate(value: Value): Value {
  if (!isNumber(value)) throw typeError(value, "cannot be negated");
  return -numberOf(value);
}
