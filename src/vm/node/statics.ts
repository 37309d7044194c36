// The constants of Node's own bindings, as scripts/dump-node-library.mjs found them in the pinned Node.
// They are a part of the guest's script; `__library` is its first statement.

/** What the dump holds. */
export interface Library {
  readonly builtinIds: readonly string[];
  readonly config: string;
  readonly statics: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly release: Readonly<Record<string, string>>;
  readonly version: string;
}

declare const __library: Library;
declare const __compiled: Readonly<Record<string, unknown>>;
/** Makes a private symbol of V8's, which no proxy, inspection or copy sees. */
declare const __privateSymbol: (description: string) => symbol;

export const library = __library;

/** The builtins that are a part of the snapshot, as functions by their id. */
export const compiled = __compiled;

const symbols = new Map<string, symbol>();

/** A key that only the code which has it sees; while the snapshot is made. */
export function privateSymbol(description: string): symbol {
  return __privateSymbol(description);
}

/** A fresh object with the constants of a binding; equal symbols are equal in all bindings. */
export function staticsOf(name: string): Record<string, any> {
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(library.statics[name] ?? {}))
    values[key] = revive(value);
  return values;
}

const arrays = {
  Uint8Array,
  Uint32Array,
  Int32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const;

function revive(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(revive);
  const special = value as Record<string, unknown>;
  if ("$symbol" in special) return symbolOf(String(special["$symbol"]), "$private" in special);
  if ("$undefined" in special) return undefined;
  if ("$number" in special) return Number(special["$number"]);
  if ("$bigint" in special) return BigInt(String(special["$bigint"]));
  if ("$array" in special) return reviveArray(special);
  if ("$map" in special) return new Map(revive(special["$map"]) as [unknown, unknown][]);
  const object: Record<string, unknown> = Object.create(Object.prototype);
  for (const [key, one] of Object.entries(special)) object[key] = revive(one);
  return object;
}

function symbolOf(description: string, isPrivate: boolean): symbol {
  const known = symbols.get(description);
  if (known !== undefined) return known;
  const made = isPrivate ? __privateSymbol(description) : Symbol(description);
  symbols.set(description, made);
  return made;
}

function reviveArray(special: Record<string, unknown>): unknown {
  const TypedArray = arrays[special["$array"] as keyof typeof arrays];
  if ("length" in special) return new TypedArray(special["length"] as number);
  const values = special["values"] as number[];
  return TypedArray === BigInt64Array || TypedArray === BigUint64Array
    ? TypedArray.from(values.map(BigInt))
    : (TypedArray as Float64ArrayConstructor).from(values);
}
