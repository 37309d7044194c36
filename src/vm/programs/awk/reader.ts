/** Reads a fd record by record: what RS says ends one. Text is decoded a block at a time. */
import { isKernelError, type Sys } from "../../../kernel/index.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import type { Charset } from "./charset.ts";
import type { Pattern } from "./patterns.ts";

const CHUNK_BYTES = 65_536;
/** Pieces grow with a record that does not end, so that searching it again costs little. */
const LARGEST_CHUNK_BYTES = 8 * 1024 * 1024;

/** A record that long does not wait for a person. */
const LONG_RECORD = 1024 * 1024;

/** What ends a record. */
export type Separator =
  | { readonly kind: "character"; readonly character: string }
  /** Empty lines do. */
  | { readonly kind: "paragraph" }
  | { readonly kind: "pattern"; readonly pattern: Pattern };

export class Reader {
  readonly #sys: Sys;
  readonly #charset: Charset;
  readonly fd: number;
  #buffer: Uint8Array = new Uint8Array(0);
  /** Bytes read and not decoded: the start of a line or of a character. */
  #pending: Uint8Array = new Uint8Array(0);
  #isAtEnd = false;
  /** The decoded text and how far it is used up. */
  #text = "";
  #at = 0;
  /** The record found last: its place in a block, and what ended it. */
  block = "";
  start = 0;
  end = 0;
  terminator = "";

  constructor(sys: Sys, fd: number, charset: Charset) {
    this.#sys = sys;
    this.fd = fd;
    this.#charset = charset;
  }

  /** Finds the next record; false at the end. Waits only when it must read. */
  next(separator: Separator): boolean | Promise<boolean> {
    if (this.#find(separator)) return true;
    return this.#isAtEnd && this.#pending.length === 0
      ? this.#last(separator)
      : this.#readOn(separator);
  }

  async #readOn(separator: Separator): Promise<boolean> {
    let searched = 0;
    do {
      await this.#fill();
      const isFound =
        separator.kind === "character"
          ? this.#findCharacter(separator.character, this.#at + searched)
          : this.#find(separator);
      if (isFound) return true;
      searched = separator.kind === "character" ? this.#text.length - this.#at : 0;
    } while (!this.#isAtEnd || this.#pending.length > 0);
    return this.#last(separator);
  }

  /** What is left when there is nothing more to read. */
  #last(separator: Separator): boolean {
    if (separator.kind === "paragraph") this.#skipNewlines();
    if (this.#at >= this.#text.length) return false;
    let end = this.#text.length;
    let terminator = "";
    if (separator.kind === "paragraph") {
      while (end > this.#at && this.#text[end - 1] === "\n") end -= 1;
      terminator = this.#text.slice(end);
    }
    if (separator.kind === "pattern") {
      const found = separator.pattern.find(this.#text, this.#at);
      if (found !== undefined && found.length > 0 && found.index + found.length === end) {
        terminator = this.#text.slice(found.index);
        end = found.index;
      }
    }
    this.#take(end, terminator, this.#text.length);
    return true;
  }

  #take(end: number, terminator: string, next: number): void {
    this.block = this.#text;
    this.start = this.#at;
    this.end = end;
    this.terminator = terminator;
    this.#at = next;
  }

  #find(separator: Separator): boolean {
    switch (separator.kind) {
      case "character":
        return this.#findCharacter(separator.character, this.#at);
      case "paragraph":
        return this.#findParagraph();
      case "pattern":
        return this.#findPattern(separator.pattern);
    }
  }

  #findCharacter(character: string, from: number): boolean {
    const found = this.#text.indexOf(character, from);
    if (found === -1) return false;
    this.#take(found, character, found + character.length);
    return true;
  }

  #skipNewlines(): void {
    while (this.#text[this.#at] === "\n") this.#at += 1;
  }

  #findParagraph(): boolean {
    this.#skipNewlines();
    const found = this.#text.indexOf("\n\n", this.#at);
    if (found === -1) return false;
    let next = found + 2;
    while (this.#text[next] === "\n") next += 1;
    // More newlines may follow in what is not read yet.
    if (next === this.#text.length && !this.#isAtEnd) return false;
    this.#take(found, this.#text.slice(found, next), next);
    return true;
  }

  #findPattern(pattern: Pattern): boolean {
    if (this.#at >= this.#text.length) return false;
    let from = this.#at;
    for (;;) {
      const found = pattern.find(this.#text, from);
      if (found === undefined) return false;
      if (found.length === 0) {
        from = found.index + 1;
        if (from > this.#text.length) return false;
        continue;
      }
      const next = found.index + found.length;
      // A longer match may be possible with what is not read yet.
      if (next === this.#text.length && !this.#isAtEnd) return false;
      this.#take(found.index, this.#text.slice(found.index, next), next);
      return true;
    }
  }

  /** Reads and decodes one more piece. */
  async #fill(): Promise<void> {
    const left = this.#text.length - this.#at;
    if (left + this.#pending.length > MEMORY_LIMIT) throw new MemoryLimitError();
    const size = Math.min(LARGEST_CHUNK_BYTES, Math.max(CHUNK_BYTES, left));
    const kept = this.#pending.length;
    if (this.#buffer.length < kept + size) this.#buffer = new Uint8Array(kept + size);
    // What is pending is a view of the buffer's end.
    this.#buffer.set(this.#pending, 0);
    let count = 0;
    // The piece after much that has no end is read in full: the whole is searched again with it.
    do {
      const more = this.#isAtEnd
        ? 0
        : await this.#read(this.#buffer.subarray(kept + count, kept + size));
      if (more === 0) this.#isAtEnd = true;
      count += more;
    } while (left > LONG_RECORD && count < size && !this.#isAtEnd);
    const filled = this.#buffer.subarray(0, kept + count);
    const end = this.#isAtEnd ? filled.length : decodableEnd(filled);
    const text = this.#charset.decode(filled.subarray(0, end));
    this.#pending = filled.slice(end);
    // What stands before the record stays, so that only a file's start is the text's.
    const before = Math.min(this.#at, 1);
    this.#text = this.#text.slice(this.#at - before) + text;
    this.#at = before;
  }

  async #read(into: Uint8Array): Promise<number> {
    for (;;) {
      try {
        return await this.#sys.read(this.fd, into);
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
      }
    }
  }
}

/** Behind the last newline, or else before a character that is cut. */
function decodableEnd(bytes: Uint8Array): number {
  const newline = bytes.lastIndexOf(10);
  if (newline !== -1) return newline + 1;
  let at = bytes.length;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      if (length > back) at = bytes.length - back;
      break;
    }
  }
  return at;
}
