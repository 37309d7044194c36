import { NameDatabase } from "./name-database.ts";
import { type Options, UsageError } from "./options.ts";
import {
  type Column,
  type Context,
  findColumn,
  isColumn,
  showLine,
  splitFormat,
} from "./process-columns.ts";
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
      { short: "y", help: "with -l: no flags, rss instead of addr" },
      { short: "L", help: "threads" },
      { short: "q", value: "PID", help: "process id, quick mode" },
      { short: "g", long: "group", value: "SESSION", help: "session" },
      { short: "s", long: "sid", value: "SESSION", help: "session" },
      { short: "G", long: "Group", value: "GROUP", help: "real group id or name" },
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
    prefix: "error: ",
    hint: () =>
      "\nUsage:\n ps [options]\n\n Try 'ps --help <simple|list|output|threads|misc|all>'\n  or 'ps --help <s|l|o|t|m|a>'\n for additional help text.\n\nFor more details see ps(1).\n",
  },
  async (run) => {
    const listing = new ProcessListing(run);
    return listing.print();
  },
);

const formats = {
  user: "user,pid,pcpu,pmem,vsz,rss,tname,stat,bsdstart,bsdtime,args",
  bsdJobs: "ppid,pid,pgid,sid,tname,tpgid,stat,uid,bsdtime,args",
  bsdLong: "f,uid,pid,ppid,pri,ni,vsz,rss,wchan,stat,tname,bsdtime,args",
  memory: "pid,tname,stat,bsdtime,majfl,trs,drs,rss,pmem,args",
  bsd: "pid,tname,stat,bsdtime,args",
  long: "f,s,uid,pid,ppid,c,pri,ni,addr_sz,wchan,tname,time,ucmd",
  longRss: "s,uid,pid,ppid,c,pri,ni,rss,sz,wchan,tname,time,ucmd",
  jobs: "pid,pgid,sid,tname,time,ucmd",
  plain: "pid,tname,time,ucmd",
};
/** The first column of the full formats is a user named UID. */
const fullFormats = {
  full: ["user=UID", "pid", "ppid", "c", "stime", "tname", "time", "cmd"],
  extra: ["user=UID", "pid", "ppid", "c", "sz", "rss", "psr", "stime", "tname", "time", "cmd"],
  threads: ["user=UID", "pid", "ppid", "lwp", "c", "nlwp", "stime", "tname", "time", "cmd"],
};

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
    const bad = words.find((word) => !/^(?:[aAefghjlnrSuvwx]+|[\d,]+)$/.test(word));
    if (bad !== undefined) throw new UsageError("unsupported option (BSD syntax)");
  }

  async print(): Promise<number> {
    const { sys, out, options } = this.#run;
    const names = new NameDatabase(sys);
    const userNames = new Map((await names.users()).map(({ uid, name }) => [uid, name]));
    const groupNames = new Map((await names.groups()).map(({ gid, name }) => [gid, name]));
    const { nowMs } = await sys.clock();
    const { memory } = await sys.sysinfo();
    const context: Context = { userNames, groupNames, nowMs, totalBytes: memory.totalBytes };
    const rows = this.#sort(await this.#select(await listProcesses(sys), context));
    const format = this.#format();
    const hasHeader =
      !options.has("no-headers") &&
      !this.#bsd.includes("h") &&
      !options.has("no-heading") &&
      format.some(({ header }) => header !== "");
    if (hasHeader)
      out.addText(
        `${showLine(
          format,
          format.map(({ header }) => header),
        )}\n`,
      );
    for (const row of rows)
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
    return (fullFormat(options) ?? splitFormat(formats[this.#style()])).map(findColumn);
  }

  #style(): keyof typeof formats {
    const { options } = this.#run;
    const letters = [...this.#bsd].filter((letter) => "ujlv".includes(letter));
    if (letters.includes("u")) return "user";
    if (letters.includes("j")) return "bsdJobs";
    if (letters.includes("l")) return "bsdLong";
    if (letters.includes("v")) return "memory";
    if (options.has("l")) return options.has("y") ? "longRss" : "long";
    if (options.has("j")) return "jobs";
    return /[^h]/.test(this.#bsd) ? "bsd" : "plain";
  }

  async #select(
    rows: readonly ProcessRow[],
    { userNames, groupNames }: Context,
  ): Promise<ProcessRow[]> {
    const { options, sys } = this.#run;
    const list = (name: string): string[] =>
      options.all(name).flatMap((text) => text.split(/[\s,]+/));
    const pids = [...list("pid"), ...list("q"), ...this.#pids.flatMap((text) => text.split(","))];
    checkNumbers([...pids, ...list("ppid")]);
    checkNames([...list("user"), ...list("User")], userNames, "user");
    checkNames(list("Group"), groupNames, "group");
    const byId = (id: number, wanted: readonly string[], names = userNames): boolean =>
      wanted.includes(String(id)) || wanted.includes(names.get(id) ?? "?");
    const tests: ((row: ProcessRow) => boolean)[] = [];
    if (pids.length > 0) tests.push((row) => pids.includes(String(row.pid)));
    if (options.has("ppid")) tests.push((row) => list("ppid").includes(String(row.ppid)));
    if (options.has("user")) tests.push((row) => byId(row.euid, list("user")));
    if (options.has("User")) tests.push((row) => byId(row.uid, list("User")));
    if (options.has("Group")) tests.push((row) => byId(row.gid, list("Group"), groupNames));
    const sessions = [...list("group"), ...list("sid")];
    if (sessions.length > 0) tests.push((row) => sessions.includes(String(row.sid)));
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
    if (!isColumn(key)) throw new UsageError("unknown sort specifier");
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

function fullFormat(options: Options): readonly string[] | undefined {
  if (options.has("L")) return fullFormats.threads;
  if (options.has("F")) return fullFormats.extra;
  return options.has("f") ? fullFormats.full : undefined;
}

function checkNumbers(words: readonly string[]): void {
  if (words.some((word) => !/^\d+$/.test(word)))
    throw new UsageError("process ID list syntax error");
}

function checkNames(
  words: readonly string[],
  names: ReadonlyMap<number, string>,
  what: string,
): void {
  const known = new Set(names.values());
  if (words.some((word) => !/^\d+$/.test(word) && !known.has(word)))
    throw new UsageError(`${what} name does not exist`);
}
