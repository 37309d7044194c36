import { formatTime } from "./format-time.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { listProcesses, type ProcessRow } from "./process-list.ts";
import { defineProgram, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "ps",
    usage: ["[options]"],
    summary: "Report a snapshot of the current processes.",
    options: [
      { short: "A", help: "all processes" },
      { short: "a", help: "all with a terminal, except session leaders" },
      { short: "e", help: "all processes" },
      { short: "f", help: "full format" },
      { short: "F", help: "extra full format" },
      { short: "j", help: "jobs format" },
      { short: "l", help: "long format" },
      { short: "x", help: "processes without controlling ttys" },
      { short: "w", help: "(ignored: output is never cut)" },
      { short: "o", long: "format", value: "FORMAT", help: "user-defined format" },
      { short: "p", long: "pid", value: "PID", help: "process id" },
      { long: "ppid", value: "PID", help: "parent process id" },
      { short: "u", long: "user", value: "USER", help: "effective user id or name" },
      { short: "U", long: "User", value: "USER", help: "real user id or name" },
      { short: "C", value: "COMMAND", help: "command name" },
      { short: "t", long: "tty", value: "TTY", help: "terminal" },
      { long: "no-headers", help: "do not print header at all" },
      { long: "no-heading", help: "same as --no-headers" },
      { long: "sort", value: "SPEC", help: "specify sorting order" },
    ],
  },
  async (run) => {
    const listing = new ProcessListing(run);
    return listing.print();
  },
);

interface Column {
  readonly header: string;
  readonly align: "left" | "right";
  readonly width: number;
  readonly show: (row: ProcessRow, context: Context) => string;
}

interface Context {
  readonly userNames: ReadonlyMap<number, string>;
  readonly nowMs: number;
}

const right = (header: string, width: number, show: Column["show"]): Column => ({
  header,
  align: "right",
  width,
  show,
});
const left = (header: string, width: number, show: Column["show"]): Column => ({
  header,
  align: "left",
  width,
  show,
});

const columns: ReadonlyMap<string, Column> = new Map([
  ["pid", right("PID", 7, (row) => String(row.pid))],
  ["ppid", right("PPID", 7, (row) => String(row.ppid))],
  ["pgid", right("PGID", 7, (row) => String(row.pgid))],
  ["pgrp", right("PGRP", 7, (row) => String(row.pgid))],
  ["sid", right("SID", 7, (row) => String(row.sid))],
  ["sess", right("SESS", 7, (row) => String(row.sid))],
  ["tpgid", right("TPGID", 7, (row) => String(row.foregroundPgid))],
  ["uid", right("UID", 5, (row) => String(row.euid))],
  ["ruid", right("RUID", 5, (row) => String(row.uid))],
  ["gid", right("GID", 5, (row) => String(row.gid))],
  ["user", left("USER", 8, (row, { userNames }) => userNames.get(row.euid) ?? String(row.euid))],
  ["ruser", left("RUSER", 8, (row, { userNames }) => userNames.get(row.uid) ?? String(row.uid))],
  ["euser", left("EUSER", 8, (row, { userNames }) => userNames.get(row.euid) ?? String(row.euid))],
  ["tty", left("TT", 8, (row) => row.tty)],
  ["tname", left("TTY", 8, (row) => row.tty)],
  ["s", left("S", 1, (row) => row.state)],
  ["stat", left("STAT", 4, showState)],
  ["state", left("S", 1, (row) => row.state)],
  ["time", right("TIME", 8, () => "00:00:00")],
  ["bsdtime", right("TIME", 6, () => "0:00")],
  ["etime", right("ELAPSED", 11, (row, { nowMs }) => showElapsed(nowMs - row.startMs))],
  [
    "etimes",
    right("ELAPSED", 7, (row, { nowMs }) =>
      String(Math.max(0, Math.floor((nowMs - row.startMs) / 1000))),
    ),
  ],
  ["stime", left("STIME", 5, (row) => formatTime("%H:%M", row.startMs))],
  ["start", right("STARTED", 8, (row) => formatTime("%H:%M:%S", row.startMs))],
  ["lstart", left("STARTED", 24, (row) => formatTime("%a %b %e %H:%M:%S %Y", row.startMs))],
  ["bsdstart", right("START", 6, (row) => formatTime("%H:%M", row.startMs))],
  ["c", right("C", 2, () => "0")],
  ["pcpu", right("%CPU", 4, () => "0.0")],
  ["pmem", right("%MEM", 4, () => "0.0")],
  ["vsz", right("VSZ", 6, () => "0")],
  ["rss", right("RSS", 5, () => "0")],
  ["ni", right("NI", 3, () => "0")],
  ["pri", right("PRI", 3, () => "19")],
  ["comm", left("COMMAND", 15, (row) => row.comm)],
  ["cmd", left("CMD", 27, (row) => row.args)],
  ["ucmd", left("CMD", 15, (row) => row.comm)],
  ["args", left("COMMAND", 27, (row) => row.args)],
]);

const aliases = new Map([
  ["command", "args"],
  ["ucomm", "comm"],
  ["%cpu", "pcpu"],
  ["%mem", "pmem"],
  ["tt", "tty"],
  ["rssize", "rss"],
  ["vsize", "vsz"],
  ["uname", "user"],
  ["session", "sid"],
]);

const bsdUser = "user,pid,pcpu,pmem,vsz,rss,tname,stat,bsdstart,bsdtime,args";

class ProcessListing {
  readonly #run: Run;
  /** BSD options, which have no dash: `aux`. */
  readonly #bsd: string;
  readonly #pids: readonly string[];

  constructor(run: Run) {
    this.#run = run;
    const words = run.operands;
    this.#bsd = words.filter((word) => /^[a-zA-Z]+$/.test(word)).join("");
    this.#pids = words.filter((word) => /^[\d,]+$/.test(word));
    const bad = words.find((word) => !/^(?:[aAefgjlnrSuvwx]+|[\d,]+)$/.test(word));
    if (bad !== undefined)
      throw new UsageError("unsupported option (BSD syntax)", { hasHint: false });
  }

  async print(): Promise<number> {
    const { sys, out, options } = this.#run;
    const names = new NameDatabase(sys);
    const userNames = new Map((await names.users()).map(({ uid, name }) => [uid, name]));
    const context: Context = { userNames, nowMs: (await sys.clock()).nowMs };
    const rows = await this.#select(await listProcesses(sys), context);
    const format = this.#format();
    const hasHeader =
      !options.has("no-headers") &&
      !options.has("no-heading") &&
      format.some(({ header }) => header !== "");
    if (hasHeader)
      out.addText(
        `${showLine(
          format,
          format.map(({ header }) => header),
        )}\n`,
      );
    for (const row of this.#sort(rows))
      out.addText(
        `${showLine(
          format,
          format.map(({ show }) => show(row, context)),
        )}\n`,
      );
    return rows.length === 0 ? 1 : 0;
  }

  #format(): Column[] {
    const { options } = this.#run;
    const given = options.all("format").flatMap((text) => splitFormat(text));
    if (given.length > 0) return given.map(findColumn);
    if (this.#bsd.includes("u")) return splitFormat(bsdUser).map(findColumn);
    if (this.#bsd.includes("j"))
      return splitFormat("ppid,pid,pgid,sid,tname,tpgid,stat,uid,bsdtime,args").map(findColumn);
    if (options.has("f") || options.has("F")) return fullFormat.map(findColumn);
    if (options.has("j")) return splitFormat("pid,pgid,sid,tname,time,ucmd").map(findColumn);
    if (this.#bsd !== "") return splitFormat("pid,tname,stat,bsdtime,args").map(findColumn);
    return splitFormat("pid,tname,time,ucmd").map(findColumn);
  }

  async #select(rows: readonly ProcessRow[], { userNames }: Context): Promise<ProcessRow[]> {
    const { options, sys } = this.#run;
    const list = (name: string): string[] =>
      options.all(name).flatMap((text) => text.split(/[\s,]+/));
    const pids = [...list("pid"), ...this.#pids.flatMap((text) => text.split(","))];
    const byId = (uid: number, wanted: readonly string[]): boolean =>
      wanted.includes(String(uid)) || wanted.includes(userNames.get(uid) ?? "?");
    const tests: ((row: ProcessRow) => boolean)[] = [];
    if (pids.length > 0) tests.push((row) => pids.includes(String(row.pid)));
    if (options.has("ppid")) tests.push((row) => list("ppid").includes(String(row.ppid)));
    if (options.has("user")) tests.push((row) => byId(row.euid, list("user")));
    if (options.has("User")) tests.push((row) => byId(row.uid, list("User")));
    if (options.has("C")) tests.push((row) => list("C").includes(row.comm));
    if (options.has("tty"))
      tests.push((row) => list("tty").some((tty) => row.tty === tty || row.tty === `pts/${tty}`));
    if (tests.length > 0) return rows.filter((row) => tests.some((test) => test(row)));
    if (options.has("e") || options.has("A")) return [...rows];
    const { euid } = await sys.getcredentials();
    const self = rows.find((row) => row.pid === 0) ?? (await this.#self(rows));
    if (this.#bsd.includes("a") || this.#bsd.includes("x") || options.has("x")) {
      return rows.filter(
        (row) =>
          (this.#bsd.includes("a") || row.euid === euid) &&
          (this.#bsd.includes("x") || options.has("x") || row.tty !== "?"),
      );
    }
    if (options.has("a")) return rows.filter((row) => row.tty !== "?" && row.pid !== row.sid);
    return rows.filter((row) => row.euid === euid && row.tty === (self?.tty ?? "?"));
  }

  async #self(rows: readonly ProcessRow[]): Promise<ProcessRow | undefined> {
    const pid = await this.#run.sys.getpid();
    return rows.find((row) => row.pid === pid);
  }

  #sort(rows: readonly ProcessRow[]): readonly ProcessRow[] {
    const spec = this.#run.options.get("sort");
    if (spec === undefined) return rows;
    const isReversed = spec.startsWith("-");
    const key = spec.replace(/^[-+]/, "").split(",")[0] ?? "pid";
    const value = (row: ProcessRow): string | number => {
      if (key === "pid") return row.pid;
      if (key === "ppid") return row.ppid;
      if (key === "comm" || key === "cmd") return row.comm;
      return key.startsWith("start") ? row.startMs : 0;
    };
    const sorted = rows.toSorted((a, b) =>
      value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0,
    );
    return isReversed ? sorted.toReversed() : sorted;
  }
}

const fullFormat = ["user=UID", "pid", "ppid", "c", "stime", "tname", "time", "cmd"];

/** `pid,comm=NAME`: what follows `=` is the header up to the word's end. */
function splitFormat(text: string): string[] {
  const at = text.indexOf("=");
  if (at === -1) return text.split(/[\s,]+/).filter((name) => name !== "");
  const before = text.slice(0, at).split(/[\s,]+/);
  const rest = /^=([^,]*)(?:,(.*))?$/s.exec(text.slice(at));
  const last = `${before.pop() ?? ""}=${rest?.[1] ?? ""}`;
  return [
    ...before.filter((name) => name !== ""),
    last,
    ...(rest?.[2] === undefined ? [] : splitFormat(rest[2])),
  ];
}

function findColumn(text: string): Column {
  const [name = "", header] = text.split("=");
  const column = columns.get(aliases.get(name) ?? name);
  if (column === undefined)
    throw new UsageError(`error: unknown user-defined format specifier "${name}"`, {
      hasHint: false,
    });
  return header === undefined ? column : { ...column, header };
}

function showLine(format: readonly Column[], cells: readonly string[]): string {
  const shown = format.map(({ align, width, header }, at) => {
    const cell = cells[at] ?? "";
    const wide = Math.max(width, header.length);
    if (align === "right") return cell.padStart(wide);
    return at === format.length - 1 ? cell : cell.padEnd(wide);
  });
  return shown.join(" ");
}

function showState(row: ProcessRow): string {
  const isLeader = row.pid === row.sid;
  const isForeground = row.foregroundPgid === row.pgid && row.tty !== "?";
  return `${row.state}${isLeader ? "s" : ""}${isForeground ? "+" : ""}`;
}

function showElapsed(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (days > 0) return `${days}-${two(hours)}:${clock}`;
  return hours > 0 ? `${two(hours)}:${clock}` : clock;
}
