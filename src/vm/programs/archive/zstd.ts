/** zstd, unzstd and zstdcat, told apart by argv[0]. */
import { defineProgram, type Run } from "../program.ts";
import { type Compression, FileCompressor } from "./compress-files.ts";
import { unzstd, zstd } from "./zstd-format.ts";

const digits = "0123456789"
  .split("")
  .map((short) => ({ short, help: "a digit of the level, 1 to 19 (3)" }));

export const main = defineProgram(
  {
    name: "zstd",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Compress or decompress FILEs in the .zst format. Windows above 8 MiB are refused.",
    options: [
      { short: "z", long: "compress", help: "compress" },
      { short: "d", long: "decompress", help: "decompress" },
      { long: "uncompress", help: "the same" },
      { short: "t", long: "test", help: "test compressed files" },
      { short: "k", long: "keep", help: "keep input files (the default)" },
      { long: "rm", help: "remove input files" },
      { short: "f", long: "force", help: "overwrite output files" },
      { short: "c", long: "stdout", help: "write to standard output" },
      { short: "q", long: "quiet", help: "say no warnings" },
      { short: "v", long: "verbose", help: "say what is done" },
      { short: "r", help: "go into directories" },
      { short: "T", long: "threads", value: "NUM", help: "accepted; changes nothing" },
      { long: "no-progress", help: "accepted; changes nothing" },
      ...digits,
    ],
  },
  async (run) => {
    const isCat = run.baseName === "zstdcat";
    const mode = run.options.last("decompress", "uncompress", "compress", "test");
    const isPlain = isCat || run.baseName === "unzstd";
    const isUnpacking =
      mode === "decompress" || mode === "uncompress" || (isPlain && mode === undefined);
    const level = Number(run.options.order.filter((name) => /^\d$/.test(name)).join(""));
    const toStdout = isCat || run.has("stdout");
    const compressor = new FileCompressor(run, zstdKind(run), {
      mode: mode === "test" ? "test" : isUnpacking ? "decompress" : "compress",
      level: Math.min(Math.max(level, 0), 19) || 3,
      toStdout,
      isKept: !run.has("rm"),
      isForced: run.has("force"),
      isVerbose: !run.has("quiet") && run.operands.length > 0 && !toStdout,
      isQuiet: run.has("quiet"),
      isRecursive: run.has("r"),
    });
    for (const operand of run.operands.length === 0 ? ["-"] : run.operands)
      await compressor.runOperand(operand);
    return run.status;
  },
);

function zstdKind({ name: program }: Run): Compression {
  return {
    suffix: ".zst",
    compress: ({ stream, level }) => zstd(stream, level),
    decompress: ({ stream }) => unzstd(stream),
    plainName: (name) => /^(.+)\.zst$/.exec(name)?.[1] ?? tarName(name),
    words: {
      missing: (name, words) => `${program}: can't stat ${name} : ${words} -- ignored \n`,
      directory: (name) => `${program}: ${name} is a directory -- ignored \n`,
      exists: (name) =>
        `${program}: ${name} already exists; overwrite (y/n) ? Not overwritten  \n \n`,
      hasSuffix: (name) => `${program}: ${name} already has .zst suffix -- ignored \n`,
      noSuffix: (name) => `${program}: ${name}: unknown suffix (.zst/.tzst expected). Ignoring.\n`,
      corrupt: (name, message) =>
        message === "premature end"
          ? `${name} : Read error (39) : premature end \n`
          : `${program}: ${name === "stdin" ? "/*stdin*\\" : name}: ${message} \n`,
      symlink: (name) => `Warning : ${name} is a symbolic link, ignoring \n`,
      linked: (name) => `${program}: ${name} has other links -- ignored \n`,
      done: ({ name, output, bytesIn, bytesOut, mode }) =>
        mode === "compress"
          ? `${name.padEnd(20)} :${((bytesOut / Math.max(bytesIn, 1)) * 100).toFixed(2).padStart(6)}%   (${size(bytesIn)} => ${size(bytesOut)}, ${output ?? "stdout"}) \n`
          : `${name.padEnd(20)}: ${bytesOut} bytes \n`,
    },
    statuses: {
      missing: 1,
      directory: 1,
      exists: 1,
      hasSuffix: 1,
      noSuffix: 1,
      corrupt: 1,
      symlink: 1,
      linked: 1,
    },
  };
}

function tarName(name: string): string | undefined {
  const base = /^(.+)\.tzst$/.exec(name)?.[1];
  return base === undefined ? undefined : `${base}.tar`;
}

function size(bytes: number): string {
  if (bytes < 1024) return `${String(bytes).padStart(6)} B`;
  const units = ["KiB", "MiB", "GiB"];
  let value = bytes / 1024;
  let unit = 0;
  for (; value >= 1024 && unit < 2; unit++) value /= 1024;
  return `${value.toPrecision(3).padStart(6)} ${units[unit]}`;
}
