/** The Huffman tables of a bzip2 block, chosen as bzip2 itself chooses them: its files come out the same. */

/** Symbols that are written with one table. */
export const GROUP_SIZE = 50;
/** bzip2 reads codes of up to 20 bits and writes up to 17. */
export const CODE_BITS = 17;
const ROUNDS = 4;
/** The length a table starts with for symbols that are not its own. */
const FOREIGN_LENGTH = 15;

export interface Tables {
  /** The length of each symbol's code, by table. */
  readonly tables: readonly Uint8Array[];
  /** The table of each group of symbols. */
  readonly selectors: Uint8Array;
}

/** `count` symbols are known, of which the last ends the block. */
export function chooseTables(symbols: Uint16Array, count: number): Tables {
  let tables = firstTables(symbols, count);
  const selectors = new Uint8Array(Math.ceil(symbols.length / GROUP_SIZE));
  for (let round = 0; round < ROUNDS; round++) {
    const weights = tables.map(() => new Uint32Array(count));
    for (let group = 0; group < selectors.length; group++) {
      const part = symbols.subarray(group * GROUP_SIZE, (group + 1) * GROUP_SIZE);
      const table = cheapest(part, tables);
      selectors[group] = table;
      addCounts(part, weights[table]);
    }
    tables = weights.map(codeLengths);
  }
  return { tables, selectors };
}

function addCounts(part: Uint16Array, counts = new Uint32Array(0)): void {
  for (const symbol of part) counts[symbol] = (counts[symbol] ?? 0) + 1;
}

function tableCount(symbols: number): number {
  const bounds = [200, 600, 1200, 2400];
  return 2 + bounds.filter((bound) => symbols >= bound).length;
}

/** Each table starts with a stretch of symbols that are about as frequent as those of the others. */
function firstTables(symbols: Uint16Array, count: number): Uint8Array[] {
  const frequencies = new Uint32Array(count);
  for (const symbol of symbols) frequencies[symbol] = (frequencies[symbol] ?? 0) + 1;
  const total = tableCount(symbols.length);
  const tables: Uint8Array[] = [];
  let [left, start] = [symbols.length, 0];
  for (let part = total; part > 0; part--) {
    const wanted = Math.floor(left / part);
    let [end, found] = [start - 1, 0];
    while (found < wanted && end < count - 1) found += frequencies[++end] ?? 0;
    const isOdd = part !== total && part !== 1 && (total - part) % 2 === 1;
    if (end > start && isOdd) found -= frequencies[end--] ?? 0;
    const lengths = new Uint8Array(count).fill(FOREIGN_LENGTH);
    if (end >= start) lengths.fill(0, start, end + 1);
    tables.unshift(lengths);
    start = end + 1;
    left -= found;
  }
  return tables;
}

function cheapest(part: Uint16Array, tables: readonly Uint8Array[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [table, lengths] of tables.entries()) {
    let cost = 0;
    for (const symbol of part) cost += lengths[symbol] ?? 0;
    if (cost < least) [best, least] = [table, cost];
  }
  return best;
}

/** Huffman's lengths; frequencies are halved until none is too long. */
function codeLengths(frequencies: Uint32Array): Uint8Array {
  let weights = Array.from(frequencies, (frequency) => Math.max(1, frequency));
  for (;;) {
    const lengths = huffmanLengths(weights);
    if (lengths.every((length) => length <= CODE_BITS)) return lengths;
    weights = weights.map((weight) => 1 + (weight >> 1));
  }
}

/** A weight's last byte is the depth of its tree: of equal trees the lower one is taken. */
const DEPTH_MASK = 0xff;

function huffmanLengths(frequencies: readonly number[]): Uint8Array {
  const weights = frequencies.map((frequency) => frequency << 8);
  const parents = weights.map(() => -1);
  const heap = new WeightHeap(weights);
  for (const node of frequencies.keys()) heap.add(node);
  while (heap.size > 1) {
    const [first, second] = [heap.take(), heap.take()];
    const [one, other] = [weights[first] ?? 0, weights[second] ?? 0];
    const depth = 1 + Math.max(one & DEPTH_MASK, other & DEPTH_MASK);
    const node = weights.length;
    weights.push(((one & ~DEPTH_MASK) + (other & ~DEPTH_MASK)) | depth);
    parents.push(-1);
    parents[first] = node;
    parents[second] = node;
    heap.add(node);
  }
  return Uint8Array.from(frequencies, (_, leaf) => {
    let depth = 0;
    for (let node = parents[leaf] ?? -1; node >= 0; node = parents[node] ?? -1) depth += 1;
    return depth;
  });
}

/** Nodes, the lightest first. The order of equals is bzip2's. */
class WeightHeap {
  readonly #weights: readonly number[];
  /** From place 1 on. */
  readonly #nodes: number[] = [-1];

  constructor(weights: readonly number[]) {
    this.#weights = weights;
  }

  get size(): number {
    return this.#nodes.length - 1;
  }

  #weightAt(place: number): number {
    return this.#weights[this.#nodes[place] ?? 0] ?? 0;
  }

  add(node: number): void {
    const nodes = this.#nodes;
    const weight = this.#weights[node] ?? 0;
    let place = nodes.push(node) - 1;
    for (; place > 1 && weight < this.#weightAt(place >> 1); place >>= 1)
      nodes[place] = nodes[place >> 1] ?? 0;
    nodes[place] = node;
  }

  take(): number {
    const nodes = this.#nodes;
    const taken = nodes[1] ?? 0;
    const node = nodes.pop() ?? 0;
    if (this.size === 0) return taken;
    const weight = this.#weights[node] ?? 0;
    let place = 1;
    for (let child = 2; child <= this.size; child = place * 2) {
      if (child < this.size && this.#weightAt(child + 1) < this.#weightAt(child)) child += 1;
      if (weight < this.#weightAt(child)) break;
      nodes[place] = nodes[child] ?? 0;
      place = child;
    }
    nodes[place] = node;
    return taken;
  }
}
