import { isKernelError, O_CLOEXEC, O_RDONLY, SEEK_CUR, type Sys } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";

const CHUNK_BYTES = 65_536;
/** st_blksize of pipes and files. */
const BLOCK_BYTES = 4096;
const DIFFERENT = 1;
const TROUBLE = 2;

export const main = defineProgram(
  {
    name: "cmp",
    usage: ["[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]"],
    summary:
      "Compare two files byte by byte. Status is 0 where they are the same, 1 where they differ, 2 on trouble.",
    options: [
      { short: "b", long: "print-bytes", help: "print differing bytes" },
      {
        short: "i",
        long: "ignore-initial",
        value: "SKIP[:SKIP2]",
        help: "skip the first SKIP bytes of both, or SKIP2 of the second",
      },
      { short: "l", long: "verbose", help: "print all differing bytes and their places" },
      { short: "n", long: "bytes", value: "LIMIT", help: "compare at most LIMIT bytes" },
      { short: "s", long: "quiet", help: "print nothing" },
      { long: "silent", help: "the same" },
    ],
    refusal: TROUBLE,
    hint: (name) => `${name}: Try '${name} --help' for more information.\n`,
  },
  async (run) => {
    const [first, second = "-", ...more] = run.operands;
    if (first === undefined) throw new UsageError(`missing operand after '${run.name}'`);
    if (run.has("verbose") && isQuiet(run))
      throw new UsageError("options -l and -s are incompatible");
    if (more[2] !== undefined) throw new UsageError(`extra operand '${more[2]}'`);
    const skips = readSkips(run, more);
    const limit = readLimit(run);
    return compare(run, [first, second], skips, limit);
  },
);

function isQuiet(run: Run): boolean {
  return run.has("quiet") || run.has("silent");
}

const units = new Map<string, number>([["", 1]]);
for (const [at, letter] of "KMGTPE".split("").entries()) {
  units.set(letter, 1024 ** (at + 1));
  units.set(`${letter}iB`, 1024 ** (at + 1));
  units.set(`${letter}B`, 1000 ** (at + 1));
}
units.set("k", 1024);
units.set("kB", 1000);

function readSize(text: string, option: string): number {
  const match = /^(\d+)([A-Za-z]*)$/.exec(text);
  const unit = units.get(match?.[2] ?? "");
  if (match === null || unit === undefined)
    throw new UsageError(`invalid --${option} value '${text}'`);
  return Number(match[1]) * unit;
}

function readSkips(run: Run, operands: readonly string[]): readonly [number, number] {
  const option = run.options.get("ignore-initial");
  const [first = "0", second = option === undefined ? "0" : first] = option?.split(":") ?? [];
  const given = operands.map((text) => readSize(text, "ignore-initial"));
  const fromOption = [first, second].map((text) => readSize(text, "ignore-initial"));
  return [Math.max(given[0] ?? 0, fromOption[0] ?? 0), Math.max(given[1] ?? 0, fromOption[1] ?? 0)];
}

function readLimit(run: Run): number {
  const text = run.options.get("bytes");
  return text === undefined ? Number.POSITIVE_INFINITY : readSize(text, "bytes");
}

type Names = readonly [string, string];

async function compare(
  run: Run,
  names: Names,
  skips: readonly [number, number],
  limit: number,
): Promise<number> {
  const fds: number[] = [];
  try {
    for (const name of names) {
      const fd = await openInput(run, name);
      if (fd === undefined) return TROUBLE;
      fds.push(fd);
    }
    for (const [at, fd] of fds.entries()) {
      const { kind } = await run.sys.fstat(fd);
      if (kind !== "directory") continue;
      await run.fail(`${names[at]}: Is a directory`, TROUBLE);
      return TROUBLE;
    }
    if (names[0] === names[1] && skips[0] === skips[1]) return 0;
    const sources = [
      new Source(run.sys, fds[0] ?? 0, names[0]),
      new Source(run.sys, fds[1] ?? 0, names[1]),
    ] as const;
    for (const [at, source] of sources.entries()) await source.skip(skips[at] ?? 0);
    return await compareSources(run, sources, limit);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.failOn(error, error.subject ?? names[0], TROUBLE);
    return TROUBLE;
  } finally {
    for (const fd of fds) if (fd !== 0) await run.sys.close(fd);
  }
}

/** Undefined where it cannot be opened, which is said. */
async function openInput(run: Run, name: string): Promise<number | undefined> {
  if (name === "-") return 0;
  try {
    return await run.sys.open(name, O_RDONLY | O_CLOEXEC);
  } catch (error) {
    if (!isQuiet(run) || !isKernelError(error, "ENOENT")) await run.failOn(error, name, TROUBLE);
    return undefined;
  }
}

/** One file, read in chunks that are taken piece by piece. */
class Source {
  readonly name: string;
  readonly #sys: Sys;
  readonly #fd: number;
  readonly #buffer = new Uint8Array(CHUNK_BYTES);
  #start = 0;
  #end = 0;

  constructor(sys: Sys, fd: number, name: string) {
    this.#sys = sys;
    this.#fd = fd;
    this.name = name;
  }

  async skip(count: number): Promise<void> {
    if (count === 0) return;
    try {
      await this.#sys.seek(this.#fd, count, SEEK_CUR);
      return;
    } catch (error) {
      if (!isKernelError(error, "ESPIPE")) throw error;
    }
    let left = count;
    while (left > 0) {
      const piece = await this.peek();
      if (piece.length === 0) return;
      this.take(Math.min(left, piece.length));
      left -= Math.min(left, piece.length);
    }
  }

  /** What comes next; empty at the end. */
  async peek(): Promise<Uint8Array> {
    if (this.#start === this.#end) await this.#fill();
    return this.#buffer.subarray(this.#start, this.#end);
  }

  take(count: number): void {
    this.#start += count;
  }

  /** A block at the least, as GNU's cmp waits for one. */
  async #fill(): Promise<void> {
    this.#start = 0;
    this.#end = 0;
    while (this.#end < BLOCK_BYTES) {
      const count = await this.#sys.read(this.#fd, this.#buffer.subarray(this.#end));
      if (count === 0) return;
      this.#end += count;
    }
  }
}

interface Place {
  byte: number;
  line: number;
  lastByte: number;
}

async function compareSources(
  run: Run,
  sources: readonly [Source, Source],
  limit: number,
): Promise<number> {
  const place: Place = { byte: 0, line: 1, lastByte: 10 };
  const width = run.has("verbose") ? await offsetWidth(run, sources, limit) : 0;
  let status = 0;
  while (place.byte < limit) {
    const a = await sources[0].peek();
    const b = await sources[1].peek();
    if (a.length === 0 && b.length === 0) return status;
    if (a.length === 0 || b.length === 0)
      return sayEnd(run, (a.length === 0 ? sources[0] : sources[1]).name, place);
    const length = Math.min(a.length, b.length, limit - place.byte);
    for (let at = 0; at < length; at++) {
      if (a[at] === b[at]) continue;
      status = DIFFERENT;
      if (isQuiet(run)) return status;
      if (!run.has("verbose")) {
        advance(place, a.subarray(0, at));
        sayFirst(run, sources, place, [a[at] ?? 0, b[at] ?? 0]);
        return status;
      }
      sayByte(run, width, place.byte + at + 1, [a[at] ?? 0, b[at] ?? 0]);
      if (run.out.isFull) await run.out.flush();
    }
    advance(place, a.subarray(0, length));
    for (const source of sources) source.take(length);
  }
  return status;
}

function advance(place: Place, bytes: Uint8Array): void {
  for (const byte of bytes) if (byte === 10) place.line += 1;
  place.byte += bytes.length;
  place.lastByte = bytes.at(-1) ?? place.lastByte;
}

async function sayEnd(run: Run, name: string, { byte, line, lastByte }: Place): Promise<number> {
  if (isQuiet(run)) return DIFFERENT;
  await run.out.flush();
  const isVerbose = run.has("verbose");
  const where =
    byte === 0
      ? " which is empty"
      : isVerbose
        ? ` after byte ${byte}`
        : lastByte === 10
          ? ` after byte ${byte}, line ${line - 1}`
          : ` after byte ${byte}, in line ${line}`;
  await run.warn(`EOF on ${name}${where}`);
  return DIFFERENT;
}

type Pair = readonly [number, number];

function sayFirst(
  run: Run,
  [first, second]: readonly [Source, Source],
  { byte, line }: Place,
  [a, b]: Pair,
): void {
  const shown = run.has("print-bytes")
    ? ` is ${octal(a)} ${showByte(a)} ${octal(b)} ${showByte(b)}`
    : "";
  const unit = run.has("print-bytes") ? "byte" : "char";
  run.out.addText(
    `${first.name} ${second.name} differ: ${unit} ${byte + 1}, line ${line}${shown}\n`,
  );
}

function sayByte(run: Run, width: number, place: number, [a, b]: Pair): void {
  const number = String(place).padStart(width);
  run.out.addText(
    run.has("print-bytes")
      ? `${number} ${octal(a)} ${showByte(a).padEnd(4)} ${octal(b)} ${showByte(b)}\n`
      : `${number} ${octal(a)} ${octal(b)}\n`,
  );
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3);
}

/** As `cat -v` shows it. */
function showByte(byte: number): string {
  const meta = byte >= 128 ? "M-" : "";
  const low = byte & 127;
  if (low === 127) return `${meta}^?`;
  return low < 32
    ? `${meta}^${String.fromCharCode(low + 64)}`
    : `${meta}${String.fromCharCode(low)}`;
}

/** Places are as wide as the shorter file needs; wide where that is not known. */
async function offsetWidth(
  run: Run,
  [first, second]: readonly [Source, Source],
  limit: number,
): Promise<number> {
  let most = limit;
  for (const { name } of [first, second]) {
    const stat = await (name === "-" ? run.sys.fstat(0) : run.sys.stat(name));
    if (stat.kind === "file") most = Math.min(most, stat.size);
  }
  return Number.isFinite(most) ? String(most).length : 20;
}
