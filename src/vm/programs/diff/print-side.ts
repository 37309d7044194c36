/** Two columns, -y. */
import type { Color, DiffOutput } from "./diff-output.ts";
import { type Comparison, type Hunk, listHunks } from "./hunks.ts";
import type { TextLines } from "./text-lines.ts";

/** GNU's GUTTER_WIDTH_MINIMUM. */
const LEAST_GUTTER = 3;

interface Cell {
  readonly lines: TextLines;
  readonly line: number;
}

export async function printSideBySide(output: DiffOutput, comparison: Comparison): Promise<void> {
  await new SidePrinter(output, comparison).print();
}

class SidePrinter {
  readonly #output: DiffOutput;
  readonly #comparison: Comparison;
  /** Of each column, and where the right one starts. */
  readonly #half: number;
  readonly #right: number;
  #next0 = 0;
  #next1 = 0;

  constructor(output: DiffOutput, comparison: Comparison) {
    this.#output = output;
    this.#comparison = comparison;
    const { width, expandsTabs, rules } = output.settings;
    const tab = expandsTabs ? 1 : rules.tabSize;
    const wide = tab + LEAST_GUTTER;
    const unaligned = (width >> 1) + (wide >> 1) + (width & wide & 1);
    const start = unaligned - (unaligned % tab);
    this.#half = Math.max(0, Math.min(start - LEAST_GUTTER, width - start));
    this.#right = this.#half === 0 ? width : start;
  }

  async print(): Promise<void> {
    const { a, b } = this.#comparison;
    for (const hunk of listHunks(this.#comparison, this.#output.settings)) await this.#hunk(hunk);
    await this.#common(a.count, b.count);
  }

  async #hunk({ first0, last0, first1, last1 }: Hunk): Promise<void> {
    const { a, b } = this.#comparison;
    await this.#common(first0, first1);
    let [at0, at1] = [first0, first1];
    for (; at0 <= last0 && at1 <= last1; at0++, at1++)
      await this.#row({ lines: a, line: at0 }, "|", { lines: b, line: at1 });
    for (; at1 <= last1; at1++) await this.#row(undefined, ">", { lines: b, line: at1 });
    for (; at0 <= last0; at0++) await this.#row({ lines: a, line: at0 }, "<", undefined);
    this.#next0 = at0;
    this.#next1 = at1;
  }

  async #common(end0: number, end1: number): Promise<void> {
    const { a, b } = this.#comparison;
    const { hidesCommon, isLeftColumn } = this.#output.settings;
    let [at0, at1] = [this.#next0, this.#next1];
    this.#next0 = end0;
    this.#next1 = end1;
    if (hidesCommon) return;
    if (isLeftColumn) {
      for (; at0 < end0; at0++) await this.#row({ lines: a, line: at0 }, "(", undefined);
      return;
    }
    for (; at0 < end0 && at1 < end1; at0++, at1++)
      await this.#row({ lines: a, line: at0 }, " ", { lines: b, line: at1 });
    for (; at1 < end1; at1++) await this.#row(undefined, ")", { lines: b, line: at1 });
    for (; at0 < end0; at0++) await this.#row({ lines: a, line: at0 }, "(", undefined);
  }

  async #row(left: Cell | undefined, sign: string, right: Cell | undefined): Promise<void> {
    const { out } = this.#output;
    const color: Color = sign === "<" ? "removed" : sign === ">" ? "added" : "none";
    this.#output.begin(color);
    const leftEnds = left?.lines.hasNewline(left.line) === true;
    const rightEnds = right?.lines.hasNewline(right.line) === true;
    let column = left === undefined ? 0 : this.#halfLine(left, 0);
    if (sign !== " ") {
      column = this.#moveTo(column, (this.#half + this.#right - 1) >> 1) + 1;
      const isOneCut = sign === "|" && leftEnds !== rightEnds;
      out.addText(isOneCut ? (leftEnds ? "/" : "\\") : sign);
    }
    if (right !== undefined && right.lines.text(right.line).length > 0) {
      column = this.#moveTo(column, this.#right);
      this.#halfLine(right, column);
    }
    if (leftEnds || rightEnds) out.addByte(10);
    this.#output.end(color);
    if (out.isFull) await out.flush();
  }

  #moveTo(from: number, to: number): number {
    const { settings, out } = this.#output;
    const { tabSize } = settings.rules;
    let column = from;
    if (!settings.expandsTabs)
      for (let stop = column + tabSize - (column % tabSize); stop <= to; stop += tabSize) {
        out.addByte(9);
        column = stop;
      }
    for (; column < to; column++) out.addByte(32);
    return to;
  }

  /** As much of a line as the column takes; answers the column it ends in. */
  #halfLine({ lines, line }: Cell, indent: number): number {
    const { out, settings } = this.#output;
    const { tabSize } = settings.rules;
    const bound = this.#half;
    let read = 0;
    let written = 0;
    for (const byte of lines.text(line)) {
      if (byte === 9) {
        const spaces = tabSize - (read % tabSize);
        if (read === written) written = this.#tab(written, written + spaces);
        read += spaces;
      } else if (byte === 13) {
        out.addByte(byte);
        this.#moveTo(0, indent);
        read = 0;
        written = 0;
      } else if (byte < 32 || byte === 127) {
        if (byte !== 8 && read < bound) out.addByte(byte);
      } else {
        if (read < bound) {
          written = read + 1;
          out.addByte(byte);
        }
        read += 1;
      }
    }
    return written;
  }

  #tab(from: number, stop: number): number {
    const { out, settings } = this.#output;
    if (!settings.expandsTabs) {
      if (stop >= this.#half) return from;
      out.addByte(9);
      return stop;
    }
    let column = from;
    for (; column < Math.min(stop, this.#half); column++) out.addByte(32);
    return column;
  }
}
