/**
 * The place of each name in listings: a number below 2⁵¹ that follows from the name, so that a cursor needs no memory of
 * what was there. Two halves, each mixed as FNV-1a and MurmurHash do, from seeds that nobody outside knows.
 */
export class NamePositions {
  readonly #low = seed();
  readonly #high = seed();

  of(name: string): number {
    let low = this.#low;
    let high = this.#high;
    for (let at = 0; at < name.length; at++) {
      const unit = name.charCodeAt(at);
      low = Math.imul(low ^ unit, 0x01000193) ^ (high >>> 13);
      high = Math.imul(high ^ unit, 0x85ebca6b) ^ (low >>> 15);
    }
    return (high >>> 7) * 2 ** 26 + (low >>> 6);
  }
}

function seed(): number {
  return Math.floor(Math.random() * 2 ** 32);
}
