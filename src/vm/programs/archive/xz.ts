/** xz, unxz and xzcat, told apart by argv[0]. */
import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { type Compression, FileCompressor } from "./compress-files.ts";
import type { CheckName } from "./xz-check.ts";
import { unxz, xz, xzLevel } from "./xz-format.ts";

const levels = Array.from({ length: 10 }, (_, at) => ({
  short: String(at),
  help:
    at < 3
      ? `use a dictionary of ${["256 KiB", "1 MiB", "2 MiB"][at]}`
      : "use a dictionary of 4 MiB",
}));

/** Options that ask for a way of working. */
const ignored = ["ignore-check", "single-stream", "no-sparse", "no-adjust", "no-sync", "robot"].map(
  (long) => ({ long, help: "accepted; changes nothing" }),
);

export const main = defineProgram(
  {
    name: "xz",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Compress or decompress FILEs in the .xz format.",
    options: [
      { short: "z", long: "compress", help: "compress" },
      { short: "d", long: "decompress", help: "decompress" },
      { long: "uncompress", help: "the same" },
      { short: "t", long: "test", help: "test compressed files" },
      { short: "k", long: "keep", help: "keep input files" },
      { short: "f", long: "force", help: "overwrite output files" },
      { short: "c", long: "stdout", help: "write to standard output" },
      { long: "to-stdout", help: "the same" },
      { short: "q", long: "quiet", help: "say no warnings" },
      { short: "v", long: "verbose", help: "say what is done" },
      { short: "e", long: "extreme", help: "try harder, which takes longer" },
      { short: "T", long: "threads", value: "NUM", help: "accepted; changes nothing" },
      { short: "F", long: "format", value: "FMT", help: "the format: auto or xz" },
      { short: "C", long: "check", value: "CHECK", help: "none, crc32, crc64 or sha256" },
      { short: "S", long: "suffix", value: ".SUF", help: "use the suffix .SUF" },
      { short: "Q", long: "no-warn", help: "warnings do not change the status" },
      { short: "M", long: "memlimit", value: "LIMIT", help: "accepted; changes nothing" },
      ...ignored,
      ...levels,
      { long: "fast", help: "same as -0" },
      { long: "best", help: "same as -9" },
    ],
  },
  async (run) => {
    checkOptions(run);
    const isCat = run.baseName === "xzcat";
    const mode = run.options.last("decompress", "uncompress", "compress", "test");
    const isPlain = isCat || run.baseName === "unxz";
    const isUnpacking =
      mode === "decompress" || mode === "uncompress" || (isPlain && mode === undefined);
    const toStdout = isCat || run.has("stdout") || run.has("to-stdout");
    const isCopying = toStdout && run.has("force");
    const level = run.options.order.findLast((name) => /^\d$|^fast$|^best$/.test(name)) ?? "6";
    const compressor = new FileCompressor(run, xzKind(run, isCopying), {
      mode: mode === "test" ? "test" : isUnpacking ? "decompress" : "compress",
      level: level === "fast" ? 0 : level === "best" ? 9 : Number(level),
      toStdout,
      isKept: run.has("keep") || toStdout,
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

const checks: ReadonlyMap<string, CheckName> = new Map([
  ["none", "none"],
  ["crc32", "crc32"],
  ["crc64", "crc64"],
  ["sha256", "sha256"],
]);
/** How much more `-e` looks at. */
const EXTREME = 4;

/** Fails with a UsageError. */
function checkOptions(run: Run): void {
  const format = run.options.get("format") ?? "auto";
  const check = run.options.get("check") ?? "crc64";
  const refuse = (message: string): UsageError => new UsageError(message, { hasHint: false });
  if (format === "lzma" || format === "alone" || format === "raw")
    throw refuse(`${format}: This xz knows the .xz format only`);
  if (format !== "auto" && format !== "xz") throw refuse(`${format}: Unknown file format type`);
  if (!checks.has(check)) throw refuse(`${check}: Unsupported integrity check type`);
  const suffix = run.options.get("suffix");
  if (suffix === "" || suffix?.includes("/") === true)
    throw refuse(`${suffix}: Invalid filename suffix`);
}

function xzKind(run: Run, isCopying: boolean): Compression {
  const { name: program, options } = run;
  const suffix = options.get("suffix");
  const check = checks.get(options.get("check") ?? "crc64") ?? "crc64";
  return {
    suffix: suffix ?? ".xz",
    compress: ({ stream, level }) => {
      const { dictionaryBytes, depth } = xzLevel(level);
      const more = run.has("extreme") ? EXTREME : 1;
      return xz(stream, { level: { dictionaryBytes, depth: depth * more }, check });
    },
    decompress: ({ stream }) => unxz(stream, isCopying),
    plainName: (name) => {
      if (suffix !== undefined && name.length > suffix.length && name.endsWith(suffix))
        return name.slice(0, -suffix.length);
      const [, base, found] = /^(.+)(\.xz|\.txz)$/.exec(name) ?? [];
      return base === undefined ? undefined : found === ".txz" ? `${base}.tar` : base;
    },
    words: {
      missing: (name, words) => `${program}: ${name}: ${words}\n`,
      directory: (name) => `${program}: ${name}: Is a directory, skipping\n`,
      exists: (name) => `${program}: ${name}: File exists\n`,
      hasSuffix: (name) =>
        `${program}: ${name}: File already has \`${name.slice(name.lastIndexOf("."))}' suffix, skipping\n`,
      noSuffix: (name) => `${program}: ${name}: Filename has an unknown suffix, skipping\n`,
      corrupt: (name, message) =>
        `${program}: ${name === "stdin" ? "(stdin)" : name}: ${message}\n`,
      symlink: (name) => `${program}: ${name}: Is a symbolic link, skipping\n`,
      linked: (name) => `${program}: ${name}: Input file has more than one hard link, skipping\n`,
      done: ({ name, bytesIn, bytesOut }) => `${name}: ${bytesIn} B / ${bytesOut} B\n`,
    },
    statuses: {
      missing: 1,
      directory: 2,
      exists: 1,
      hasSuffix: 2,
      noSuffix: 2,
      corrupt: 1,
      symlink: 2,
      linked: 2,
    },
  };
}
