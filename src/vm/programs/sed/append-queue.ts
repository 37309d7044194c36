import { isKernelError, O_CLOEXEC, O_RDONLY, type Sys } from "../../../kernel/index.ts";
import { LineBlocks } from "../line-blocks.ts";
import type { LineOutput, OutputFiles } from "./outputs.ts";

type Item =
  | { readonly text: Uint8Array }
  | { readonly file: string }
  /** A file of which the next line is meant. */
  | { readonly lineOf: string };

const CHUNK_BYTES = 65_536;

interface LineReader {
  readonly blocks: LineBlocks;
  block: Uint8Array;
}

/** What `a`, `r` and `R` put off to the end of the cycle. A file that cannot be read is left out. */
export class AppendQueue {
  readonly #sys: Sys;
  readonly #delimiter: number;
  #items: Item[] = [];
  readonly #readers = new Map<string, LineReader | undefined>();

  constructor(sys: Sys, delimiter: number) {
    this.#sys = sys;
    this.#delimiter = delimiter;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Puts it all out; undefined where that is done at once. */
  dump(out: LineOutput, files: OutputFiles): Promise<void> | undefined {
    const items = this.#items;
    this.#items = [];
    for (const [at, item] of items.entries()) {
      if (!("text" in item)) return this.#dumpFiles(items.slice(at), out, files);
      if (item.text.length > 0) out.addBytes(item.text);
    }
    return undefined;
  }

  async #dumpFiles(items: readonly Item[], out: LineOutput, files: OutputFiles): Promise<void> {
    await files.flush();
    for (const item of items) {
      if ("text" in item) out.addBytes(item.text);
      else if ("file" in item) await this.copyFile(item.file, out);
      else await this.#copyLine(item.lineOf, out);
    }
  }

  async #open(name: string): Promise<number | undefined> {
    if (name === "/dev/stdin") return 0;
    try {
      return await this.#sys.open(name, O_RDONLY | O_CLOEXEC);
    } catch (error) {
      if (isKernelError(error)) return undefined;
      throw error;
    }
  }

  /** Puts a file out at once. */
  async copyFile(name: string, out: LineOutput): Promise<void> {
    const fd = await this.#open(name);
    if (fd === undefined) return;
    try {
      const chunk = new Uint8Array(CHUNK_BYTES);
      for (let count = await this.#sys.read(fd, chunk); count > 0; ) {
        out.addBytes(chunk.subarray(0, count));
        if (out.isFull) await out.flush();
        count = await this.#sys.read(fd, chunk);
      }
    } catch (error) {
      if (!isKernelError(error)) throw error;
    } finally {
      if (fd !== 0) await this.#sys.close(fd);
    }
  }

  async #copyLine(name: string, out: LineOutput): Promise<void> {
    if (!this.#readers.has(name)) {
      const fd = await this.#open(name);
      const blocks = fd === undefined ? undefined : new LineBlocks(this.#sys, fd, this.#delimiter);
      const block = new Uint8Array(0);
      this.#readers.set(name, blocks === undefined ? undefined : { blocks, block });
    }
    const reader = this.#readers.get(name);
    if (reader === undefined) return;
    if (reader.block.length === 0) reader.block = (await reader.blocks.next()) ?? reader.block;
    if (reader.block.length === 0) return;
    const found = reader.block.indexOf(this.#delimiter);
    const end = found === -1 ? reader.block.length : found;
    out.addBytes(reader.block.subarray(0, end + 1));
    reader.block = reader.block.subarray(end + 1);
  }
}
