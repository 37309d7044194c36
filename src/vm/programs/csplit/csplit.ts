import {
  decodeText,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
} from "../../../kernel/index.ts";
import { formatPrintf } from "../format-printf.ts";
import { readNumber } from "../number-argument.ts";
import { UsageError } from "../options.ts";
import { writeAll } from "../output.ts";
import { defineProgram, errorWords, quoteName, type Run } from "../program.ts";
import { quoteFile, quoteText } from "../quote-text.ts";
import { readAllBytes } from "../read-all.ts";
import { type Control, readControls, refused } from "./patterns.ts";

export const main = defineProgram(
  {
    name: "csplit",
    usage: ["[OPTION]... FILE PATTERN..."],
    summary:
      "Output pieces of FILE separated by PATTERN(s) to files 'xx00', 'xx01', ...,\nand write the size of each piece.",
    options: [
      {
        short: "b",
        long: "suffix-format",
        value: "FORMAT",
        help: "printf's FORMAT instead of %02d",
      },
      { short: "f", long: "prefix", value: "PREFIX", help: "PREFIX instead of 'xx'" },
      { short: "k", long: "keep-files", help: "do not remove output files on errors" },
      { long: "suppress-matched", help: "leave out the lines that match" },
      { short: "n", long: "digits", value: "DIGITS", help: "so many digits instead of 2" },
      { short: "s", long: "quiet", help: "do not write sizes" },
      { short: "q", long: "silent", help: "same as --quiet" },
      { short: "z", long: "elide-empty-files", help: "remove empty output files" },
    ],
  },
  async (run) => {
    const nameOf = readNaming(run);
    const [file, ...words] = run.operands;
    if (file === undefined) throw new UsageError("missing operand");
    if (words.length === 0) throw new UsageError(`missing operand after ${quoteText(file)}`);
    const controls = await readControls(run, words);
    const bytes = await readInput(run, file);
    const splitting = new Splitting(run, bytes, nameOf);
    try {
      await splitting.split(controls);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await run.out.flush();
      await splitting.removeFiles();
      throw error;
    }
  },
);

function readNaming(run: Run): (number: number) => string {
  const digits = run.options.get("digits") ?? "2";
  const { value, problem } = readNumber(digits);
  if (problem !== undefined || value > 1000n) throw refused(`invalid number: ${quoteText(digits)}`);
  const prefix = run.options.get("prefix") ?? "xx";
  const format = run.options.get("suffix-format");
  if (format === undefined)
    return (number) => `${prefix}${String(number).padStart(Number(value), "0")}`;
  const specs = format.replaceAll("%%", "").match(/%[-+ #0']*\d*(?:\.\d*)?(.?)/g) ?? [];
  const [spec] = specs;
  if (spec === undefined) throw refused("missing % conversion specification in suffix");
  if (!/[diouxX]$/.test(spec)) {
    throw refused(
      /[a-zA-Z]$/.test(spec)
        ? `invalid conversion specifier in suffix: ${spec.slice(-1)}`
        : "missing conversion specifier in suffix",
    );
  }
  if (specs.length > 1) throw refused("too many % conversion specifications in suffix");
  return (number) =>
    `${prefix}${formatPrintf(format, [String(number)], { quote: (text) => text }).text}`;
}

async function readInput(run: Run, file: string): Promise<Uint8Array> {
  try {
    const fd = file === "-" ? 0 : await run.sys.open(file, O_RDONLY | O_CLOEXEC);
    return await readAllBytes(run.sys, fd);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    // The first piece is there by then: its size is written.
    if (error.errno === "EISDIR" && !run.has("quiet") && !run.has("silent")) run.out.addText("0\n");
    const what =
      error.errno === "EISDIR" ? "read error" : `cannot open ${quoteName(file)} for reading`;
    throw refused(`${what}: ${errorWords(error)}`);
  }
}

class Splitting {
  readonly #run: Run;
  readonly #bytes: Uint8Array;
  readonly #nameOf: (number: number) => string;
  /** Where each line starts, and the end. */
  readonly #starts: number[] = [0];
  readonly #made: string[] = [];
  #number = 0;
  /** The next line to write, and the last one looked at; from 0. */
  #next = 0;
  #seen = -1;

  constructor(run: Run, bytes: Uint8Array, nameOf: (number: number) => string) {
    this.#run = run;
    this.#bytes = bytes;
    this.#nameOf = nameOf;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1))
      this.#starts.push(at + 1);
    if (this.#starts.at(-1) !== bytes.length) this.#starts.push(bytes.length);
  }

  get #count(): number {
    return this.#starts.length - 1;
  }

  async split(controls: readonly Control[]): Promise<void> {
    for (const control of controls) {
      for (let round = 0; round <= control.repeats; round++) {
        if (round % 64 === 63) await this.#run.sys.schedYield();
        const isOn =
          control.line === undefined
            ? await this.#atPattern(control, round)
            : await this.#atLine(control, control.line * (round + 1), round);
        if (!isOn) return;
      }
    }
    await this.#write(this.#count);
  }

  async removeFiles(): Promise<void> {
    if (this.#run.has("keep-files")) return;
    for (const name of this.#made) await this.#run.sys.unlink(name);
  }

  async #atLine(control: Control, line: number, round: number): Promise<boolean> {
    if (this.#count === 0) throw refused("input disappeared");
    const end = line - 1;
    if (end > this.#count) {
      await this.#write(this.#count);
      throw this.#outOfRange(control, round);
    }
    await this.#write(Math.max(end, this.#next));
    this.#seen = this.#next - 1;
    if (this.#run.has("suppress-matched")) this.#next += 1;
    else if (this.#next >= this.#count) throw this.#outOfRange(control, round);
    return true;
  }

  #outOfRange({ text }: Control, round: number): UsageError {
    return refused(`${quoteText(text)}: line number out of range${repetition(round)}`);
  }

  /** False where an endless repetition has come to its end. */
  async #atPattern(control: Control, round: number): Promise<boolean> {
    let at = this.#seen + 1;
    while (at < this.#count && control.pattern?.test(this.#line(at)) !== true) at += 1;
    if (at >= this.#count) {
      if (!control.isSkipping) await this.#write(this.#count);
      if (control.repeats === Number.POSITIVE_INFINITY) return false;
      throw refused(`${quoteText(control.text)}: match not found${repetition(round)}`);
    }
    const end = at + control.offset;
    if (end < this.#next || end > this.#count) {
      if (!control.isSkipping) await this.#write(end > this.#count ? this.#count : this.#next);
      throw this.#outOfRange(control, round);
    }
    if (control.isSkipping) this.#next = end;
    else await this.#write(end);
    if (this.#run.has("suppress-matched")) this.#next += 1;
    this.#seen = control.offset > 0 ? end : at;
    return true;
  }

  #line(at: number): string {
    const text = decodeText(this.#bytes.subarray(this.#starts[at], this.#starts[at + 1]));
    return text.endsWith("\n") ? text.slice(0, -1) : text;
  }

  /** A piece of all lines up to one. */
  async #write(end: number): Promise<void> {
    const bytes = this.#bytes.subarray(
      this.#starts[Math.min(this.#next, this.#count)],
      this.#starts[end],
    );
    this.#next = Math.max(this.#next, end);
    const { sys, out } = this.#run;
    if (bytes.length === 0 && this.#run.has("elide-empty-files")) return;
    const name = this.#nameOf(this.#number);
    this.#number += 1;
    try {
      const fd = await sys.open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666);
      this.#made.push(name);
      await writeAll(sys, fd, bytes);
      await sys.close(fd);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw refused(`${quoteFile(name)}: ${errorWords(error)}`);
    }
    if (!this.#run.has("quiet") && !this.#run.has("silent")) out.addText(`${bytes.length}\n`);
  }
}

function repetition(round: number): string {
  return round === 0 ? "" : ` on repetition ${round}`;
}
