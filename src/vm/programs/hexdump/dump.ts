import type { CombinedInput } from "../od/combined-input.ts";
import type { Run } from "../program.ts";
import type { Place } from "./conversions.ts";
import type { FormatString, Unit } from "./parse-format.ts";

/** A line may not be longer than this in bytes of input. */
const BLOCK_LIMIT = 1 << 20;

/** Shows an input block by block, each in every format. */
export class Dump {
  readonly #run: Run;
  readonly #formats: readonly FormatString[];
  readonly #ends: readonly FormatString[];
  readonly #size: number;
  #last: Uint8Array | undefined;
  #isRepeating = false;

  constructor(run: Run, formats: readonly FormatString[]) {
    this.#run = run;
    const isEnd = (format: FormatString): boolean =>
      format.units.some((unit) => unit.parts.some((part) => part.isEnd));
    this.#ends = formats.filter(isEnd);
    this.#formats = formats.filter((format) => !isEnd(format));
    this.#size = Math.min(BLOCK_LIMIT, Math.max(...formats.map(({ bytes }) => bytes)));
    for (const format of this.#formats) fillRounds(format, this.#size);
  }

  async write(
    input: CombinedInput,
    { from, length }: { readonly from: number; readonly length: number | undefined },
  ): Promise<void> {
    const block = new Uint8Array(this.#size);
    let offset = from;
    let left = length ?? Number.POSITIVE_INFINITY;
    while (left > 0 && this.#size > 0) {
      const count = await input.fill(block.subarray(0, Math.min(left, this.#size)));
      if (count === 0) break;
      block.fill(0, count);
      this.#writeBlock(block, offset, count);
      offset += count;
      left -= count;
      if (this.#run.out.isFull) await this.#run.out.flush();
    }
    if (offset > 0) this.#writeEnd(offset);
  }

  #writeBlock(block: Uint8Array, offset: number, count: number): void {
    if (!this.#run.has("no-squeezing") && this.#isRepeated(block, count)) return;
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    const end = offset + count;
    for (const format of this.#formats) {
      let at = 0;
      for (const unit of format.units) at = this.#writeUnit(unit, { view, at, offset, end });
    }
  }

  /** A short last block is always shown. */
  #isRepeated(block: Uint8Array, count: number): boolean {
    const last = this.#last;
    const isWhole = count === this.#size;
    if (isWhole && last !== undefined && block.every((byte, at) => byte === last[at])) {
      if (!this.#isRepeating) this.#run.out.addText("*\n");
      this.#isRepeating = true;
      return true;
    }
    this.#isRepeating = false;
    this.#last = block.slice();
    return false;
  }

  /** Answers where the next unit starts. */
  #writeUnit(unit: Unit, { view, at: start, offset, end }: Place): number {
    let at = start;
    for (let round = unit.rounds; round > 0; round--) {
      for (const part of unit.parts) {
        const isPast = offset + at >= end && !part.isText;
        const shown = isPast ? part.blank : part.show({ view, at, offset: offset + at, end });
        const isCut =
          round === 1 && unit.rounds > 1 && part.endsBlank && part === unit.parts.at(-1);
        this.#run.out.addText(isCut ? shown.slice(0, -1) : shown);
        at += part.bytes;
      }
    }
    return at;
  }

  #writeEnd(offset: number): void {
    const place = { view: new DataView(new ArrayBuffer(0)), at: 0, offset, end: offset };
    const parts = this.#ends.at(-1)?.units.flatMap((unit) => unit.parts) ?? [];
    for (const part of parts)
      if (part.isEnd || part.isText) this.#run.out.addText(part.show(place));
  }
}

/** The last unit of a format goes on to the end of the block. */
function fillRounds(format: FormatString, size: number): void {
  const last = format.units.at(-1);
  if (last === undefined || last.isCounted || last.bytes === 0 || format.bytes >= size) return;
  last.rounds += Math.floor((size - format.bytes) / last.bytes);
}
