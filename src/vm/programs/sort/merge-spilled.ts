/**
 * Merges runs that lie in files. A window holds the next lines of every run; it is merged until a run has no line left
 * in it, and then the next one is made: what is left of the runs, and what comes next of them.
 */
import type { Sys } from "../../../kernel/index.ts";
import { type HeldMemory, MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import type { Output } from "../output.ts";
import { makeCompare } from "./columns.ts";
import { SortLines } from "./lines.ts";
import type { SortOrder } from "./order.ts";
import type { SpilledRun } from "./spilled-runs.ts";
import { addLine } from "./write-lines.ts";

/** Bytes of one run in a window, at least. */
const LEAST_BLOCK_BYTES = 16_384;
/** Lines merged between two yields. */
const YIELD_LINES = 16_384;

export interface SpilledMerge {
  readonly sys: Sys;
  readonly held: HeldMemory;
  readonly delimiter: number;
  readonly order: SortOrder;
  readonly runs: readonly SpilledRun[];
  /** How large a window may be. */
  readonly windowBytes: number;
  readonly out: Output;
}

export async function mergeSpilled(merge: SpilledMerge): Promise<void> {
  const { sys, held, delimiter, order, runs, out } = merge;
  const blockBytes = Math.max(LEAST_BLOCK_BYTES, Math.floor(merge.windowBytes / runs.length));
  const sources = runs.map(({ fd, start, end }) => new Source(sys, { fd, start, end }));
  let window = new SortLines(held, delimiter);
  /** The last line written, in the window: the next one may be the same. */
  let last: number | undefined;
  for (;;) {
    const next = new SortLines(held, delimiter);
    if (last !== undefined)
      next.take(window.bytes.subarray(window.start(last), window.end(last) + 1));
    for (const source of sources) await source.fill(next, window, blockBytes);
    window.drop();
    window = next;
    const open = sources.filter(({ isEmpty }) => !isEmpty);
    if (open.length === 0) break;
    const compare = await makeCompare(sys, window, order);
    const before = last === undefined ? undefined : 0;
    last = await mergeWindow(merge, { window, sources: open, compare, before });
    if (held.isNews) await held.tell();
  }
  window.drop();
  await out.flush();
}

interface WindowMerge {
  readonly window: SortLines;
  readonly sources: Source[];
  readonly compare: (a: number, b: number) => number;
  /** The line that was written before. */
  readonly before: number | undefined;
}

/** Writes lines until a run that goes on has none left in the window. Answers the last line, where equal ones are left out. */
async function mergeWindow(
  { sys, order, out }: SpilledMerge,
  { window, sources, compare, before: first }: WindowMerge,
): Promise<number | undefined> {
  const isBefore = (one: Source, two: Source): boolean =>
    (compare(one.head, two.head) || one.head - two.head) < 0;
  const heads = sources.toSorted((one, two) => (isBefore(one, two) ? -1 : 1));
  let before = first;
  for (let count = 1; ; count++) {
    const [source] = heads;
    if (source === undefined) break;
    const line = source.head;
    if (!order.isUnique || before === undefined || compare(before, line) !== 0) {
      addLine(out, window, line);
      before = line;
    }
    if (out.isFull) await out.flush();
    if (count % YIELD_LINES === 0) await sys.schedYield();
    source.head += 1;
    if (!source.isEmpty) sink(heads, isBefore);
    else if (source.hasMore) break;
    else heads.shift();
  }
  return order.isUnique ? before : undefined;
}

/** Moves the first to its place among the others, which are in order. */
function sink(heads: Source[], isBefore: (one: Source, two: Source) => boolean): void {
  const [moved] = heads;
  if (moved === undefined) return;
  let low = 1;
  let high = heads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = heads[middle];
    if (other !== undefined && isBefore(other, moved)) low = middle + 1;
    else high = middle;
  }
  heads.copyWithin(0, 1, low);
  heads[low - 1] = moved;
}

/** A run on its way through windows. */
class Source {
  readonly #sys: Sys;
  readonly #fd: number;
  readonly #end: number;
  /** What comes next of the file. */
  #at: number;
  /** Its lines in the window: from `head` up to here. */
  #to = 0;
  head = 0;

  constructor(sys: Sys, { fd, start, end }: SpilledRun) {
    this.#sys = sys;
    this.#fd = fd;
    this.#at = start;
    this.#end = end;
  }

  /** Whether it has no line in the window. */
  get isEmpty(): boolean {
    return this.head === this.#to;
  }

  get hasMore(): boolean {
    return this.#at < this.#end;
  }

  /** Brings its lines into the next window: those that are left, and more up to a block. */
  async fill(next: SortLines, window: SortLines, blockBytes: number): Promise<void> {
    const head = next.count;
    const left = this.isEmpty
      ? new Uint8Array(0)
      : window.bytes.subarray(window.start(this.head), window.end(this.#to - 1) + 1);
    next.take(left);
    // Half a block will do: what is left need not be topped up for a few lines.
    if (this.hasMore && left.length < blockBytes / 2)
      next.take(await this.#read(blockBytes, next.delimiter));
    this.head = head;
    this.#to = next.count;
  }

  /** Whole lines: about a block, or one line that is longer. */
  async #read(blockBytes: number, delimiter: number): Promise<Uint8Array> {
    for (let size = blockBytes; ; size *= 2) {
      // No line is longer than sort has held before.
      if (size > 4 * MEMORY_LIMIT) throw new MemoryLimitError();
      const bytes = await this.#readBytes(Math.min(size, this.#end - this.#at));
      const length = bytes.lastIndexOf(delimiter) + 1;
      if (length === 0) continue;
      this.#at += length;
      return bytes.subarray(0, length);
    }
  }

  async #readBytes(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; ) {
      const piece = bytes.subarray(at, Math.min(count, at + MEMORY_LIMIT));
      const read = await this.#sys.pread(this.#fd, piece, this.#at + at);
      if (read === 0) throw new Error("a temporary file has become shorter");
      at += read;
    }
    return bytes;
  }
}
