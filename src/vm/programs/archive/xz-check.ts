/** What xz puts behind a block to tell whether its data is whole. */
import type { Digest } from "../digest/digest.ts";
import { Sha256 } from "../digest/sha256.ts";
import { uint32 } from "./gzip-format.ts";
import { crc32 } from "./zlib-engine.ts";

export type CheckName = "none" | "crc32" | "crc64" | "sha256";

/** The number each has in a stream's flags. */
export const checkNumbers: Readonly<Record<CheckName, number>> = {
  none: 0,
  crc32: 1,
  crc64: 4,
  sha256: 10,
};

/** Finishes with the bytes as they stand in the file. */
export function makeCheck(name: CheckName): Digest {
  if (name === "sha256") return new Sha256(256);
  if (name === "crc64") return new Crc64();
  if (name === "crc32") return new Crc32();
  return { update: () => undefined, finish: () => new Uint8Array(0) };
}

/** The check with that number; undefined for one that only its size is known of. */
export function checkOf(number: number): CheckName | undefined {
  const names: readonly CheckName[] = ["none", "crc32", "crc64", "sha256"];
  return names.find((name) => checkNumbers[name] === number);
}

class Crc32 implements Digest {
  #value = 0;

  update(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }

  finish(): Uint8Array {
    return Uint8Array.from(uint32(this.#value));
  }
}

/** ECMA-182's polynomial, reflected: its high and its low half. */
const POLYNOMIAL = [0xc96c5795, 0xd7870f42] as const;
const highs = new Uint32Array(256);
const lows = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let [high, low] = [0, byte];
  for (let left = 8; left > 0; left--) {
    const isOdd = (low & 1) === 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) [high, low] = [high ^ POLYNOMIAL[0], low ^ POLYNOMIAL[1]];
  }
  highs[byte] = high;
  lows[byte] = low;
}

class Crc64 implements Digest {
  #high = ~0;
  #low = ~0;

  update(bytes: Uint8Array): void {
    let [high, low] = [this.#high, this.#low];
    for (const byte of bytes) {
      const place = (low ^ byte) & 255;
      low = ((low >>> 8) | (high << 24)) ^ (lows[place] ?? 0);
      high = (high >>> 8) ^ (highs[place] ?? 0);
    }
    [this.#high, this.#low] = [high, low];
  }

  finish(): Uint8Array {
    return Uint8Array.from([...uint32(~this.#low >>> 0), ...uint32(~this.#high >>> 0)]);
  }
}
