import { grownSize } from "./memory-limit.ts";
import { asNumber, rangedNumber } from "./number-argument.ts";
import { defineProgram, type Run } from "./program.ts";

const CHUNK_BYTES = 65_536;

export const main = defineProgram(
  {
    name: "fold",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Wrap input lines in each FILE, writing to standard output.",
    options: [
      { short: "b", long: "bytes", help: "count bytes rather than columns" },
      { short: "s", long: "spaces", help: "break at spaces" },
      { short: "w", long: "width", value: "WIDTH", help: "use WIDTH columns instead of 80" },
      ...Array.from("0123456789", (digit) => ({
        short: digit,
        value: "NUM",
        isOptional: true,
        help: "same as -w",
      })),
    ],
  },
  async (run) => {
    const folding = new Folding(run, readWidth(run));
    await run.forEachInput(run.operands, (fd) => folding.copy(fd));
  },
);

function readWidth({ options }: Run): number {
  const digit = options.order.findLast((name) => /^\d$/.test(name) || name === "width");
  if (digit === undefined) return 80;
  const text = digit === "width" ? options.get("width") : `${digit}${options.get(digit) ?? ""}`;
  return asNumber(rangedNumber("invalid number of columns", text ?? "", { least: 1n }));
}

/** Lines no wider than a limit; what is not yet known to fit waits. */
class Folding {
  readonly #run: Run;
  readonly #width: number;
  readonly #countsBytes: boolean;
  readonly #breaksAtSpaces: boolean;
  #line = new Uint8Array(256);
  #length = 0;
  #column = 0;

  constructor(run: Run, width: number) {
    this.#run = run;
    this.#width = width;
    this.#countsBytes = run.has("bytes");
    this.#breaksAtSpaces = run.has("spaces");
  }

  async copy(fd: number): Promise<void> {
    const buffer = new Uint8Array(CHUNK_BYTES);
    this.#column = 0;
    this.#length = 0;
    for (;;) {
      const count = await this.#run.sys.read(fd, buffer);
      if (count === 0) break;
      for (let at = 0; at < count; at++) this.#add(buffer[at] ?? 0);
      if (this.#run.out.isFull) await this.#run.out.flush();
    }
    this.#write(this.#length);
  }

  #add(byte: number): void {
    if (byte === 10) {
      this.#keep(byte);
      this.#write(this.#length);
      this.#column = 0;
      return;
    }
    for (;;) {
      const column = this.#after(this.#column, byte);
      if (column <= this.#width || this.#length === 0) {
        this.#column = column;
        this.#keep(byte);
        return;
      }
      this.#break();
    }
  }

  /** Ends the line: behind its last space, if that is asked for and there is one. */
  #break(): void {
    if (this.#breaksAtSpaces) {
      let end = this.#length;
      while (end > 0 && this.#line[end - 1] !== 32 && this.#line[end - 1] !== 9) end -= 1;
      if (end > 0) {
        const rest = this.#line.slice(end, this.#length);
        this.#write(end);
        this.#run.out.addByte(10);
        this.#column = 0;
        for (const byte of rest) {
          this.#column = this.#after(this.#column, byte);
          this.#keep(byte);
        }
        return;
      }
    }
    this.#write(this.#length);
    this.#run.out.addByte(10);
    this.#column = 0;
  }

  #after(column: number, byte: number): number {
    if (this.#countsBytes) return column + 1;
    if (byte === 8) return Math.max(0, column - 1);
    if (byte === 13) return 0;
    return byte === 9 ? column + 8 - (column % 8) : column + 1;
  }

  #keep(byte: number): void {
    if (this.#length === this.#line.length) {
      const larger = new Uint8Array(grownSize(this.#length + 1, this.#length));
      larger.set(this.#line);
      this.#line = larger;
    }
    this.#line[this.#length] = byte;
    this.#length += 1;
  }

  #write(end: number): void {
    this.#run.out.add(this.#line.subarray(0, end));
    this.#length = 0;
  }
}
