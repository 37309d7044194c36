/** What diff3 prints for ed: commands that make mine what the merge would be, from the end to the beginning. */
import type { Output } from "../output.ts";
import type { Block, Range, Three } from "./merge-three.ts";
import type { TextLines } from "./text-lines.ts";
import { type ThreeStyle, treatmentOf } from "./three-style.ts";

const NEWLINE = 10;
const DOT = 0x2e;

export class EdScript {
  readonly #out: Output;
  readonly #three: Three;
  readonly #labels: readonly string[];
  /** Whether a line of the text being put in starts with a dot. */
  #hasDot = false;

  constructor(out: Output, three: Three, labels: readonly string[]) {
    this.#out = out;
    this.#three = three;
    this.#labels = labels;
  }

  /** Answers whether blocks were bracketed. */
  async print(blocks: readonly Block[], style: ThreeStyle): Promise<boolean> {
    let hasConflicts = false;
    for (const block of blocks.toReversed()) {
      const treatment = treatmentOf(block.kind, style);
      if (treatment === "take") this.#take(block);
      else if (treatment === "bracket") {
        hasConflicts = true;
        this.#bracket(block, style);
      }
      if (this.#out.isFull) await this.#out.flush();
    }
    return hasConflicts;
  }

  #take({ ranges: [mine, , yours] }: Block): void {
    const { start, end } = mine;
    const lines = end - start > 1 ? `${start + 1},${end}` : String(end);
    if (yours.start === yours.end) {
      this.#out.addText(`${lines}d\n`);
      return;
    }
    this.#out.addText(`${lines}${start === end ? "a" : "c"}\n`);
    this.#lines(this.#three[2], yours);
    this.#finish(start + 1, yours.end - yours.start);
  }

  #bracket({ kind, ranges: [mine, older, yours] }: Block, { showsOlder }: ThreeStyle): void {
    this.#out.addText(`${mine.end}a\n`);
    if (kind === "all") {
      if (showsOlder) {
        this.#out.addText(`||||||| ${this.#labels[1]}\n`);
        this.#lines(this.#three[1], older);
      }
      this.#out.addText("=======\n");
      this.#lines(this.#three[2], yours);
    }
    this.#out.addText(`>>>>>>> ${this.#labels[2]}\n`);
    const count = older.end - older.start;
    this.#finish(mine.end + 2, count + yours.end - yours.start + 1);
    this.#out.addText(`${mine.start}a\n<<<<<<< ${this.#labels[kind === "all" ? 0 : 1]}\n`);
    if (kind === "older") {
      this.#lines(this.#three[1], older);
      this.#out.addText("=======\n");
    }
    this.#finish(mine.start + 2, count);
  }

  #lines(lines: TextLines, { start, end }: Range): void {
    for (let line = start; line < end; line++) {
      const whole = lines.whole(line);
      if (whole[0] === DOT) {
        this.#hasDot = true;
        this.#out.addByte(DOT);
      }
      this.#out.add(whole);
      if (whole.at(-1) !== NEWLINE) this.#out.addByte(NEWLINE);
    }
  }

  /** Ends the text put in, and takes away the dots that kept it from ending early. */
  #finish(first: number, count: number): void {
    this.#out.addText(".\n");
    if (this.#hasDot)
      this.#out.addText(`${count === 1 ? first : `${first},${first + count - 1}`}s/^\\.//\n`);
    this.#hasDot = false;
  }
}
