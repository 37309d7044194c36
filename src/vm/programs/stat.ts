import { formatOf, isKernelError, type Stat, type StatFs } from "../../kernel/index.ts";
import { describeKind } from "./describe-kind.ts";
import { diskBlocks } from "./disk-blocks.ts";
import { decodeEscapes } from "./escapes.ts";
import { showMode } from "./file-mode.ts";
import { formatTime } from "./format-time.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { replaceEach } from "./replace-each.ts";
import { zoneOf } from "./time-zone.ts";

const usual = `  File: %E
  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Device: %Hd,%Ld\tInode: %-11i Links: %h
Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Access: %x
Modify: %y
Change: %z
 Birth: %w
`;

export const main = defineProgram(
  {
    name: "stat",
    usage: ["[OPTION]... FILE..."],
    summary: "Display file or file system status.",
    options: [
      { short: "L", long: "dereference", help: "follow links" },
      {
        short: "c",
        long: "format",
        value: "FORMAT",
        help: "use the specified FORMAT instead of the default;\noutput a newline after each use of FORMAT",
      },
      {
        long: "printf",
        value: "FORMAT",
        help: "like --format, but interpret backslash escapes,\nand do not output a mandatory trailing newline",
      },
      {
        short: "f",
        long: "file-system",
        help: "display file system status instead of file status",
      },
      { long: "cached", value: "MODE", help: "(ignored: nothing is cached)" },
      { short: "t", long: "terse", help: "print the information in terse form" },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    const names = new NameDatabase(run.sys);
    const printf = run.options.get("printf");
    const given = run.options.get("format");
    if (run.has("file-system")) return showFileSystems(run, printf, given);
    const terse = run.has("terse") ? "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o" : undefined;
    const format = printf === undefined ? (given ?? terse) : await decodeFormat(run, printf);
    for (const operand of run.operands) {
      try {
        const stat = await statOf(run, operand);
        const facts = await gatherFacts(run, names, operand, stat);
        const text = fill(format ?? usual, facts);
        run.out.addText(printf === undefined && format !== undefined ? `${text}\n` : text);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await run.fail(`cannot statx ${quoteName(operand)}: ${errorWords(error)}`);
      }
    }
    return undefined;
  },
);

/** Escapes of `--printf`; unknown ones are warned of and lose their backslash. */
async function decodeFormat(run: Run, printf: string): Promise<string> {
  const unknown = [...printf.matchAll(/\\([^abefnrtvx0-7"\\]|$)/g)].map(
    ([, letter = ""]) => letter,
  );
  for (const letter of unknown)
    if (letter === "") await run.warn("warning: backslash at end of format");
    else await run.warn(`warning: unrecognized escape '\\${letter}'`);
  const known = printf.replace(/\\([abefnrtvx0-7"\\])|\\(.)/gs, (whole, kept, odd: string) =>
    kept === undefined ? odd : whole,
  );
  return decodeEscapes(known, "printf").text;
}

/** `-` is standard input. */
async function statOf(run: Run, operand: string): Promise<Stat> {
  if (operand === "-") return run.sys.fstat(0);
  return run.has("dereference") ? run.sys.stat(operand) : run.sys.lstat(operand);
}

const usualFileSystem = `  File: "%n"
    ID: %-8i Namelen: %-7l Type: %T
Block size: %-10s Fundamental block size: %S
Blocks: Total: %-10b Free: %-10f Available: %a
Inodes: Total: %-10c Free: %d
`;

async function showFileSystems(
  run: Run,
  printf: string | undefined,
  given: string | undefined,
): Promise<void> {
  const terse = run.has("terse") ? "%n %i %l %t %s %S %b %f %a %c %d" : undefined;
  const format = printf === undefined ? (given ?? terse) : await decodeFormat(run, printf);
  for (const operand of run.operands) {
    try {
      const text = fill(
        format ?? usualFileSystem,
        fileSystemFacts(operand, await run.sys.statfs(operand)),
      );
      run.out.addText(printf === undefined && format !== undefined ? `${text}\n` : text);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(
        `cannot read file system information for ${quoteName(operand)}: ${errorWords(error)}`,
      );
    }
  }
}

function fileSystemFacts(path: string, use: StatFs): Facts {
  const total = Math.floor(use.totalBytes / use.blockSize);
  const free = Math.floor(use.freeBytes / use.blockSize);
  return new Map<string, string | number>([
    ["n", path],
    ["i", "0"],
    ["l", 255],
    ["t", "0"],
    ["T", use.type],
    ["s", use.blockSize],
    ["S", use.blockSize],
    ["b", total],
    ["f", free],
    ["a", free],
    ["c", use.totalInodes],
    ["d", use.freeInodes],
  ]);
}

type Facts = ReadonlyMap<string, string | number>;

async function gatherFacts(
  run: Run,
  names: NameDatabase,
  path: string,
  stat: Stat,
): Promise<Facts> {
  const target = stat.kind === "symlink" ? await run.sys.readlink(path) : undefined;
  const zone = await zoneOf(run.sys);
  const time = (timeMs: number): string => formatTime("%Y-%m-%d %H:%M:%S.%N %z", timeMs, zone);
  return new Map<string, string | number>([
    ["n", path],
    ["N", target === undefined ? quoteName(path) : `${quoteName(path)} -> ${quoteName(target)}`],
    ["E", target === undefined ? path : `${path} -> ${target}`],
    ["s", stat.size],
    ["b", diskBlocks(stat)],
    ["B", 512],
    ["o", 4096],
    ["F", describeKind(stat)],
    ["f", (formatOf(stat.kind) | stat.mode).toString(16)],
    ["a", stat.mode.toString(8)],
    ["A", showMode(stat.kind, stat.mode)],
    ["u", stat.uid],
    ["U", await names.userName(stat.uid)],
    ["g", stat.gid],
    ["G", await names.groupName(stat.gid)],
    ["d", stat.dev],
    ["D", stat.dev.toString(16)],
    ["Hd", stat.dev >> 8],
    ["Ld", stat.dev & 0xff],
    ["i", stat.ino],
    ["h", stat.nlink],
    ["t", (stat.rdev >> 8).toString(16)],
    ["T", (stat.rdev & 0xff).toString(16)],
    ["m", "/"],
    ["x", time(stat.atimeMs)],
    ["y", time(stat.mtimeMs)],
    ["z", time(stat.ctimeMs)],
    ["w", time(stat.ctimeMs)],
    ["X", stat.atimeMs / 1000],
    ["Y", stat.mtimeMs / 1000],
    ["Z", stat.ctimeMs / 1000],
    ["W", stat.ctimeMs / 1000],
    ["C", "?"],
  ]);
}

function fill(format: string, facts: Facts): string {
  const pattern = /%([-#0+ ']*)(\d*)(?:\.(\d*))?([HL]?[a-zA-Z%])/g;
  return replaceEach(format, pattern, ([whole, flags = "", width = "", precision, name = ""]) => {
    if (name === "%") return "%";
    const fact = facts.get(name);
    if (fact === undefined) return name.length === 1 ? "?" : whole;
    const text = showFact(name, fact, precision, flags);
    if (flags.includes("-")) return text.padEnd(Number(width));
    return text.padStart(Number(width), flags.includes("0") ? "0" : " ");
  });
}

/** Times in seconds show a fraction only where a precision asks for it, nine digits by default. */
function showFact(
  name: string,
  fact: string | number,
  precision: string | undefined,
  flags: string,
): string {
  if (typeof fact === "string") {
    const cut = precision === undefined ? fact : fact.slice(0, Number(precision));
    if (!flags.includes("#")) return cut;
    return name === "a" ? `0${cut}` : /^[fDtT]$/.test(name) ? `0x${cut}` : cut;
  }
  const sign = fact < 0 ? "" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const isTime = /^[WXYZ]$/.test(name);
  if (!isTime || precision === undefined) return `${sign}${Math.floor(fact)}`;
  const digits = precision === "" ? 9 : Math.min(9, Number(precision));
  const whole = Math.floor(fact);
  const part = `${String(Math.round((fact - whole) * 1e6)).padStart(6, "0")}000`;
  return digits === 0 ? String(whole) : `${sign}${whole}.${part.slice(0, digits)}`;
}
