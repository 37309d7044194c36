import { formatOf, isKernelError, type Stat } from "../../kernel/index.ts";
import { describeKind } from "./describe-kind.ts";
import { decodeEscapes } from "./escapes.ts";
import { showMode } from "./file-mode.ts";
import { formatTime } from "./format-time.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { replaceEach } from "./replace-each.ts";

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
      { short: "t", long: "terse", help: "print the information in terse form" },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    const names = new NameDatabase(run.sys);
    const printf = run.options.get("printf");
    const given = run.options.get("format");
    const terse = run.has("terse") ? "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o" : undefined;
    const format = printf === undefined ? (given ?? terse) : decodeEscapes(printf, "printf").text;
    for (const operand of run.operands) {
      try {
        const stat = await (run.has("dereference")
          ? run.sys.stat(operand)
          : run.sys.lstat(operand));
        const facts = await gatherFacts(run, names, operand, stat);
        const text = fill(format ?? usual, facts);
        run.out.addText(printf === undefined && format !== undefined ? `${text}\n` : text);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await run.fail(`cannot statx ${quoteName(operand)}: ${errorWords(error)}`);
      }
    }
  },
);

type Facts = ReadonlyMap<string, string | number>;

async function gatherFacts(
  run: Run,
  names: NameDatabase,
  path: string,
  stat: Stat,
): Promise<Facts> {
  const target = stat.kind === "symlink" ? await run.sys.readlink(path) : undefined;
  const time = (timeMs: number): string => formatTime("%Y-%m-%d %H:%M:%S.%N %z", timeMs);
  return new Map<string, string | number>([
    ["n", path],
    ["N", target === undefined ? quoteName(path) : `${quoteName(path)} -> ${quoteName(target)}`],
    ["E", target === undefined ? path : `${path} -> ${target}`],
    ["s", stat.size],
    ["b", stat.blocks],
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
    ["w", "-"],
    ["X", Math.floor(stat.atimeMs / 1000)],
    ["Y", Math.floor(stat.mtimeMs / 1000)],
    ["Z", Math.floor(stat.ctimeMs / 1000)],
    ["W", 0],
  ]);
}

function fill(format: string, facts: Facts): string {
  const pattern = /%([-#0+ ]*)(\d*)(?:\.(\d+))?([HL]?[a-zA-Z%])/g;
  return replaceEach(format, pattern, ([whole, flags = "", width = "", precision, name = ""]) => {
    if (name === "%") return "%";
    const fact = facts.get(name);
    if (fact === undefined) return name.length === 1 ? "?" : whole;
    const isWhole = precision === undefined || typeof fact === "number";
    const text = isWhole ? String(fact) : fact.slice(0, Number(precision));
    if (flags.includes("-")) return text.padEnd(Number(width));
    return text.padStart(Number(width), flags.includes("0") ? "0" : " ");
  });
}
