import { MEMORY_LIMIT, MemoryLimitError } from "./memory-limit.ts";
import { defineProgram, type Run } from "./program.ts";
import { digitOptions, type NextStop, readTabStops } from "./tab-stops.ts";

const CHUNK_BYTES = 16_384;
/** Spaces for one tab, at most. */
const WIDE = MEMORY_LIMIT / 4;

export const main = defineProgram(
  {
    name: "expand",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Convert tabs in each FILE to spaces, writing to standard output.",
    options: [
      { short: "i", long: "initial", help: "do not convert tabs after non blanks" },
      {
        short: "t",
        long: "tabs",
        value: "LIST",
        help: "tabs N characters apart, or at the columns of\na list; /N adds multiples, +N steps behind the last",
      },
      ...digitOptions,
    ],
  },
  async (run) => {
    const expansion = new Expansion(run, readTabStops(run));
    await run.forEachInput(run.operands, (fd) => expansion.copy(fd));
  },
);

class Expansion {
  readonly #run: Run;
  readonly #nextStop: NextStop;
  readonly #isInitial: boolean;
  #column = 0;
  #isConverting = true;

  constructor(run: Run, nextStop: NextStop) {
    this.#run = run;
    this.#nextStop = nextStop;
    this.#isInitial = run.has("initial");
  }

  async copy(fd: number): Promise<void> {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const { sys, out } = this.#run;
    for (;;) {
      const count = await sys.read(fd, buffer);
      if (count === 0) return;
      for (let at = 0; at < count; at++) {
        this.#add(buffer[at] ?? 0);
        if (out.isFull) await out.flush();
      }
    }
  }

  #add(byte: number): void {
    const { out } = this.#run;
    if (byte === 10) {
      this.#column = 0;
      this.#isConverting = true;
      out.addByte(byte);
      return;
    }
    if (!this.#isConverting) {
      out.addByte(byte);
      return;
    }
    if (byte === 9) this.#tab();
    else {
      this.#column = byte === 8 ? Math.max(0, this.#column - 1) : this.#column + 1;
      out.addByte(byte);
    }
    if (this.#isInitial && byte !== 9 && byte !== 32) this.#isConverting = false;
  }

  #tab(): void {
    const next = this.#nextStop(this.#column) ?? this.#column + 1;
    if (next - this.#column > WIDE) throw new MemoryLimitError();
    for (; this.#column < next; this.#column++) this.#run.out.addByte(32);
  }
}
