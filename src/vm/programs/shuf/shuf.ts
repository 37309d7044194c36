import { encodeText, isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { LineCursor } from "../line-cursor.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import { asNumber, readNumber } from "../number-argument.ts";
import { openOutput } from "../open-output.ts";
import { refuseExtraOperand, UsageError } from "../options.ts";
import { Output } from "../output.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { quoteFile, quoteText } from "../quote-text.ts";
import { RandomNumbers } from "./random-numbers.ts";

/** Files up to here are read whole, even if few lines are wanted. */
const SMALL_BYTES = 8 * 1024 * 1024;
/** What holding a line costs beside its bytes. */
const LINE_BYTES = 128;
const CHOICE_LIMIT = 2 ** 44;

export const main = defineProgram(
  {
    name: "shuf",
    usage: ["[OPTION]... [FILE]", "-e [OPTION]... [ARG]...", "-i LO-HI [OPTION]..."],
    summary: "Write a random permutation of the input lines to standard output.",
    options: [
      { short: "e", long: "echo", help: "each ARG is an input line" },
      {
        short: "i",
        long: "input-range",
        value: "LO-HI",
        help: "each number LO to HI is an input line",
      },
      { short: "n", long: "head-count", value: "COUNT", help: "at most COUNT lines" },
      { short: "o", long: "output", value: "FILE", help: "write to FILE" },
      { long: "random-source", value: "FILE", help: "take random bytes from FILE" },
      { short: "r", long: "repeat", help: "lines may come more than once" },
      { short: "z", long: "zero-terminated", help: "lines end with NUL, not newline" },
    ],
  },
  async (run) => {
    const { options } = run;
    const range = readRange(run);
    const count = readCount(run);
    if (run.has("echo") && range !== undefined)
      throw new UsageError("cannot combine -e and -i options");
    if (!run.has("echo")) refuseExtraOperand(run.operands, range === undefined ? 1 : 0);
    const random = new RandomNumbers(run.sys, options.get("random-source"));
    const end = run.has("zero-terminated") ? 0 : 10;
    await random.open();
    const lines = range ?? (await readLines(run, random, { count, end }));
    if (options.all("output").length > 1)
      throw new UsageError("multiple output files specified", { hasHint: false });
    const output = options.get("output");
    const out =
      output === undefined
        ? run.out
        : new Output(run.sys, await openOutput(run, output, quoteFile(output)));
    await new Shuffling(out, random, end).write(lines, count, run.has("repeat"));
    await out.flush();
  },
);

interface Lines {
  readonly length: number;
  at(place: number): Uint8Array;
}

function readRange(run: Run): Lines | undefined {
  const texts = run.options.all("input-range");
  if (texts.length > 1) throw new UsageError("multiple -i options specified", { hasHint: false });
  const [text] = texts;
  if (text === undefined) return undefined;
  const dash = text.indexOf("-");
  const refuse = (shown: string): UsageError =>
    new UsageError(`invalid input range: ${quoteText(shown)}`, { hasHint: false });
  if (dash === -1) throw refuse(text);
  const [low, high] = [text.slice(0, dash), text.slice(dash + 1)].map((part) => {
    const { value, problem } = readNumber(part);
    if (problem !== undefined) throw refuse(part);
    return asNumber(value);
  });
  const from = low ?? 0;
  const length = (high ?? 0) - from + 1;
  if (length < 0 || length > CHOICE_LIMIT) throw refuse(text);
  return { length, at: (place) => encodeText(String(from + place)) };
}

function readCount(run: Run): number {
  let least = Number.POSITIVE_INFINITY;
  for (const text of run.options.all("head-count")) {
    const { value, problem } = readNumber(text);
    if (problem === "invalid" || problem === "suffix")
      throw new UsageError(`invalid line count: ${quoteText(text)}`, { hasHint: false });
    least = Math.min(least, asNumber(value));
  }
  return least;
}

async function readLines(
  run: Run,
  random: RandomNumbers,
  wish: { readonly count: number; readonly end: number },
): Promise<Lines> {
  if (run.has("echo")) return listed(run.operands.map((word) => encodeText(word)));
  const [name = "-"] = run.operands;
  try {
    const fd = name === "-" ? 0 : await run.sys.open(name, O_RDONLY | O_CLOEXEC);
    const { kind, size } = await run.sys.fstat(fd);
    const isSampled =
      Number.isFinite(wish.count) && !run.has("repeat") && (kind !== "file" || size > SMALL_BYTES);
    const reader = new Reader(new LineCursor(run.sys, fd, wish.end));
    if (!isSampled) return listed(await reader.all(Number.POSITIVE_INFINITY));
    return listed(await reader.sample(wish.count, random));
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const what = error.errno === "EISDIR" ? "read error" : quoteFile(name);
    throw new UsageError(`${what}: ${errorWords(error)}`, { hasHint: false });
  }
}

function listed(lines: readonly Uint8Array[]): Lines {
  return { length: lines.length, at: (place) => lines[place] ?? new Uint8Array() };
}

class Reader {
  readonly #lines: LineCursor;
  #held = 0;

  constructor(lines: LineCursor) {
    this.#lines = lines;
  }

  /** The first lines, up to `count`. */
  async all(count: number): Promise<Uint8Array[]> {
    const lines: Uint8Array[] = [];
    while (lines.length < count && (this.#lines.tryAdvance() || (await this.#lines.advance())))
      lines.push(this.#keep());
    return lines;
  }

  /** Any `count` lines: each later one takes the place of one before, or none. */
  async sample(count: number, random: RandomNumbers): Promise<Uint8Array[]> {
    const lines = await this.all(count);
    if (lines.length < count) return lines;
    for (let number = count + 1; ; number++) {
      const place = await random.choose(number);
      if (!this.#lines.tryAdvance() && !(await this.#lines.advance())) return lines;
      if (place >= count) continue;
      this.#held -= (lines[place]?.length ?? 0) + LINE_BYTES;
      lines[place] = this.#keep();
    }
  }

  #keep(): Uint8Array {
    this.#held += this.#lines.line.length + LINE_BYTES;
    if (this.#held > MEMORY_LIMIT) throw new MemoryLimitError();
    return this.#lines.line.slice();
  }
}

class Shuffling {
  readonly #out: Output;
  readonly #random: RandomNumbers;
  readonly #end: number;

  constructor(out: Output, random: RandomNumbers, end: number) {
    this.#out = out;
    this.#random = random;
    this.#end = end;
  }

  async write(lines: Lines, count: number, isRepeating: boolean): Promise<void> {
    if (isRepeating) {
      if (count > 0 && lines.length === 0)
        throw new UsageError("no lines to repeat", { hasHint: false });
      for (let done = 0; done < count; done++)
        await this.#add(lines.at(await this.#random.choose(lines.length)));
      return;
    }
    const wanted = Math.min(count, lines.length);
    if (wanted * 16 > MEMORY_LIMIT) throw new MemoryLimitError();
    if (wanted === 1) {
      await this.#add(lines.at(await this.#random.choose(lines.length)));
      return;
    }
    for (const place of await this.#choosePlaces(lines.length, wanted))
      await this.#add(lines.at(place));
  }

  async #choosePlaces(length: number, wanted: number): Promise<number[]> {
    /** Where a place was exchanged for another one. */
    const moved = new Map<number, number>();
    const places: number[] = [];
    for (let at = 0; at < wanted; at++) {
      const other = at + (await this.#random.choose(length - at));
      places.push(moved.get(other) ?? other);
      if (other !== at) moved.set(other, moved.get(at) ?? at);
      moved.delete(at);
    }
    return places;
  }

  async #add(line: Uint8Array): Promise<void> {
    this.#out.add(line);
    this.#out.addByte(this.#end);
    if (this.#out.isFull) await this.#out.flush();
  }
}
