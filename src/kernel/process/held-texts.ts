import { encodedLength } from "../abi/text.ts";
import type { Limits } from "../limits/limits.ts";

/** The arguments or the environment of a process. */
type Texts = readonly string[] | ReadonlyMap<string, string>;

interface Holding {
  readonly bytes: number;
  holders: number;
}

/**
 * What the arguments and environments of all guests' processes take. Those that processes share, as a
 * subshell does with its parent, count once, from the first holder to the last.
 */
export class HeldTexts {
  readonly #holdings = new Map<Texts, Holding>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** E2BIG at maxHeldArgvBytes; then none of them is held. */
  hold(...all: readonly Texts[]): void {
    const held: Texts[] = [];
    try {
      for (const texts of all) {
        this.#holdOne(texts);
        held.push(texts);
      }
    } catch (error) {
      this.release(...held);
      throw error;
    }
  }

  release(...all: readonly Texts[]): void {
    for (const texts of all) {
      const holding = this.#holdings.get(texts);
      if (holding === undefined) continue;
      holding.holders -= 1;
      if (holding.holders > 0) continue;
      this.#holdings.delete(texts);
      this.#limits.discharge("maxHeldArgvBytes", holding.bytes);
    }
  }

  #holdOne(texts: Texts): void {
    const known = this.#holdings.get(texts);
    if (known !== undefined) {
      known.holders += 1;
      return;
    }
    const bytes = sizeOf(texts);
    this.#limits.charge("maxHeldArgvBytes", bytes);
    this.#holdings.set(texts, { bytes, holders: 1 });
  }
}

function sizeOf(texts: Texts): number {
  let bytes = 0;
  for (const text of texts) {
    if (typeof text === "string") bytes += encodedLength(text) + 1;
    else bytes += encodedLength(text[0]) + encodedLength(text[1]) + 2;
  }
  return bytes;
}
