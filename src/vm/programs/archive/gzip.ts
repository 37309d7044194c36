/** gzip, gunzip, zcat and gzcat, told apart by argv[0]. */
import { encodeText, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { baseName } from "../directory.ts";
import { formatTime } from "../format-time.ts";
import { writeAll } from "../output.ts";
import { defineProgram, type Run } from "../program.ts";
import { ByteReader, type ByteStream, readStream } from "./byte-reader.ts";
import {
  type Compression,
  type CompressSettings,
  FileCompressor,
  type Report,
} from "./compress-files.ts";
import { FormatError, gunzip, gzip, isGzip } from "./gzip-format.ts";
import { crc32 } from "./zlib-engine.ts";

const levels = Array.from({ length: 9 }, (_, at) => ({
  short: String(at + 1),
  help: at === 0 ? "compress faster" : at === 8 ? "compress better" : "something between",
}));

export const main = defineProgram(
  {
    name: "gzip",
    usage: ["[OPTION]... [FILE]..."],
    summary:
      "Compress or decompress FILEs (gunzip: decompress, zcat: decompress to standard output).",
    options: [
      { short: "c", long: "stdout", help: "write to standard output, keep files" },
      { long: "to-stdout", help: "the same" },
      { short: "d", long: "decompress", help: "decompress" },
      { long: "uncompress", help: "the same" },
      { short: "f", long: "force", help: "overwrite, and compress what looks compressed" },
      { short: "k", long: "keep", help: "keep input files" },
      { short: "l", long: "list", help: "list what compressed files hold" },
      { short: "n", long: "no-name", help: "keep neither name nor time" },
      { short: "N", long: "name", help: "keep or restore name and time" },
      { short: "q", long: "quiet", help: "say no warnings" },
      { short: "r", long: "recursive", help: "go into directories" },
      { long: "rsyncable", help: "accepted; changes nothing" },
      { short: "S", long: "suffix", value: "SUF", help: "use the suffix SUF" },
      { long: "synchronous", help: "accepted; changes nothing" },
      { short: "t", long: "test", help: "test compressed files" },
      { short: "v", long: "verbose", help: "say what is done" },
      ...levels,
      { long: "fast", help: "compress faster" },
      { long: "best", help: "compress better" },
    ],
    hint: (name) => `Try \`${name} --help' for more information.\n`,
  },
  async (run) => {
    const operands = run.operands.length === 0 ? ["-"] : run.operands;
    if (run.has("list")) return listFiles(run, operands);
    const settings = readSettings(run);
    const compressor = new FileCompressor(run, gzipKind(run, settings), settings);
    for (const operand of operands) await compressor.runOperand(operand);
    return run.status;
  },
);

function readSettings(run: Run): CompressSettings {
  const isCat = run.baseName.endsWith("cat");
  const isDecompressing =
    isCat || run.baseName === "gunzip" || run.has("decompress") || run.has("uncompress");
  const level = run.options.order.findLast((name) => /^\d$|^fast$|^best$/.test(name));
  const toStdout = isCat || run.has("stdout") || run.has("to-stdout");
  return {
    mode: run.has("test") ? "test" : isDecompressing ? "decompress" : "compress",
    level: level === undefined ? 6 : level === "fast" ? 1 : level === "best" ? 9 : Number(level),
    toStdout,
    isKept: run.has("keep") || toStdout,
    isForced: run.has("force"),
    isVerbose: run.has("verbose"),
    isQuiet: run.has("quiet"),
    isRecursive: run.has("recursive"),
  };
}

function gzipKind(run: Run, settings: CompressSettings): Compression {
  const suffix = run.options.get("suffix") ?? ".gz";
  const program = "gzip";
  return {
    suffix,
    compress: ({ stream, level, name, stat }) =>
      gzip(stream, {
        level,
        ...(run.has("no-name") || name === undefined
          ? {}
          : { name: baseName(name), timeMs: stat.mtimeMs }),
      }),
    decompress: ({ stream, warn }) =>
      run.has("force") && settings.toStdout ? passThrough(stream, warn) : gunzip(stream, { warn }),
    plainName: (name) => plainName(name, suffix),
    words: {
      missing: (name, words) => `${program}: ${name}: ${words}\n`,
      directory: (name) => `${program}: ${name} is a directory -- ignored\n`,
      exists: (name) => `${program}: ${name} already exists;\tnot overwritten\n`,
      hasSuffix: (name) =>
        `${program}: ${name} already has ${name.slice(name.lastIndexOf("."))} suffix -- unchanged\n`,
      noSuffix: (name) => `${program}: ${name}: unknown suffix -- ignored\n`,
      corrupt: (name, message) =>
        `${/^(?:unknown|has)/.test(message) ? "" : "\n"}${program}: ${name}: ${message}\n`,
      symlink: (name) => `${program}: ${name}: Too many levels of symbolic links\n`,
      linked: (name, others) =>
        `${program}: ${name} has ${others} other link${others === 1 ? "" : "s"} -- file ignored\n`,
      done: showReport,
    },
    statuses: {
      missing: 1,
      directory: 2,
      exists: 2,
      hasSuffix: 0,
      noSuffix: 2,
      corrupt: 1,
      symlink: 1,
      linked: 2,
    },
  };
}

/** `zcat -f` shows what is not compressed as it is. */
async function* passThrough(
  stream: ByteStream,
  warn: (message: string) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = new ByteReader(stream);
  if (isGzip(await reader.peek(2))) yield* gunzip(reader.rest(), { warn });
  else yield* reader.rest();
}

function plainName(name: string, suffix: string): string | undefined {
  if (name.endsWith(suffix) && name.length > suffix.length) return name.slice(0, -suffix.length);
  const known = /^(.+?)(\.tgz|\.taz|\.gz|\.z|\.Z|-gz|-z|_z)$/.exec(name);
  const [, base = "", found = ""] = known ?? [];
  if (known === null || base.endsWith("/")) return undefined;
  return found === ".tgz" || found === ".taz" ? `${base}.tar` : base;
}

function ratio(bytesIn: number, bytesOut: number): string {
  if (bytesIn === 0) return "  0.0%";
  return `${(((bytesIn - bytesOut) / bytesIn) * 100).toFixed(1).padStart(5)}%`;
}

function showReport({ name, output, bytesIn, bytesOut, mode, isKept }: Report): string {
  if (mode === "test") return `${name}:\t OK\n`;
  const [plain, packed] = mode === "compress" ? [bytesIn, bytesOut] : [bytesOut, bytesIn];
  const header = headerBytes(output === undefined || mode === "compress" ? name : output);
  const shown = ratio(plain, packed - header - 8);
  if (name === "stdin") return `${shown}\n`;
  const what = isKept && output !== undefined ? "created" : "replaced with";
  return `${name}:\t${shown} -- ${what} ${output ?? "stdout"}\n`;
}

/** gzip's ratio leaves header and trailer out. */
function headerBytes(name: string): number {
  return name === "stdin" ? 10 : 10 + encodeText(baseName(name)).length + 1;
}

async function listFiles(run: Run, operands: readonly string[]): Promise<number> {
  const isVerbose = run.has("verbose");
  const totals = { packed: 0, plain: 0, count: 0 };
  for (const operand of operands) {
    try {
      await listFile(run, operand, totals);
    } catch (error) {
      await run.out.flush();
      if (error instanceof FormatError) {
        run.status = 1;
        await writeAll(
          run.sys,
          2,
          encodeText(`\ngzip: ${operand === "-" ? "stdin" : operand}: ${error.message}\n`),
        );
      } else await run.failOn(error, operand.endsWith(".gz") ? operand : `${operand}.gz`);
    }
  }
  if (totals.count > 1)
    run.out.addText(
      `${isVerbose ? " ".repeat(28) : ""}${columns(totals.packed, totals.plain, totals.packed)} (totals)\n`,
    );
  return run.status;
}

async function listFile(
  run: Run,
  operand: string,
  totals: { packed: number; plain: number; count: number },
): Promise<void> {
  const { sys } = run;
  const fd = operand === "-" ? 0 : await sys.open(operand, O_RDONLY | O_CLOEXEC);
  try {
    const stat = await sys.fstat(fd);
    let [packed, plain, header] = [0, 0, 10];
    async function* counted(): AsyncGenerator<Uint8Array, void, void> {
      for await (const piece of readStream(sys, fd)) {
        packed += piece.length;
        yield piece;
      }
    }
    const watch = {
      header: ({ name }: { readonly name: string | undefined }) => {
        if (name !== undefined) header += encodeText(name).length + 1;
      },
    };
    let crc = 0;
    for await (const piece of gunzip(counted(), watch)) {
      plain += piece.length;
      crc = crc32(piece, crc);
    }
    const head = run.has("verbose") ? "method  crc     date  time  " : "";
    if (totals.count === 0 && !run.has("quiet"))
      run.out.addText(`${head}         compressed        uncompressed  ratio uncompressed_name\n`);
    totals.packed += packed;
    totals.plain += plain;
    totals.count += 1;
    const name = operand === "-" ? "stdout" : (plainName(operand, ".gz") ?? operand);
    const time = formatTime("%b %e %H:%M", stat.mtimeMs);
    const start = run.has("verbose") ? `defla ${crc.toString(16).padStart(8, "0")} ${time} ` : "";
    run.out.addText(`${start}${columns(packed, plain, packed - header - 8)} ${name}\n`);
  } finally {
    if (fd !== 0) await sys.close(fd);
  }
}

function columns(packed: number, plain: number, body: number): string {
  return `${String(packed).padStart(19)} ${String(plain).padStart(19)} ${ratio(plain, body)}`;
}
