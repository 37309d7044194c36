/** The two kinds of arrays a variable can hold. */
import { encodeText } from "../../../kernel/index.ts";

/** Elements by index. */
export class IndexedArray {
  #elements = new Map<number, string>();
  /** A copy has the same elements until one of the two changes them. */
  #isShared = false;
  /** One past the highest index. */
  #end = 0;
  /** The elements were added in the order of their indexes. */
  #isSorted = true;
  /** False for what is only declared: `declare -a name`. */
  isAssigned = true;

  constructor(elements: Iterable<readonly [number, string]> = []) {
    for (const [index, value] of elements) this.set(index, value);
  }

  get size(): number {
    return this.#elements.size;
  }

  get end(): number {
    return this.#end;
  }

  get keys(): number[] {
    this.#sort();
    return [...this.#elements.keys()];
  }

  get values(): string[] {
    this.#sort();
    return [...this.#elements.values()];
  }

  get(index: number): string | undefined {
    return this.#elements.get(index);
  }

  set(index: number, value: string): void {
    this.#own();
    this.isAssigned = true;
    if (index >= this.#end) this.#end = index + 1;
    else if (!this.#elements.has(index)) this.#isSorted = false;
    this.#elements.set(index, value);
  }

  delete(index: number): void {
    this.#own();
    this.#elements.delete(index);
    if (index === this.#end - 1) this.#end = (this.keys.at(-1) ?? -1) + 1;
  }

  copy(): IndexedArray {
    const copy = new IndexedArray();
    this.#sort();
    this.#isShared = true;
    copy.#isShared = true;
    copy.#elements = this.#elements;
    copy.#end = this.#end;
    copy.#isSorted = this.#isSorted;
    copy.isAssigned = this.isAssigned;
    return copy;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#elements = new Map(this.#elements);
    this.#isShared = false;
  }

  #sort(): void {
    if (this.#isSorted) return;
    const sorted = [...this.#elements].toSorted(([one], [two]) => one - two);
    this.#elements = new Map(sorted);
    this.#isShared = false;
    this.#isSorted = true;
  }
}

/** Bash's table of keys starts with so many buckets, and grows fourfold when it holds twice as many. */
const FIRST_BUCKETS = 1024;

/** Elements by key, listed in the order of bash's hash table: scripts' outputs show it. */
export class AssociativeArray {
  #elements = new Map<string, string>();
  #isShared = false;
  #order: string[] | undefined;
  isAssigned = true;

  constructor(elements: Iterable<readonly [string, string]> = []) {
    for (const [key, value] of elements) this.set(key, value);
  }

  get size(): number {
    return this.#elements.size;
  }

  get keys(): readonly string[] {
    this.#order ??= inBucketOrder([...this.#elements.keys()]);
    return this.#order;
  }

  get values(): string[] {
    return this.keys.map((key) => this.#elements.get(key) ?? "");
  }

  get(key: string): string | undefined {
    return this.#elements.get(key);
  }

  has(key: string): boolean {
    return this.#elements.has(key);
  }

  set(key: string, value: string): void {
    this.#own();
    this.isAssigned = true;
    if (!this.#elements.has(key)) this.#order = undefined;
    this.#elements.set(key, value);
  }

  delete(key: string): void {
    this.#own();
    if (this.#elements.delete(key)) this.#order = undefined;
  }

  copy(): AssociativeArray {
    const copy = new AssociativeArray();
    this.#isShared = true;
    copy.#isShared = true;
    copy.#elements = this.#elements;
    copy.#order = this.#order;
    copy.isAssigned = this.isAssigned;
    return copy;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#elements = new Map(this.#elements);
    this.#isShared = false;
  }
}

/** Bucket by bucket, and in a bucket the newest first; growing turns each bucket around. */
function inBucketOrder(keys: readonly string[]): string[] {
  let buckets = FIRST_BUCKETS;
  let turned = 0;
  while (keys.length > buckets * 2) {
    turned = buckets * 2;
    buckets *= 4;
  }
  const rank = (at: number): number => (at < turned ? at : -at);
  const placed = keys.map((key, at) => ({ key, at, bucket: hashKey(key) & (buckets - 1) }));
  placed.sort((one, two) => one.bucket - two.bucket || rank(one.at) - rank(two.at));
  return placed.map(({ key }) => key);
}

/** FNV-1 in 32 bits. */
function hashKey(key: string): number {
  let hash = 2166136261;
  for (const byte of encodeText(key)) hash = Math.imul(hash, 16777619) ^ byte;
  return hash >>> 0;
}
