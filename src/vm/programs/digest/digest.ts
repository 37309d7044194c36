/** A checksum that is fed piece by piece. */
export interface Digest {
  update(bytes: Uint8Array): void;
  /** Ends it. */
  finish(): Uint8Array;
}

/** What the MD and SHA families share: blocks, and the length behind the last one. */
export abstract class BlockDigest implements Digest {
  readonly #block: Uint8Array;
  readonly #lengthBytes: number;
  readonly #isLittle: boolean;
  #held = 0;
  #total = 0;

  constructor(blockBytes: 64 | 128, isLittle = false) {
    this.#block = new Uint8Array(blockBytes);
    this.#lengthBytes = blockBytes / 8;
    this.#isLittle = isLittle;
  }

  /** Takes in one block. */
  protected abstract compress(bytes: Uint8Array, at: number): void;

  protected abstract result(): Uint8Array;

  update(bytes: Uint8Array): void {
    const size = this.#block.length;
    this.#total += bytes.length;
    let at = 0;
    if (this.#held > 0) {
      at = Math.min(size - this.#held, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < size) return;
      this.compress(this.#block, 0);
      this.#held = 0;
    }
    for (; at + size <= bytes.length; at += size) this.compress(bytes, at);
    this.#block.set(bytes.subarray(at));
    this.#held = bytes.length - at;
  }

  finish(): Uint8Array {
    const block = this.#block;
    block[this.#held] = 0x80;
    block.fill(0, this.#held + 1);
    if (this.#held + 1 > block.length - this.#lengthBytes) {
      this.compress(block, 0);
      block.fill(0);
    }
    const view = new DataView(block.buffer);
    view.setBigUint64(block.length - 8, BigInt(this.#total) * 8n, this.#isLittle);
    this.compress(block, 0);
    return this.result();
  }
}

/** 32-bit words as bytes. */
export function wordBytes(words: ArrayLike<number>, count: number, isLittle = false): Uint8Array {
  const bytes = new Uint8Array(count * 4);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < count; at++) view.setInt32(at * 4, words[at] ?? 0, isLittle);
  return bytes;
}

/** The first 16 words of a block, the high byte first. */
export function readWords(bytes: Uint8Array, at: number, words: Int32Array): void {
  for (let word = 0, from = at; word < 16; word++, from += 4) {
    words[word] =
      ((bytes[from] ?? 0) << 24) |
      ((bytes[from + 1] ?? 0) << 16) |
      ((bytes[from + 2] ?? 0) << 8) |
      (bytes[from + 3] ?? 0);
  }
}
