/** The old checksums: they answer a number and count bytes. */
export interface NumberSum {
  update(bytes: Uint8Array): void;
  finish(): number;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});

/** POSIX's cksum: a CRC of the bytes and then of their number. */
export class PosixCrc implements NumberSum {
  #value = 0;
  #total = 0;

  update(bytes: Uint8Array): void {
    let value = this.#value;
    for (let at = 0; at < bytes.length; at++)
      value = (value << 8) ^ (table[(value >>> 24) ^ (bytes[at] ?? 0)] ?? 0);
    this.#value = value;
    this.#total += bytes.length;
  }

  finish(): number {
    let value = this.#value;
    for (let left = this.#total; left > 0; left = Math.floor(left / 256))
      value = (value << 8) ^ (table[((value >>> 24) ^ left) & 0xff] ?? 0);
    return ~value >>> 0;
  }
}

/** `sum -r`: 16 bits, turned right before each byte. */
export class BsdSum implements NumberSum {
  #value = 0;

  update(bytes: Uint8Array): void {
    let value = this.#value;
    for (let at = 0; at < bytes.length; at++)
      value = (((value >> 1) | ((value & 1) << 15)) + (bytes[at] ?? 0)) & 0xffff;
    this.#value = value;
  }

  finish(): number {
    return this.#value;
  }
}

/** `sum -s`: all bytes added. */
export class SysvSum implements NumberSum {
  #value = 0;

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) this.#value += bytes[at] ?? 0;
    this.#value %= 2 ** 32;
  }

  finish(): number {
    const folded = (this.#value % 0x10000) + Math.floor(this.#value / 0x10000);
    return (folded & 0xffff) + (folded >> 16);
  }
}
