import { diskBlocks } from "../disk-blocks.ts";
import { decodeEscapes } from "../escapes.ts";
import { showMode } from "../file-mode.ts";
import { formatTime } from "../format-time.ts";
import type { NameDatabase } from "../name-database.ts";
import type { Run } from "../program.ts";
import { replaceEach } from "../replace-each.ts";
import { findStat } from "../run-command.ts";
import { type TimeZone, zoneOf } from "../time-zone.ts";
import type { FindFile } from "./file.ts";

const typeLetters = {
  file: "f",
  directory: "d",
  symlink: "l",
  fifo: "p",
  device: "c",
  socket: "s",
  anonymous: "U",
} as const;

/** What `-printf format` makes of a file. */
export async function fillFormat(
  run: Run,
  names: NameDatabase,
  file: FindFile,
  format: string,
): Promise<string> {
  const { stat } = file;
  const link = stat.kind === "symlink" ? await run.sys.readlink(file.path) : "";
  const zone = await zoneOf(run.sys);
  const facts = new Map([
    ...pathFacts(file),
    ...statFacts(file, zone),
    ["u", await names.userName(stat.uid)],
    ["g", await names.groupName(stat.gid)],
    ["D", String(stat.dev)],
    ["F", format.includes("F") ? await fileSystemType(run, file) : ""],
    ["l", link],
    ["L", link === "" ? "" : ` -> ${link}`],
    ["Y", await targetLetter(run, file)],
  ] as const);
  const pattern = /%([-0]*)(\d*)(?:([TAC])(.)|([a-zA-Z%]))/g;
  const decoded = decodeEscapes(format, "printf").text;
  const unknown = new Set<string>();
  const text = replaceEach(
    decoded,
    pattern,
    ([whole, flags = "", width = "", time, letter, fact = ""]) => {
      if (fact === "%") return "%";
      const shown = time === undefined ? facts.get(fact) : showTime(file, time, letter ?? "", zone);
      if (shown === undefined) {
        unknown.add(whole);
        return whole;
      }
      if (flags.includes("-")) return shown.padEnd(Number(width));
      const isNumber = flags.includes("0") && "dGiknU".includes(fact);
      return shown.padStart(Number(width), isNumber ? "0" : " ");
    },
  );
  for (const directive of unknown)
    await run.warn(`warning: unrecognized format directive \`${directive}'`);
  return text;
}

/** A link is where it stands, not where it leads. */
async function fileSystemType(run: Run, { path, stat }: FindFile): Promise<string> {
  const at = path.lastIndexOf("/");
  const directory = at === -1 ? "." : path.slice(0, at + 1);
  return (await run.sys.statfs(stat.kind === "symlink" ? directory : path)).type;
}

/** The kind of what a link leads to: `N` where that is missing. */
async function targetLetter(run: Run, { path, stat }: FindFile): Promise<string> {
  if (stat.kind !== "symlink") return typeLetters[stat.kind];
  const target = await findStat(run.sys, path);
  return target === undefined ? "N" : typeLetters[target.kind];
}

function pathFacts({ path, name, depth }: FindFile): [string, string][] {
  const at = path.lastIndexOf("/");
  return [
    ["p", path],
    ["f", name === "" ? "/" : name],
    ["h", at === -1 ? "." : path.slice(0, at)],
    ["P", depth === 0 ? "" : path.split("/").slice(-depth).join("/")],
    ["H", depth === 0 ? path : path.split("/").slice(0, -depth).join("/")],
    ["d", String(depth)],
  ];
}

function statFacts({ stat }: FindFile, zone: TimeZone): [string, string][] {
  return [
    ["s", String(stat.size)],
    ["b", String(diskBlocks(stat))],
    ["k", String(diskBlocks(stat) / 2)],
    ["m", stat.mode.toString(8)],
    ["M", showMode(stat.kind, stat.mode)],
    ["y", typeLetters[stat.kind]],
    ["n", String(stat.nlink)],
    ["i", String(stat.ino)],
    ["U", String(stat.uid)],
    ["G", String(stat.gid)],
    ["t", formatTime("%a %b %e %H:%M:%S.%N0 %Y", stat.mtimeMs, zone)],
  ];
}

function showTime({ stat }: FindFile, which: string, letter: string, zone: TimeZone): string {
  const timeMs = which === "A" ? stat.atimeMs : which === "C" ? stat.ctimeMs : stat.mtimeMs;
  if (letter === "@") return (timeMs / 1000).toFixed(10);
  const nanoseconds = `${formatTime("%N", timeMs)}0`;
  if (letter === "+") return `${formatTime("%F+%T", timeMs, zone)}.${nanoseconds}`;
  const shown = formatTime(`%${letter}`, timeMs, zone);
  return "STXr".includes(letter)
    ? shown.replace(/(\d{2})(?=$| [AP]M$)/, `$1.${nanoseconds}`)
    : shown;
}
