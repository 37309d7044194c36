/**
 * Expressions as functions. Most run to their end at once; those with a call, a `getline` or a
 * `system` in them may have to wait, and answer with a promise when they do.
 */
import type { Runtime } from "./runtime.ts";
import { toBoolean, toNumber, toText, type Value } from "./value.ts";

/** An expression that never waits, in the forms its users want. */
export interface Ready {
  readonly waits: false;
  readonly value: () => Value;
  readonly number: () => number;
  readonly text: () => string;
  readonly test: () => boolean;
}

/** An expression that may wait. */
export interface Waiting {
  readonly waits: true;
  readonly value: () => Value | Promise<Value>;
}

export type Code = Ready | Waiting;

export function valueCode(rt: Runtime, value: () => Value): Ready {
  return {
    waits: false,
    value,
    number: () => toNumber(value()),
    text: () => toText(value(), rt.format),
    test: () => toBoolean(value()),
  };
}

export function numberCode(rt: Runtime, number: () => number): Ready {
  return {
    waits: false,
    value: number,
    number,
    text: () => toText(number(), rt.format),
    test: () => number() !== 0,
  };
}

export function textCode(text: () => string): Ready {
  return {
    waits: false,
    value: text,
    number: () => toNumber(text()),
    text,
    test: () => text() !== "",
  };
}

export function testCode(test: () => boolean): Ready {
  const number = (): number => (test() ? 1 : 0);
  return { waits: false, value: number, number, text: () => (test() ? "1" : "0"), test };
}

/**
 * Builds an expression over operands. Where one of them may wait, all are worked out first, from
 * left to right, and what is built then finds their values: it runs at once, so nothing comes between.
 */
export function lift(
  rt: Runtime,
  operands: readonly Code[],
  build: (operands: readonly Ready[]) => Code,
): Code {
  if (operands.every((one): one is Ready => !one.waits)) return build(operands);
  const values: Value[] = operands.map(() => undefined);
  const built = build(operands.map((_, at) => valueCode(rt, () => values[at])));
  const finish = (found: readonly Value[]): Value | Promise<Value> => {
    for (let at = 0; at < found.length; at++) values[at] = found[at];
    return built.value();
  };
  return {
    waits: true,
    value: () => {
      const found = workOut(operands);
      return found instanceof Promise ? found.then(finish) : finish(found);
    },
  };
}

/** The operands' values, from left to right. */
export function workOut(operands: readonly Code[]): Value[] | Promise<Value[]> {
  const found: Value[] = [];
  for (let at = 0; at < operands.length; at++) {
    const value = operands[at]?.value();
    if (value instanceof Promise) return workOutRest(operands, found, value);
    found.push(value);
  }
  return found;
}

async function workOutRest(
  operands: readonly Code[],
  found: Value[],
  first: Promise<Value>,
): Promise<Value[]> {
  found.push(await first);
  for (let at = found.length; at < operands.length; at++) {
    const value = operands[at]?.value();
    found.push(value instanceof Promise ? await value : value);
  }
  return found;
}

/** Goes on with a value now or when it is there. */
export function after<T, R>(
  value: T | Promise<T>,
  step: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(step) : step(value);
}
