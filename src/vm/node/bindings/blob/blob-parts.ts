import type { Packed } from "../../wire/pack.ts";

export type BlobPart = MemoryPart | FilePart;

/** Bytes that nobody else can change. */
export class MemoryPart {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get length(): number {
    return this.bytes.length;
  }

  slice(start: number, end: number): MemoryPart {
    return new MemoryPart(this.bytes.subarray(start, end));
  }
}

const SIZE = 8;
const MTIME_NANOSECONDS = 13;

/** A piece of a file as it was; whoever reads it after a change gets an error. */
export class FilePart {
  readonly path: Packed;
  readonly #stat: Float64Array;
  readonly start: number;
  readonly end: number;

  constructor(path: Packed, stat: Float64Array, start: number, end: number) {
    this.path = path;
    this.#stat = stat;
    this.start = start;
    this.end = end;
  }

  static open(path: Packed, state: Uint8Array): FilePart {
    const stat = new Float64Array(state.slice().buffer);
    return new FilePart(path, stat, 0, stat[SIZE] ?? 0);
  }

  get length(): number {
    return this.end - this.start;
  }

  slice(start: number, end: number): FilePart {
    return new FilePart(this.path, this.#stat, this.start + start, this.start + end);
  }

  isChanged(state: Uint8Array): boolean {
    const now = new Float64Array(state.slice().buffer);
    return [SIZE, MTIME_NANOSECONDS].some((field) => now[field] !== this.#stat[field]);
  }
}
