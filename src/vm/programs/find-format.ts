import { decodeEscapes } from "./escapes.ts";
import { showMode } from "./file-mode.ts";
import type { FindFile } from "./find-file.ts";
import { formatTime } from "./format-time.ts";
import type { NameDatabase } from "./name-database.ts";
import type { Run } from "./program.ts";
import { replaceEach } from "./replace-each.ts";

const typeLetters = {
  file: "f",
  directory: "d",
  symlink: "l",
  fifo: "p",
  device: "c",
  socket: "s",
} as const;

/** What `-printf format` makes of a file. */
export async function fillFormat(
  run: Run,
  names: NameDatabase,
  file: FindFile,
  format: string,
): Promise<string> {
  const { stat } = file;
  const facts = new Map([
    ...pathFacts(file),
    ...statFacts(file),
    ["u", await names.userName(stat.uid)],
    ["g", await names.groupName(stat.gid)],
    ["l", stat.kind === "symlink" ? await run.sys.readlink(file.path) : ""],
  ] as const);
  const pattern = /%([-0]*)(\d*)(?:([TAC])(.)|([a-zA-Z%]))/g;
  const decoded = decodeEscapes(format, "printf").text;
  return replaceEach(
    decoded,
    pattern,
    ([whole, flags = "", width = "", time, letter, fact = ""]) => {
      if (fact === "%") return "%";
      const shown = time === undefined ? facts.get(fact) : showTime(file, time, letter ?? "");
      if (shown === undefined) return whole;
      if (flags.includes("-")) return shown.padEnd(Number(width));
      return shown.padStart(Number(width), flags.includes("0") ? "0" : " ");
    },
  );
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

function statFacts({ stat }: FindFile): [string, string][] {
  return [
    ["s", String(stat.size)],
    ["b", String(stat.blocks)],
    ["k", String(Math.ceil(stat.blocks / 2))],
    ["m", stat.mode.toString(8)],
    ["M", showMode(stat.kind, stat.mode)],
    ["y", typeLetters[stat.kind]],
    ["n", String(stat.nlink)],
    ["i", String(stat.ino)],
    ["U", String(stat.uid)],
    ["G", String(stat.gid)],
    ["t", formatTime("%a %b %e %H:%M:%S.%N0 %Y", stat.mtimeMs)],
  ];
}

function showTime({ stat }: FindFile, which: string, letter: string): string {
  const timeMs = which === "A" ? stat.atimeMs : which === "C" ? stat.ctimeMs : stat.mtimeMs;
  return letter === "@" ? (timeMs / 1000).toFixed(10) : formatTime(`%${letter}`, timeMs);
}
