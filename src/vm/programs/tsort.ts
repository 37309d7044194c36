import { decodeText, isKernelError } from "../../kernel/index.ts";
import { refuseExtraOperand, UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { quoteFile } from "./quote-text.ts";
import { readAllBytes } from "./read-all.ts";

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
    const words = decodeText(bytes)
      .split(/[ \t\n]+/)
      .filter((word) => word !== "");
    if (words.length % 2 === 1) {
      throw new UsageError(`${quoteFile(name)}: input contains an odd number of tokens`, {
        hasHint: false,
      });
    }
    await new Sorting(run, quoteFile(name)).sort(words);
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

  constructor(run: Run, file: string) {
    this.#run = run;
    this.#file = file;
  }

  async sort(words: readonly string[]): Promise<void> {
    for (let at = 0; at + 1 < words.length; at += 2) {
      const first = this.#item(words[at] ?? "");
      const second = this.#item(words[at + 1] ?? "");
      if (first === second) continue;
      first.after.push(second);
      second.before += 1;
    }
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
    const found = this.#items.get(name) ?? { name, before: 0, after: [], isWritten: false };
    this.#items.set(name, found);
    return found;
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
