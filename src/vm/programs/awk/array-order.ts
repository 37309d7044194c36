/**
 * The order of `for (k in a)`. gawk's follows from its tables: integers from zero up in their order,
 * other integers and texts by hash; texts come first. Scripts show it, so it is the same here.
 */
import { encodeText } from "../../../kernel/index.ts";
import type { Key } from "./awk-array.ts";

/** gawk keeps integers up to this in order. */
const ORDERED_LIMIT = 2 ** 31;
/** Sizes a table grows through. */
const sizes = [13, 127, 1021, 8191, 16_381, 32_749, 65_497, 131_101, 262_147, 524_309, 1_048_583];
/** A table grows when it holds more than this for each place. */
const CHAIN_LIMIT = 2;

/** Puts subscripts, given as they were made, into gawk's order. */
export function orderKeys(keys: readonly Key[]): Key[] {
  const [first] = keys;
  if (first === undefined) return [];
  // The first subscript decides which kind of table an array gets.
  if (typeof first === "string") return orderTexts(keys);
  const texts: string[] = [];
  const hashed: number[] = [];
  const ordered: number[] = [];
  const isOrdered = isCounter(first);
  for (const key of keys) {
    if (typeof key === "string") texts.push(key);
    else if (isOrdered && isCounter(key)) ordered.push(key);
    else hashed.push(key);
  }
  ordered.sort((a, b) => a - b);
  return [...orderTexts(texts), ...orderIntegers(hashed), ...ordered];
}

function isCounter(key: number): boolean {
  return key >= 0 && key < ORDERED_LIMIT;
}

interface Entry<K> {
  readonly key: K;
  readonly code: number;
}

function orderTexts(keys: readonly Key[]): Key[] {
  const entries = keys.map((key) => ({ key, code: textHash(String(key)) }));
  let table = makeTable<Entry<Key>>(0);
  for (const [at, entry] of entries.entries()) {
    if (Math.floor((at + 1) / table.length) > CHAIN_LIMIT) {
      const moved = table.flatMap((chain) => chain.toReversed());
      table = makeTable(table.length);
      for (const one of moved) table[one.code % table.length]?.push(one);
    }
    table[entry.code % table.length]?.push(entry);
  }
  // New entries stand at the head of their chain.
  return table.flatMap((chain) => chain.toReversed().map(({ key }) => key));
}

/** Chains of integers are lists of pairs, the newest pair first, in a pair the older one. */
function orderIntegers(keys: readonly number[]): Key[] {
  let table = makeTable<number>(0);
  for (const [at, key] of keys.entries()) {
    if (Math.floor((at + 1) / table.length) > CHAIN_LIMIT) {
      const moved = table.flatMap(pairsReversed);
      table = makeTable(table.length);
      for (const one of moved) table[integerHash(one) % table.length]?.push(one);
    }
    table[integerHash(key) % table.length]?.push(key);
  }
  return table.flatMap(pairsReversed);
}

function pairsReversed(chain: readonly number[]): number[] {
  const made: number[] = [];
  for (let at = chain.length - 1 - ((chain.length - 1) % 2); at >= 0; at -= 2)
    made.push(...chain.slice(at, at + 2));
  return made;
}

function makeTable<T>(before: number): T[][] {
  const size = sizes.find((one) => one > before) ?? before * 2 + 1;
  return Array.from({ length: size }, () => []);
}

/** The hash of the sdbm library, in 32 bits. */
function textHash(text: string): number {
  let hash = 0;
  for (const byte of encodeText(text)) {
    const signed = byte > 127 ? byte - 256 : byte;
    hash = (signed + Math.imul(hash, 65_599)) >>> 0;
  }
  return hash;
}

/** The last step of Paul Hsieh's SuperFastHash. */
function integerHash(key: number): number {
  let hash = key >>> 0;
  hash = (hash ^ (hash << 3)) >>> 0;
  hash = (hash + (hash >>> 5)) >>> 0;
  hash = (hash ^ (hash << 4)) >>> 0;
  hash = (hash + (hash >>> 17)) >>> 0;
  hash = (hash ^ (hash << 25)) >>> 0;
  return (hash + (hash >>> 6)) >>> 0;
}
