/** Bytes that come in parts, however small, and are taken as one: it holds little more than their sum. */
export class GrowingBytes {
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Copies them. */
  add(bytes: Uint8Array): void {
    const end = this.#length + bytes.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(this.#length === 0 ? end : end * 2);
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = end;
  }

  /** All of them; they stay, and the caller changes nothing. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** All of them, the caller's from now on; it is empty again. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return bytes;
  }
}
