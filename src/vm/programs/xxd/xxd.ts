import {
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  type Program,
  SEEK_CUR,
  SEEK_END,
  SEEK_SET,
} from "../../../kernel/index.ts";
import { helpText, type ProgramTable, UsageError } from "../options.ts";
import { Output, writeAll } from "../output.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { Reversal } from "./reverse.ts";
import { readSettings, type XxdSettings } from "./settings.ts";
import { makeShower } from "./show.ts";

const CHUNK_BYTES = 32_768;

const table: ProgramTable = {
  name: "xxd",
  usage: ["[options] [infile [outfile]]", "-r [-s [-]offset] [-c cols] [-ps] [infile [outfile]]"],
  summary: "Make a hexdump, or do the reverse.",
  options: [
    { short: "a", help: "a single '*' stands for lines of zeros" },
    { short: "b", help: "binary digits" },
    { short: "C", help: "capital variable names with -i" },
    { short: "c", value: "cols", help: "bytes per line (default 16, -i 12, -ps 30, -b 6)" },
    { short: "d", help: "offsets in decimal" },
    { short: "e", help: "little-endian words" },
    { short: "g", value: "bytes", help: "bytes per group (default 2, -e 4, -b 1)" },
    { short: "i", help: "an array in C" },
    { short: "l", value: "len", help: "stop after len bytes" },
    { short: "n", value: "name", help: "name of the array with -i" },
    { short: "o", value: "off", help: "add off to the offsets shown" },
    { short: "p", help: "plain: only hexadecimal digits" },
    { short: "r", help: "reverse: make bytes of a hexdump" },
    { short: "s", value: "seek", help: "start at seek, from the end if negative" },
    { short: "u", help: "upper case digits" },
  ],
};

const run = defineProgram(table, dump);

/** Reads its own options: `-ps`, `-c8` and `-cols 8` are words of their own. */
export const main: Program = async (sys, argv) => {
  const [name = "xxd", ...words] = argv;
  if (words.includes("--help") || words.includes("--version")) return run(sys, argv);
  if (words.includes("-v")) return run(sys, [name, "--version"]);
  return run(sys, [name, "--", ...words]);
};

async function dump(context: Run): Promise<number> {
  const settings = readSettings(context.operands);
  if (settings === undefined) {
    await writeAll(context.sys, 2, encodeText(helpText(table)));
    return 1;
  }
  if (settings.isReverse && settings.kind !== "hex" && settings.kind !== "plain") {
    throw new UsageError("Sorry, cannot revert this type of hexdump", {
      status: 255,
      hasHint: false,
    });
  }
  const [input = "-", output = "-"] = settings.operands;
  const from = await open(context, input, O_RDONLY | O_CLOEXEC, 2);
  const writes = O_WRONLY | O_CREAT | O_CLOEXEC | (settings.isReverse ? 0 : O_TRUNC);
  const to = output === "-" ? 1 : await open(context, output, writes, 3);
  if (settings.isReverse) await reverse(context, settings, from, to);
  else await show(context, settings, from, to);
  return 0;
}

async function open(context: Run, name: string, flags: number, status: number): Promise<number> {
  if (name === "-") return 0;
  try {
    return await context.sys.open(name, flags, 0o666);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${name}: ${errorWords(error)}`, { status, hasHint: false });
  }
}

async function readInto(context: Run, fd: number, buffer: Uint8Array): Promise<number> {
  try {
    return await context.sys.read(fd, buffer);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(errorWords(error), { status: 2, hasHint: false });
  }
}

async function reverse(
  context: Run,
  settings: XxdSettings,
  from: number,
  to: number,
): Promise<void> {
  const isPlain = settings.kind === "plain";
  const form = { isPlain, columns: settings.columns, base: settings.seek };
  const reversal = new Reversal(context.sys, to, form);
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const count = await readInto(context, from, buffer);
    if (count === 0) break;
    await reversal.add(buffer.subarray(0, count));
  }
  await reversal.end();
}

async function show(context: Run, settings: XxdSettings, from: number, to: number): Promise<void> {
  const out = to === 1 ? context.out : new Output(context.sys, to);
  const start = await skip(context, settings, from);
  const shower = makeShower(out, settings, start);
  const buffer = new Uint8Array(CHUNK_BYTES);
  let left =
    settings.length === undefined || settings.length < 0
      ? Number.POSITIVE_INFINITY
      : settings.length;
  while (left > 0) {
    // A whole block, however little of it is shown: who reads on finds what the original leaves.
    const count = Math.min(left, await readInto(context, from, buffer));
    if (count === 0) break;
    for (let at = 0; at < count; at++) {
      shower.add(buffer[at] ?? 0);
      if (out.isFull) await out.flush();
    }
    left -= count;
  }
  shower.end();
  await out.flush();
}

/** Goes to where the dump starts; answers the offset to show. */
async function skip(context: Run, settings: XxdSettings, fd: number): Promise<number> {
  const { seek, isSeekRelative } = settings;
  if (seek === 0 && !isSeekRelative) return 0;
  try {
    const whence = isSeekRelative ? SEEK_CUR : seek < 0 ? SEEK_END : SEEK_SET;
    return await context.sys.seek(fd, seek, whence);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
  if (seek < 0) throw new UsageError("Sorry, cannot seek.", { status: 4, hasHint: false });
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let left = seek; left > 0; ) {
    const count = await readInto(context, fd, buffer.subarray(0, Math.min(left, CHUNK_BYTES)));
    if (count === 0) throw new UsageError("Sorry, cannot seek.", { status: 4, hasHint: false });
    left -= count;
  }
  return seek;
}
