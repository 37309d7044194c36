/** The ways to split an input in pieces. */
import type { Sys } from "../../../kernel/index.ts";
import { LineBlocks } from "../line-blocks.ts";
import { grownSize } from "../memory-limit.ts";
import { writeAll } from "../output.ts";
import type { Piece, Pieces } from "./outputs.ts";

const CHUNK_BYTES = 65_536;

/** Blocks of an input, and how many bytes they are together where that had to be known. */
export interface Blocks {
  readonly size: number;
  next(): Promise<Uint8Array | undefined>;
}

/** What all ways write to: one piece after the other, each made when it is needed. */
export class PieceWriter {
  readonly #pieces: Pieces;
  #current: Piece | undefined;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  /** Ends the piece at hand: what is written next goes to a new one. */
  async end(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.close();
  }

  /** A piece without content. */
  async empty(): Promise<void> {
    await this.end();
    this.#current = await this.#pieces.next();
    await this.end();
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#current ??= await this.#pieces.next();
    await this.#current.write(bytes);
  }
}

/** `limit` bytes each. */
export async function splitBytes(
  blocks: Blocks,
  limit: number,
  writer: PieceWriter,
): Promise<void> {
  let left = limit;
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    for (let at = 0; at < block.length; ) {
      const taken = Math.min(left, block.length - at);
      await writer.write(block.subarray(at, at + taken));
      at += taken;
      left -= taken;
      if (left > 0) continue;
      await writer.end();
      left = limit;
    }
  }
  await writer.end();
}

/** `limit` lines each. */
export async function splitLines(
  blocks: Blocks,
  limit: number,
  delimiter: number,
  writer: PieceWriter,
): Promise<void> {
  let left = limit;
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    let start = 0;
    for (let at = block.indexOf(delimiter); at !== -1; at = block.indexOf(delimiter, at + 1)) {
      left -= 1;
      if (left > 0) continue;
      await writer.write(block.subarray(start, at + 1));
      await writer.end();
      start = at + 1;
      left = limit;
    }
    await writer.write(block.subarray(start));
  }
  await writer.end();
}

/** Whole lines up to `limit` bytes each; a line that is longer is broken. */
export async function splitLineBytes(
  blocks: Blocks,
  limit: number,
  delimiter: number,
  writer: PieceWriter,
): Promise<void> {
  let held = new Uint8Array(Math.min(limit, CHUNK_BYTES));
  let length = 0;
  const release = async (): Promise<void> => {
    const last = held.subarray(0, length).lastIndexOf(delimiter);
    const end = last === -1 ? length : last + 1;
    await writer.write(held.subarray(0, end));
    await writer.end();
    held.copyWithin(0, end, length);
    length -= end;
  };
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    for (let at = 0; at < block.length; ) {
      if (length === limit) await release();
      const taken = Math.min(limit - length, block.length - at);
      if (length + taken > held.length) {
        const larger = new Uint8Array(Math.min(limit, grownSize(length + taken, held.length)));
        larger.set(held.subarray(0, length));
        held = larger;
      }
      held.set(block.subarray(at, at + taken), length);
      length += taken;
      at += taken;
    }
  }
  await writer.write(held.subarray(0, length));
  await writer.end();
}

export interface Chunking {
  /** How many chunks. */
  readonly count: number;
  /** Only this one, to standard output. */
  readonly only: number | undefined;
  readonly delimiter: number;
  /** Chunks without content are left out. */
  readonly isElided: boolean;
}

/** Where chunk after chunk goes: to its piece, or nowhere but for the one that is asked for. */
class ChunkWriter {
  chunk = 1;
  readonly #writer: PieceWriter;
  readonly #sys: Sys;
  readonly #chunking: Chunking;
  #isWritten = false;

  constructor(sys: Sys, writer: PieceWriter, chunking: Chunking) {
    this.#sys = sys;
    this.#writer = writer;
    this.#chunking = chunking;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#isWritten = true;
    if (this.#chunking.only === undefined) await this.#writer.write(bytes);
    else if (this.#chunking.only === this.chunk) await writeAll(this.#sys, 1, bytes);
  }

  async next(): Promise<void> {
    const isShown = this.#chunking.only === undefined;
    if (isShown && !this.#isWritten && !this.#chunking.isElided) await this.#writer.empty();
    await this.#writer.end();
    this.#isWritten = false;
    this.chunk += 1;
  }

  /** Makes what is left of the chunks. */
  async finish(): Promise<void> {
    while (this.chunk <= this.#chunking.count) await this.next();
  }
}

/** As many chunks of the same size as are asked for; the last has the rest. */
export async function chunkBytes(
  sys: Sys,
  blocks: Blocks,
  chunking: Chunking,
  writer: PieceWriter,
): Promise<void> {
  const size = Math.floor(Math.max(blocks.size, chunking.count) / chunking.count);
  const out = new ChunkWriter(sys, writer, chunking);
  let left = size;
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    for (let at = 0; at < block.length; ) {
      const isLast = out.chunk >= chunking.count;
      const taken = isLast ? block.length - at : Math.min(left, block.length - at);
      await out.write(block.subarray(at, at + taken));
      at += taken;
      left -= taken;
      if (left > 0 || isLast) continue;
      await out.next();
      left = size;
    }
  }
  await out.finish();
}

/** Chunks of about the same size that end where lines end. */
export async function chunkLines(
  sys: Sys,
  blocks: Blocks,
  chunking: Chunking,
  writer: PieceWriter,
): Promise<void> {
  const { count, delimiter } = chunking;
  const total = Math.max(blocks.size, count);
  const size = Math.floor(total / count);
  const out = new ChunkWriter(sys, writer, chunking);
  /** The last byte that belongs to the chunk, wherever its line ends. */
  let last = count === 1 ? total - 1 : size - 1;
  let written = 0;
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    for (let at = 0; at < block.length; ) {
      const from = at + Math.max(0, last - written);
      const found = from >= block.length ? -1 : block.indexOf(delimiter, from);
      const end = found === -1 ? block.length : found + 1;
      await out.write(block.subarray(at, end));
      written += end - at;
      at = end;
      while (found !== -1 && last < written && out.chunk < count) {
        await out.next();
        last = out.chunk === count ? total - 1 : last + size;
      }
    }
  }
  await out.finish();
}

/** Lines dealt out in turn. */
export async function dealLines(
  sys: Sys,
  fd: number,
  chunking: Chunking,
  pieces: Pieces,
): Promise<void> {
  const { count, only, delimiter, isElided } = chunking;
  const outputs: Piece[] = [];
  const gathered: Uint8Array[][] = [];
  for (let number = 0; number < count && only === undefined && !isElided; number++)
    outputs.push(await pieces.nextShared());
  const blocks = new LineBlocks(sys, fd, delimiter);
  let turn = 0;
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    for (let start = 0; start < block.length; ) {
      const at = block.indexOf(delimiter, start);
      const end = at === -1 ? block.length : at + 1;
      const lines = (gathered[turn] ??= []);
      lines.push(block.subarray(start, end));
      turn = (turn + 1) % count;
      start = end;
    }
    for (const [number, lines] of gathered.entries()) {
      if (lines.length === 0) continue;
      if (only === undefined) {
        const output = (outputs[number] ??= await pieces.nextShared());
        await output.write(concat(lines));
      } else if (number === only - 1) await writeAll(sys, 1, concat(lines));
      lines.length = 0;
    }
  }
  for (const output of outputs) await output.close();
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
