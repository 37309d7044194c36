/** Bits to bytes, the highest first. */
export class BitWriter {
  #bytes = new Uint8Array(65_536);
  #length = 0;
  #buffer = 0;
  #count = 0;

  /** At most 24 bits. */
  bits(value: number, count: number): void {
    this.#buffer = (this.#buffer << count) | value;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#put((this.#buffer >>> this.#count) & 255);
    }
    this.#buffer &= (1 << this.#count) - 1;
  }

  uint32(value: number): void {
    this.bits(value >>> 16, 16);
    this.bits(value & 0xffff, 16);
  }

  /** Fills the last byte. */
  pad(): void {
    if (this.#count > 0) this.bits(0, 8 - this.#count);
  }

  /** The whole bytes so far, which are then gone. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }

  #put(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}
