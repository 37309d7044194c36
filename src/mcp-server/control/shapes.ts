// Shapes of JSON objects: one definition gives the type and the check. For what commands read, which load
// no schema library. Runs on Node 20.

/** Says whether a value is of a type. */
export type Check<T> = (value: unknown) => value is T;

/** The fields of an object, each with its check. Other fields are allowed. */
export type Shape = { readonly [field: string]: Check<unknown> };

/** The object that a shape describes. */
export type Shaped<S extends Shape> = {
  readonly [F in keyof S]: S[F] extends Check<infer T> ? T : never;
};

export const isAnything = (_value: unknown): _value is unknown => true;
export const isText = (value: unknown): value is string => typeof value === "string";
export const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
/** A whole number from 0 up. */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function isOneOf<const T extends string>(...words: readonly T[]): Check<T> {
  return (value): value is T => words.some((word) => word === value);
}

/** For a field that may be missing. */
export function orMissing<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

/** The first field of the object that is not as its shape says; undefined when all are. */
export function findWrongField(
  shape: Shape,
  object: { readonly [key: string]: unknown },
): string | undefined {
  return Object.entries(shape).find(([field, check]) => !check(object[field]))?.[0];
}

export function hasShape<S extends Shape>(shape: S, value: unknown): value is Shaped<S> {
  return isObject(value) && findWrongField(shape, value) === undefined;
}
