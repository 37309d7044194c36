import { encodeText, isKernelError, O_CLOEXEC, O_RDONLY } from "../../kernel/index.ts";
import { compareBytes } from "./compare-bytes.ts";
import { LineCursor } from "./line-cursor.ts";
import { refuseExtraOperand, UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { quoteFile, quoteText } from "./quote-text.ts";

export const main = defineProgram(
  {
    name: "comm",
    usage: ["[OPTION]... FILE1 FILE2"],
    summary:
      "Compare sorted files line by line: lines only in FILE1, lines only in FILE2,\nand lines in both, each in its own column.",
    options: [
      { short: "1", help: "leave out column 1 (lines unique to FILE1)" },
      { short: "2", help: "leave out column 2 (lines unique to FILE2)" },
      { short: "3", help: "leave out column 3 (lines in both files)" },
      { long: "check-order", help: "fail where input is not sorted, even if all lines pair" },
      { long: "nocheck-order", help: "do not look whether input is sorted" },
      { long: "output-delimiter", value: "STR", help: "separate columns with STR" },
      { long: "total", help: "add a line of counts" },
      { short: "z", long: "zero-terminated", help: "lines end with NUL, not newline" },
    ],
  },
  async (run) => {
    const delimiters = run.options.all("output-delimiter");
    if (delimiters.some((one) => one !== delimiters[0]))
      throw new UsageError("multiple output delimiters specified", { hasHint: false });
    const [first, second] = run.operands;
    if (first === undefined) throw new UsageError("missing operand");
    if (second === undefined)
      throw new UsageError(`missing operand after ${quoteText(run.operands.at(-1) ?? "")}`);
    refuseExtraOperand(run.operands, 2);
    const sides = [await openSide(run, first, 0), await openSide(run, second, 1)];
    const [left, right] = sides;
    if (left !== undefined && right !== undefined) await new Comparison(run, left, right).compare();
  },
);

interface Side {
  readonly lines: LineCursor;
  readonly number: 1 | 2;
  /** The two lines before the one at hand. */
  previous: Uint8Array | undefined;
  before: Uint8Array | undefined;
  isWarned: boolean;
}

async function openSide(run: Run, name: string, place: number): Promise<Side> {
  try {
    const fd = name === "-" ? 0 : await run.sys.open(name, O_RDONLY | O_CLOEXEC);
    const lines = new LineCursor(run.sys, fd, run.has("zero-terminated") ? 0 : 10);
    await lines.advance();
    return {
      lines,
      number: place === 0 ? 1 : 2,
      previous: undefined,
      before: undefined,
      isWarned: false,
    };
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${quoteFile(name)}: ${errorWords(error)}`, { hasHint: false });
  }
}

class Comparison {
  readonly #run: Run;
  readonly #left: Side;
  readonly #right: Side;
  readonly #delimiter: Uint8Array;
  readonly #end: number;
  readonly #totals: [number, number, number] = [0, 0, 0];
  #isUnpaired = false;

  constructor(run: Run, left: Side, right: Side) {
    this.#run = run;
    this.#left = left;
    this.#right = right;
    const delimiter = run.options.get("output-delimiter") ?? "\t";
    this.#delimiter = encodeText(delimiter === "" ? "\0" : delimiter);
    this.#end = run.has("zero-terminated") ? 0 : 10;
  }

  async compare(): Promise<void> {
    const { out } = this.#run;
    while (!this.#left.lines.isAtEnd || !this.#right.lines.isAtEnd) {
      const order = this.#order();
      if (order !== 0) this.#isUnpaired = true;
      this.#write(order === 0 ? 2 : order < 0 ? 0 : 1);
      if (order <= 0) await this.#advance(this.#left);
      if (order >= 0) await this.#advance(this.#right);
      if (out.isFull) await out.flush();
    }
    if (this.#run.has("total")) this.#writeTotals();
    if (this.#left.isWarned || this.#right.isWarned)
      await this.#run.fail("input is not in sorted order");
  }

  #order(): number {
    if (this.#left.lines.isAtEnd) return 1;
    if (this.#right.lines.isAtEnd) return -1;
    return compareBytes(this.#left.lines.line, this.#right.lines.line);
  }

  #write(column: 0 | 1 | 2): void {
    this.#totals[column] += 1;
    if (this.#run.has(String(column + 1))) return;
    const { out } = this.#run;
    if (column >= 1 && !this.#run.has("1")) out.add(this.#delimiter);
    if (column === 2 && !this.#run.has("2")) out.add(this.#delimiter);
    out.add(column === 0 ? this.#left.lines.line : this.#right.lines.line);
    out.addByte(this.#end);
  }

  #writeTotals(): void {
    const { out } = this.#run;
    for (const total of this.#totals) {
      out.addText(String(total));
      out.add(this.#delimiter);
    }
    out.addText("total");
    out.addByte(this.#end);
  }

  async #advance(side: Side): Promise<void> {
    if (this.#run.options.last("check-order", "nocheck-order") === "nocheck-order") {
      if (!side.lines.tryAdvance()) await side.lines.advance();
      return;
    }
    side.before = side.previous;
    side.previous = side.lines.line.slice();
    if (side.lines.tryAdvance() || (await side.lines.advance()))
      await this.#check(side, side.previous, side.lines.line);
    else if (side.before !== undefined) await this.#check(side, side.before, side.previous);
  }

  async #check(side: Side, earlier: Uint8Array, later: Uint8Array): Promise<void> {
    const isStrict = this.#run.has("check-order");
    if (side.isWarned || (!isStrict && !this.#isUnpaired)) return;
    if (compareBytes(earlier, later) <= 0) return;
    const message = `file ${side.number} is not in sorted order`;
    if (isStrict) throw new UsageError(message, { hasHint: false });
    side.isWarned = true;
    await this.#run.fail(message);
  }
}
