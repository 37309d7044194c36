import { defineProgram, type Run } from "./program.ts";
import { digitOptions, type NextStop, readTabStops } from "./tab-stops.ts";

const CHUNK_BYTES = 65_536;
const TAB = 9;
const SPACE = 32;

export const main = defineProgram(
  {
    name: "unexpand",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Convert blanks in each FILE to tabs, writing to standard output.",
    options: [
      { short: "a", long: "all", help: "convert all blanks, not only those that start lines" },
      { long: "first-only", help: "convert only blanks that start lines (overrides -a)" },
      {
        short: "t",
        long: "tabs",
        value: "LIST",
        help: "tabs N characters apart, or at the columns of\na list (enables -a)",
      },
      ...digitOptions,
    ],
  },
  async (run) => {
    const nextStop = readTabStops(run);
    const isAll =
      !run.has("first-only") && run.options.order.some((name) => name === "all" || name === "tabs");
    const conversion = new Conversion(run, nextStop, isAll);
    await run.forEachInput(run.operands, (fd) => conversion.copy(fd));
    conversion.finish();
  },
);

/** Blanks wait until it is known whether a tab takes their place. */
class Conversion {
  readonly #run: Run;
  readonly #nextStop: NextStop;
  readonly #isAll: boolean;
  readonly #pending: number[] = [];
  #column = 0;
  #isConverting = true;
  #isAfterBlank = true;
  /** A single blank stands just before a stop. */
  #isBlankBeforeStop = false;

  constructor(run: Run, nextStop: NextStop, isAll: boolean) {
    this.#run = run;
    this.#nextStop = nextStop;
    this.#isAll = isAll;
  }

  async copy(fd: number): Promise<void> {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const { sys, out } = this.#run;
    for (;;) {
      const count = await sys.read(fd, buffer);
      if (count === 0) return;
      for (let at = 0; at < count; at++) this.#add(buffer[at] ?? 0);
      if (out.isFull) await out.flush();
    }
  }

  finish(): void {
    this.#release();
  }

  #add(byte: number): void {
    const written = this.#isConverting ? this.#convert(byte) : byte;
    if (written !== undefined) this.#run.out.addByte(written);
    if (byte !== 10) return;
    this.#isConverting = true;
    this.#column = 0;
    this.#isAfterBlank = true;
  }

  /** The byte to write now, if any. */
  #convert(byte: number): number | undefined {
    let written = byte;
    const isBlank = byte === TAB || byte === SPACE;
    if (isBlank) {
      const stop = this.#nextStop(this.#column);
      if (stop === undefined) this.#isConverting = false;
      else if (byte === TAB) {
        this.#column = stop;
        this.#becomeTab();
      } else if (this.#waits(byte, stop)) return undefined;
      else {
        written = TAB;
        this.#becomeTab();
      }
    } else this.#column = byte === 8 ? Math.max(0, this.#column - 1) : this.#column + 1;
    this.#release();
    this.#isAfterBlank = isBlank;
    this.#isConverting &&= this.#isAll || isBlank;
    return written;
  }

  /** Whether a space stays pending: the stop is not reached, or it is the first blank. */
  #waits(byte: number, stop: number): boolean {
    this.#column += 1;
    if (this.#isAfterBlank && this.#column === stop) return false;
    if (this.#column === stop) this.#isBlankBeforeStop = true;
    this.#pending.push(byte);
    this.#isAfterBlank = true;
    return true;
  }

  /** What is pending goes into the tab that comes, but for a blank just before a stop. */
  #becomeTab(): void {
    if (this.#pending.length > 0) this.#pending[0] = TAB;
    this.#pending.length = this.#isBlankBeforeStop ? 1 : 0;
  }

  #release(): void {
    if (this.#pending.length === 0) return;
    if (this.#pending.length > 1 && this.#isBlankBeforeStop) this.#pending[0] = TAB;
    for (const byte of this.#pending) this.#run.out.addByte(byte);
    this.#pending.length = 0;
    this.#isBlankBeforeStop = false;
  }
}
