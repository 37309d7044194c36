import { decodeText, isKernelError } from "../../kernel/index.ts";
import { HeldMemory, MEMORY_LIMIT } from "./memory-limit.ts";
import { refuseExtraOperand, UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { quoteFile } from "./quote-text.ts";
import { readAllBytes } from "./read-all.ts";

/** What an item and a relation take of the heap. */
const ITEM_BYTES = 200;
const RELATION_BYTES = 32;
/** The tables of one tsort; the kernel's heap has twice that. */
const TABLE_LIMIT = 3 * MEMORY_LIMIT;
/** Steps between two looks at what else is to be done. */
const YIELD_STEPS = 20_000;

export const main = defineProgram(
  {
    name: "tsort",
    usage: ["[OPTION] [FILE]"],
    summary: "Write a total order that goes with the partial order in FILE.",
    options: [],
  },
  async (run) => {
    refuseExtraOperand(run.operands, 1);
    const [name = "-"] = run.operands;
    let bytes: Uint8Array = new Uint8Array();
    try {
      await run.withInput(name, async (fd) => {
        bytes = await readAllBytes(run.sys, fd);
      });
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (error.errno !== "EISDIR")
        throw new UsageError(`${quoteFile(name)}: ${errorWords(error)}`, { hasHint: false });
    }
    const sorting = new Sorting(run, quoteFile(name));
    if (!(await sorting.read(bytes))) {
      throw new UsageError(`${quoteFile(name)}: input contains an odd number of tokens`, {
        hasHint: false,
      });
    }
    await sorting.sort();
  },
);

interface Item {
  readonly name: string;
  /** How many come before it that are not yet written. */
  before: number;
  /** The latest first. */
  readonly after: Item[];
  isWritten: boolean;
}

class Sorting {
  readonly #run: Run;
  readonly #file: string;
  readonly #items = new Map<string, Item>();
  readonly #held: HeldMemory;

  constructor(run: Run, file: string) {
    this.#run = run;
    this.#file = file;
    this.#held = new HeldMemory(run.sys, TABLE_LIMIT);
  }

  /** Takes pairs of words; false where the last has no second. Fails with a MemoryLimitError. */
  async read(bytes: Uint8Array): Promise<boolean> {
    let first: Item | undefined;
    for (let start = 0; start < bytes.length; ) {
      if (isBlank(bytes[start])) {
        start += 1;
        continue;
      }
      let end = start + 1;
      while (end < bytes.length && !isBlank(bytes[end])) end += 1;
      const item = this.#item(decodeText(bytes.subarray(start, end)));
      start = end;
      if (first !== undefined && first !== item) this.#order(first, item);
      first = first === undefined ? item : undefined;
      if (this.#held.isNews) await this.#held.tell();
    }
    return first === undefined;
  }

  #order(first: Item, second: Item): void {
    this.#held.add(RELATION_BYTES);
    first.after.push(second);
    second.before += 1;
  }

  async sort(): Promise<void> {
    const ordered = [...this.#items.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    let left = ordered.length;
    let steps = 0;
    while (left > 0) {
      const ready = ordered.filter((item) => item.before === 0 && !item.isWritten);
      for (let at = 0; at < ready.length; at++) {
        const item = ready[at];
        if (item === undefined) continue;
        left -= 1;
        steps += item.after.length + 1;
        this.#write(item, ready);
        if (this.#run.out.isFull) await this.#run.out.flush();
        if (steps > YIELD_STEPS) {
          steps = 0;
          await this.#run.sys.schedYield();
        }
      }
      if (left > 0) await this.#breakLoop(ordered.filter((item) => !item.isWritten));
    }
  }

  /** Writes an item; those that waited for it alone are ready. */
  #write(item: Item, ready: Item[]): void {
    item.isWritten = true;
    this.#run.out.addText(`${item.name}\n`);
    for (const next of item.after.toReversed()) {
      next.before -= 1;
      if (next.before === 0) ready.push(next);
    }
  }

  #item(name: string): Item {
    const found = this.#items.get(name);
    if (found !== undefined) return found;
    this.#held.add(ITEM_BYTES);
    const made = { name, before: 0, after: [], isWritten: false };
    this.#items.set(name, made);
    return made;
  }

  /** Names the items of a loop and takes one relation out of it. */
  async #breakLoop(items: readonly Item[]): Promise<void> {
    await this.#run.out.flush();
    await this.#run.sys.schedYield();
    await this.#run.fail(`${this.#file}: input contains a loop:`);
    const loop = findLoop(items);
    for (const { name } of loop) await this.#run.warn(name);
    const last = loop.at(-1);
    const [first] = loop;
    if (last === undefined || first === undefined) return;
    last.after.splice(last.after.lastIndexOf(first), 1);
    first.before -= 1;
  }
}

/** A blank, tab or line feed. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a;
}

/** Walks back from an item until one is met again. */
function findLoop(items: readonly Item[]): readonly Item[] {
  const predecessor = new Map<Item, Item>();
  for (const item of items)
    for (const next of item.after)
      if (!next.isWritten && !predecessor.has(next)) predecessor.set(next, item);
  const seen = new Map<Item, number>();
  const path: Item[] = [];
  let at = items.find((item) => predecessor.has(item));
  while (at !== undefined && !seen.has(at)) {
    seen.set(at, path.length);
    path.push(at);
    at = predecessor.get(at);
  }
  const start = at === undefined ? 0 : (seen.get(at) ?? 0);
  const [head, ...rest] = path.slice(start);
  return head === undefined ? [] : [head, ...rest.reverse()];
}
