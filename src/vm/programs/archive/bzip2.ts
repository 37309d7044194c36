/** bzip2, bunzip2 and bzcat, told apart by argv[0]. */
import { defineProgram, type Run } from "../program.ts";
import { bunzip2, bzip2 } from "./bzip2-format.ts";
import { type Compression, FileCompressor } from "./compress-files.ts";

const levels = Array.from({ length: 9 }, (_, at) => ({
  short: String(at + 1),
  help: `use blocks of ${at + 1}00k`,
}));

export const main = defineProgram(
  {
    name: "bzip2",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Compress or decompress FILEs by sorting blocks.",
    options: [
      { short: "d", long: "decompress", help: "decompress" },
      { short: "z", long: "compress", help: "compress" },
      { short: "k", long: "keep", help: "keep input files" },
      { short: "f", long: "force", help: "overwrite output files" },
      { short: "t", long: "test", help: "test compressed files" },
      { short: "c", long: "stdout", help: "write to standard output" },
      { short: "q", long: "quiet", help: "say no warnings" },
      { short: "v", long: "verbose", help: "say what is done" },
      { short: "s", long: "small", help: "accepted; changes nothing" },
      ...levels,
      { long: "fast", help: "same as -1" },
      { long: "best", help: "same as -9" },
    ],
  },
  async (run) => {
    const isCat = run.baseName === "bzcat";
    const mode = run.options.last("decompress", "compress", "test");
    const isPlain = isCat || run.baseName === "bunzip2";
    const level = run.options.order.findLast((name) => /^\d$|^fast$|^best$/.test(name)) ?? "9";
    const compressor = new FileCompressor(run, bzip2Kind(run), {
      mode:
        mode === "test"
          ? "test"
          : mode === "decompress" || (isPlain && mode === undefined)
            ? "decompress"
            : "compress",
      level: level === "fast" ? 1 : level === "best" ? 9 : Number(level),
      toStdout: isCat || run.has("stdout"),
      isKept: run.has("keep") || run.has("stdout"),
      isForced: run.has("force"),
      isVerbose: run.has("verbose"),
      isQuiet: run.has("quiet"),
      isRecursive: false,
    });
    for (const operand of run.operands.length === 0 ? ["-"] : run.operands)
      await compressor.runOperand(operand);
    return run.status;
  },
);

/** Reports are as wide as `(stdin)`. */
const STDIN_WIDTH = 7;

function bzip2Kind({ sys, name: program, operands }: Run): Compression {
  const longest = Math.max(STDIN_WIDTH, ...operands.map((name) => name.length));
  const padded = (name: string): string =>
    `${name}: ${" ".repeat(longest - Math.min(longest, name.length))}`;
  return {
    suffix: ".bz2",
    compress: ({ stream, level }) => bzip2(sys, stream, level),
    decompress: ({ stream }) => bunzip2(sys, stream),
    plainName: (name) => {
      const [, base, found] = /^(.+)(\.bz2|\.bz|\.tbz2|\.tbz)$/.exec(name) ?? [];
      return base === undefined
        ? undefined
        : found?.startsWith(".t") === true
          ? `${base}.tar`
          : base;
    },
    words: {
      missing: (name, words) => `${program}: Can't open input file ${name}: ${words}.\n`,
      directory: (name) => `${program}: Input file ${name} is a directory.\n`,
      exists: (name) => `${program}: Output file ${name} already exists.\n`,
      hasSuffix: (name) =>
        `${program}: Input file ${name} already has ${name.slice(name.lastIndexOf("."))} suffix.\n`,
      noSuffix: (name) =>
        `${program}: Can't guess original name for ${name} -- using ${name}.out\n`,
      corrupt: (name, message) =>
        showCorrupt(program, name === "stdin" ? "(stdin)" : name, message),
      symlink: (name) => `${program}: Input file ${name} is not a normal file.\n`,
      linked: (name, others) =>
        `${program}: Input file ${name} has ${others} other link${others === 1 ? "" : "s"}.\n`,
      done: ({ name, bytesIn, bytesOut, mode }) => {
        if (mode === "test") return `  ${padded(name)}ok\n`;
        if (mode === "decompress") return `  ${padded(name)}done\n`;
        if (bytesIn === 0) return `  ${padded(name)} no data compressed.\n`;
        const [rate, bits] = [bytesIn / bytesOut, (bytesOut * 8) / bytesIn];
        const saved = (1 - bytesOut / bytesIn) * 100;
        return `  ${padded(name)}${rate.toFixed(3).padStart(6)}:1, ${bits.toFixed(3).padStart(6)} bits/byte, ${saved.toFixed(2).padStart(5)}% saved, ${bytesIn} in, ${bytesOut} out.\n`;
      },
    },
    statuses: {
      missing: 1,
      directory: 1,
      exists: 1,
      hasSuffix: 1,
      noSuffix: 0,
      corrupt: 2,
      symlink: 1,
      linked: 1,
    },
  };
}

function showCorrupt(program: string, name: string, message: string): string {
  if (message.startsWith("is not")) return `${program}: ${name} ${message}\n`;
  const hint =
    "\nYou can use the `bzip2recover' program to attempt to recover\ndata from undamaged sections of corrupted files.\n\n";
  return `${program}: ${name}: ${message}\n${message.startsWith("trailing") ? "" : hint}`;
}
