/** What a fuzzer chooses by: the same seed gives the same choices, on every machine. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up, below `end`. */
  int(end: number): number {
    // Mulberry32, by Tommy Ettinger; in the public domain.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  /** Whether it is one of so many times. */
  oneIn(times: number): boolean {
    return this.int(times) === 0;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.int(list.length)];
    if (found === undefined && list.length === 0) throw new Error("nothing to pick from");
    return found as T;
  }

  bytes(most: number): Uint8Array {
    return Uint8Array.from({ length: this.int(most + 1) }, () => this.int(256));
  }
}

/** Values at the edges of what anybody expects. */
export const edges: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  2,
  255,
  256,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  0.5,
  "",
  "a",
  ".",
  "..",
  "/",
  "a/b",
  "\0",
  "\u0001\u001b[31m",
  "\ud800",
  "__proto__",
  "constructor",
  "x".repeat(300),
  "x".repeat(70_000),
  [],
  [[]],
  {},
  { __proto__: null },
  Array.from({ length: 300 }, (_, at) => at),
];

/** The value with one of its parts changed: another value, one more, one less, twice, or of another part. */
export function mutate(value: unknown, chance: Chance): unknown {
  if (chance.oneIn(6)) return chance.pick(edges);
  if (Array.isArray(value)) return mutateList(value, chance);
  if (typeof value === "object" && value !== null) return mutateObject(value, chance);
  if (typeof value === "number" && chance.oneIn(2)) return value + chance.pick([-1, 1, 2, 1000]);
  if (typeof value === "string" && chance.oneIn(2))
    return value + chance.pick(["", "\0", "/..", "é"]);
  return chance.pick(edges);
}

function mutateList(list: readonly unknown[], chance: Chance): unknown[] {
  const copy = [...list];
  const at = chance.int(copy.length + 1);
  const kind = chance.int(4);
  if (kind === 0) copy.splice(at, 1);
  else if (kind === 1) copy.splice(at, 0, chance.pick(edges));
  else if (kind === 2 && copy.length > 0) copy.push(copy[at % copy.length]);
  else if (copy.length > 0) copy[at % copy.length] = mutate(copy[at % copy.length], chance);
  return copy;
}

function mutateObject(object: object, chance: Chance): unknown {
  const entries = Object.entries(object);
  if (entries.length === 0 || chance.oneIn(8)) {
    entries.push([
      String(chance.pick(["id", "type", "stream", "x", "toJSON"])),
      chance.pick(edges),
    ]);
    return Object.fromEntries(entries);
  }
  const at = chance.int(entries.length);
  const [name, value] = entries[at] ?? ["", undefined];
  if (chance.oneIn(6)) entries.splice(at, 1);
  else entries[at] = [name, mutate(value, chance)];
  return Object.fromEntries(entries);
}

/** The bytes with a few of them changed, cut, doubled or put elsewhere. */
export function mutateBytes(bytes: Uint8Array, chance: Chance): Uint8Array {
  let made = Buffer.from(bytes);
  for (let left = 1 + chance.int(4); left > 0; left--) {
    const [from, to] = [chance.int(made.length + 1), chance.int(made.length + 1)];
    const part = made.subarray(Math.min(from, to), Math.max(from, to));
    const kind = chance.int(5);
    if (kind === 0) made = Buffer.from(part);
    else if (kind === 1) made = Buffer.concat([made.subarray(0, from), part, made.subarray(from)]);
    else if (kind === 2) made = Buffer.concat([made.subarray(0, from), chance.bytes(9)]);
    else if (made.length > 0)
      made[from % made.length] = chance.pick([0, 1, 0x7f, 0x80, 0xff, 0x0a]);
    if (made.length > 1 << 20) made = made.subarray(0, 1 << 16);
  }
  return made;
}
