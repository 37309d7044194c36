/**
 * Updates of `reduce` that change its state in place: nobody else sees containers the loop itself has
 * made. Without this, building an array or an object item by item would copy it for each.
 */
import { getIndex } from "./access.ts";
import { operators } from "./arithmetic.ts";
import { hasBinder, isInputFree } from "./inspect-syntax.ts";
import type { Direct, Frame, Machine } from "./machine.ts";
import type { BinaryOperator, Expression } from "./syntax.ts";
import { type Owned, ownArray, ownObject, setPath } from "./update.ts";
import { checkSize, isArray, isObject, isTrue, type Value } from "./value.ts";

/** The next state, from one whose containers in `owned` may be changed. */
export type LinearUpdate = (state: Value, frame: Frame, machine: Machine, owned: Owned) => Value;
type Compile = (expression: Expression) => Direct | undefined;

/** Undefined where the update is of no kind that is known to be safe. */
export function compileLinear(update: Expression, compile: Compile): LinearUpdate | undefined {
  if (hasBinder(update)) return undefined;
  switch (update.kind) {
    case "identity":
      return (state) => state;
    case "pipe": {
      const left = compileLinear(update.left, compile);
      const right = compileLinear(update.right, compile);
      if (left === undefined || right === undefined) return undefined;
      return (state, frame, machine, owned) =>
        right(left(state, frame, machine, owned), frame, machine, owned);
    }
    case "if": {
      const test = compile(update.condition);
      const then = compileLinear(update.consequence, compile);
      const otherwise = compileLinear(update.otherwise, compile);
      if (test === undefined || then === undefined || otherwise === undefined) return undefined;
      return (state, frame, machine, owned) =>
        (isTrue(test(state, frame, machine)) ? then : otherwise)(state, frame, machine, owned);
    }
    case "assign":
      return compileAssign(update, compile);
    case "binary":
      if (update.operator === "+" && update.left.kind === "identity")
        return compileSum(update.right, compile);
      return compileOther(update, compile);
    default:
      return compileOther(update, compile);
  }
}

/** Anything with one result: what it makes may hold the old state anywhere. */
function compileOther(update: Expression, compile: Compile): LinearUpdate | undefined {
  const direct = compile(update);
  if (direct === undefined) return undefined;
  return (state, frame, machine, owned) => {
    const next = direct(state, frame, machine);
    if (next !== state) owned.clear();
    return next;
  };
}

function compileSum(right: Expression, compile: Compile): LinearUpdate | undefined {
  const direct = compile(right);
  if (direct === undefined) return undefined;
  const isFree = isInputFree(right);
  return (state, frame, machine, owned) => {
    const more = direct(state, frame, machine);
    if (!isFree && isContainer(more)) owned.clear();
    return addInPlace(state, more, owned);
  };
}

function isContainer(value: Value): boolean {
  return isArray(value) || isObject(value);
}

function addInPlace(value: Value, more: Value, owned: Owned): Value {
  if (isArray(value) && isArray(more)) {
    checkSize(value.length + more.length);
    const array = ownArray(value, owned);
    for (const item of more) array.push(item);
    return array;
  }
  if (isObject(value) && isObject(more)) {
    const object = ownObject(value, owned);
    for (const [key, item] of more) object.set(key, item);
    return object;
  }
  return operators["+"](value, more);
}

type Assign = Extract<Expression, { kind: "assign" }>;

function compileAssign(update: Assign, compile: Compile): LinearUpdate | undefined {
  const keys = compileKeys(update.left, compile);
  const right = compile(update.right);
  if (keys === undefined || right === undefined) return undefined;
  const isFree = isInputFree(update.right);
  const { operator } = update;
  return (state, frame, machine, owned) => {
    const path = keys.map((key) => key(state, frame, machine));
    const old = path.reduce<Value>((value, key) => getIndex(value, key), state);
    const given = right(operator === "|=" ? old : state, frame, machine);
    if (!isFree && isContainer(given)) owned.clear();
    return setPath(state, path, combine(operator, old, given, owned), owned);
  };
}

function combine(operator: Assign["operator"], old: Value, given: Value, owned: Owned): Value {
  if (operator === "=" || operator === "|=") return given;
  if (operator === "//") return isTrue(old) ? old : given;
  if (operator === "+") return addInPlace(old, given, owned);
  const compute: (left: Value, right: Value) => Value =
    operators[operator satisfies BinaryOperator];
  return compute(old, given);
}

/** The keys of `.a[b].c`, for each what computes it. */
function compileKeys(path: Expression, compile: Compile): Direct[] | undefined {
  if (path.kind === "identity") return [];
  if (path.kind !== "field") return undefined;
  const before = compileKeys(path.target, compile);
  const key = compile(path.key);
  if (before === undefined || key === undefined) return undefined;
  before.push(key);
  return before;
}
