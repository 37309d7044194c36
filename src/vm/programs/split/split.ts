import { isKernelError, O_CLOEXEC, O_RDONLY, SEEK_CUR, type Sys } from "../../../kernel/index.ts";
import { type OptionRow, UsageError } from "../options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "../program.ts";
import { quoteFile } from "../quote-text.ts";
import { Pieces } from "./outputs.ts";
import { readSeparator, readSuffixes, readWay, type Way } from "./settings.ts";
import { suffixedNames } from "./suffixes.ts";
import {
  type Blocks,
  chunkBytes,
  chunkLines,
  dealLines,
  PieceWriter,
  splitBytes,
  splitLineBytes,
  splitLines,
} from "./ways.ts";

const CHUNK_BYTES = 65_536;

const options: readonly OptionRow[] = [
  { short: "a", long: "suffix-length", value: "N", help: "suffixes of length N (default 2)" },
  { long: "additional-suffix", value: "SUFFIX", help: "add SUFFIX to the file names" },
  { short: "b", long: "bytes", value: "SIZE", help: "SIZE bytes per output file" },
  {
    short: "C",
    long: "line-bytes",
    value: "SIZE",
    help: "at most SIZE bytes of lines per output file",
  },
  { short: "d", help: "numeric suffixes, from 0" },
  { long: "numeric-suffixes", value: "FROM", isOptional: true, help: "same as -d, from FROM" },
  { short: "x", help: "hexadecimal suffixes, from 0" },
  { long: "hex-suffixes", value: "FROM", isOptional: true, help: "same as -x, from FROM" },
  { short: "e", long: "elide-empty-files", help: "no empty output files with -n" },
  { long: "filter", value: "COMMAND", help: "write to a shell COMMAND; the file's name is $FILE" },
  { short: "l", long: "lines", value: "NUMBER", help: "NUMBER lines per output file" },
  { short: "n", long: "number", value: "CHUNKS", help: "N, K/N, l/N, l/K/N, r/N or r/K/N chunks" },
  { short: "t", long: "separator", value: "SEP", help: "SEP ends records instead of newline" },
  { short: "u", long: "unbuffered", help: "write at once with -n r/..." },
  { long: "verbose", help: "say each output file before it is opened" },
  ...Array.from("0123456789", (digit) => ({
    short: digit,
    value: "NUM",
    isOptional: true,
    help: "same as -l",
  })),
];

export const main = defineProgram(
  {
    name: "split",
    usage: ["[OPTION]... [FILE [PREFIX]]"],
    summary: "Output pieces of FILE to PREFIXaa, PREFIXab, ...; 1000 lines and 'x' by default.",
    options,
  },
  async (run) => {
    const way = readWay(run);
    const separator = readSeparator(run);
    const suffixes = readSuffixes(run, way);
    if ("only" in way && way.only !== undefined && run.has("filter"))
      throw new UsageError("--filter does not process a chunk extracted to stdout");
    const [name = "-"] = run.operands;
    const fd = await openInput(run, name);
    const { dev, ino } = await run.sys.fstat(fd);
    const pieces = new Pieces(run, suffixedNames(suffixes), { dev, ino });
    try {
      await split(run, fd, way, { pieces, separator });
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(`${quoteFile(name)}: ${errorWords(error)}`, { hasHint: false });
    }
  },
);

async function openInput(run: Run, name: string): Promise<number> {
  if (name === "-") return 0;
  try {
    return await run.sys.open(name, O_RDONLY | O_CLOEXEC);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`cannot open ${quoteName(name)} for reading: ${errorWords(error)}`, {
      hasHint: false,
    });
  }
}

interface Plan {
  readonly pieces: Pieces;
  readonly separator: number;
}

async function split(run: Run, fd: number, way: Way, plan: Plan): Promise<void> {
  const { sys } = run;
  const writer = new PieceWriter(plan.pieces);
  if ("limit" in way) {
    const blocks = streamBlocks(sys, fd, 0);
    if (way.kind === "lines") await splitLines(blocks, way.limit, plan.separator, writer);
    else if (way.kind === "bytes") await splitBytes(blocks, way.limit, writer);
    else await splitLineBytes(blocks, way.limit, plan.separator, writer);
    return;
  }
  const isElided = run.has("elide-empty-files");
  const chunking = { count: way.count, only: way.only, delimiter: plan.separator, isElided };
  if (way.kind === "deal") {
    await dealLines(sys, fd, chunking, plan.pieces);
    return;
  }
  const blocks = await sizedBlocks(sys, fd, run.operands[0] ?? "-");
  if (way.kind === "chunk-bytes") await chunkBytes(sys, blocks, chunking, writer);
  else await chunkLines(sys, blocks, chunking, writer);
}

function streamBlocks(sys: Sys, fd: number, size: number): Blocks {
  const buffer = new Uint8Array(CHUNK_BYTES);
  return {
    size,
    next: async () => {
      const count = await sys.read(fd, buffer);
      return count === 0 ? undefined : buffer.subarray(0, count);
    },
  };
}

/** Fails with a UsageError for what has no end that can be sought. */
async function sizedBlocks(sys: Sys, fd: number, name: string): Promise<Blocks> {
  try {
    const at = await sys.seek(fd, 0, SEEK_CUR);
    const { kind, size } = await sys.fstat(fd);
    return streamBlocks(sys, fd, kind === "file" ? Math.max(0, size - at) : 0);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${quoteFile(name)}: cannot determine file size`, { hasHint: false });
  }
}
