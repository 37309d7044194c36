import type { Sys } from "../../kernel/index.ts";
import { LineBlocks } from "./line-blocks.ts";

/** Lines of a fd one at a time, for programs that read several inputs side by side. */
export class LineCursor {
  /** Without its delimiter; a view that the next `advance` may overwrite. */
  line: Uint8Array = new Uint8Array();
  hasDelimiter = false;
  isAtEnd = false;
  readonly #blocks: LineBlocks;
  readonly #delimiter: number;
  #block: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(sys: Sys, fd: number, delimiter = 10) {
    this.#blocks = new LineBlocks(sys, fd, delimiter);
    this.#delimiter = delimiter;
  }

  /** Goes to the next line if it is at hand: no waiting. False says nothing about the end. */
  tryAdvance(): boolean {
    if (this.#at >= this.#block.length) return false;
    const found = this.#block.indexOf(this.#delimiter, this.#at);
    this.hasDelimiter = found !== -1;
    const end = found === -1 ? this.#block.length : found;
    this.line = this.#block.subarray(this.#at, end);
    this.#at = end + 1;
    return true;
  }

  /** Goes to the next line; false at the end of input. */
  async advance(): Promise<boolean> {
    if (this.tryAdvance()) return true;
    const block = await this.#blocks.next();
    if (block === undefined) {
      this.isAtEnd = true;
      this.line = new Uint8Array();
      return false;
    }
    this.#block = block;
    this.#at = 0;
    return this.tryAdvance();
  }
}
