/** The Burrows-Wheeler transform by doubling: rotations are sorted by 1, 2, 4… bytes. */
import type { Sys } from "../../../kernel/index.ts";

/** The last byte of each rotation in order, and which of them is the data itself. */
export async function sortRotations(
  sys: Sys,
  data: Uint8Array,
): Promise<{ readonly last: Uint8Array; readonly origin: number }> {
  const size = data.length;
  const order = new Int32Array(size);
  let ranks = new Int32Array(size);
  const spareOrder = new Int32Array(size);
  let spareRanks = new Int32Array(size);
  let classes = sortByByte(data, order, ranks);
  for (let step = 1; classes < size && step < size; step *= 2) {
    shiftBack(order, spareOrder, step);
    countingSort(spareOrder, ranks, order, classes);
    classes = rankPairs({ order, ranks, into: spareRanks, step });
    [ranks, spareRanks] = [spareRanks, ranks];
    await sys.schedYield();
  }
  const last = new Uint8Array(size);
  let origin = 0;
  for (let at = 0; at < size; at++) {
    const start = order[at] ?? 0;
    if (start === 0) origin = at;
    last[at] = data[(start + size - 1) % size] ?? 0;
  }
  return { last, origin };
}

function sortByByte(data: Uint8Array, order: Int32Array, ranks: Int32Array): number {
  const counts = new Int32Array(257);
  for (const byte of data) counts[byte + 1] = (counts[byte + 1] ?? 0) + 1;
  for (let byte = 0; byte < 256; byte++)
    counts[byte + 1] = (counts[byte + 1] ?? 0) + (counts[byte] ?? 0);
  for (let at = 0; at < data.length; at++) {
    const byte = data[at] ?? 0;
    const to = counts[byte] ?? 0;
    counts[byte] = to + 1;
    order[to] = at;
  }
  let rank = -1;
  let last = -1;
  for (const start of order) {
    const byte = data[start] ?? 0;
    if (byte !== last) rank += 1;
    last = byte;
    ranks[start] = rank;
  }
  return rank + 1;
}

function shiftBack(order: Int32Array, into: Int32Array, step: number): void {
  const size = order.length;
  for (let at = 0; at < size; at++) {
    const start = (order[at] ?? 0) - step;
    into[at] = start < 0 ? start + size : start;
  }
}

function countingSort(
  from: Int32Array,
  ranks: Int32Array,
  into: Int32Array,
  classes: number,
): void {
  const counts = new Int32Array(classes + 1);
  for (const rank of ranks) counts[rank + 1] = (counts[rank + 1] ?? 0) + 1;
  for (let rank = 0; rank < classes; rank++)
    counts[rank + 1] = (counts[rank + 1] ?? 0) + (counts[rank] ?? 0);
  for (const start of from) {
    const rank = ranks[start] ?? 0;
    const to = counts[rank] ?? 0;
    counts[rank] = to + 1;
    into[to] = start;
  }
}

interface Pairs {
  readonly order: Int32Array;
  readonly ranks: Int32Array;
  readonly into: Int32Array;
  readonly step: number;
}

function rankPairs({ order, ranks, into, step }: Pairs): number {
  const size = order.length;
  let classes = 0;
  let [lastHigh, lastLow] = [-1, -1];
  for (const start of order) {
    const other = start + step >= size ? start + step - size : start + step;
    const [high, low] = [ranks[start] ?? 0, ranks[other] ?? 0];
    if (high !== lastHigh || low !== lastLow) classes += 1;
    [lastHigh, lastLow] = [high, low];
    into[start] = classes - 1;
  }
  return classes;
}
