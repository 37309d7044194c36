/** The columns ps prints, and how a format names them. */
import { formatTime } from "./format-time.ts";
import { UsageError } from "./options.ts";
import type { ProcessRow } from "./process-list.ts";

export interface Column {
  readonly header: string;
  readonly align: "left" | "right";
  readonly width: number;
  readonly show: (row: ProcessRow, context: Context) => string;
}

export interface Context {
  readonly userNames: ReadonlyMap<number, string>;
  readonly groupNames: ReadonlyMap<number, string>;
  readonly nowMs: number;
  /** The memory of the VM. */
  readonly totalBytes: number;
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
  ["time", right("TIME", 8, ({ cpuMs }) => showClock(cpuMs))],
  ["bsdtime", right("TIME", 6, ({ cpuMs }) => showMinutes(cpuMs))],
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
  ["bsdstart", right("START", 5, (row) => formatTime("%H:%M", row.startMs))],
  ["c", right("C", 2, () => "0")],
  [
    "pcpu",
    right("%CPU", 4, ({ cpuMs, startMs }, { nowMs }) =>
      Math.min(999, (cpuMs / Math.max(1, nowMs - startMs)) * 100).toFixed(1),
    ),
  ],
  [
    "pmem",
    right("%MEM", 4, ({ memoryBytes }, { totalBytes }) =>
      ((memoryBytes / totalBytes) * 100).toFixed(1),
    ),
  ],
  ["vsz", right("VSZ", 6, showKilobytes)],
  ["rss", right("RSS", 5, showKilobytes)],
  ["ni", right("NI", 3, () => "0")],
  ["pri", right("PRI", 3, () => "19")],
  ["nlwp", right("NLWP", 4, () => "1")],
  ["lwp", right("LWP", 7, (row) => String(row.pid))],
  ["f", right("F", 1, () => "4")],
  ["sz", right("SZ", 5, () => "0")],
  ["addr_sz", right("ADDR SZ", 7, () => "- 0")],
  ["psr", right("PSR", 3, () => "0")],
  ["wchan", left("WCHAN", 6, () => "-")],
  ["majfl", right("MAJFL", 6, () => "0")],
  ["trs", right("TRS", 5, () => "0")],
  ["drs", right("DRS", 5, () => "0")],
  ["group", left("GROUP", 8, showGroup)],
  ["egroup", left("EGROUP", 8, showGroup)],
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

/** `pid,comm=NAME`: what follows `=` is the header up to the word's end. */
export function splitFormat(text: string): string[] {
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

export function isColumn(name: string): boolean {
  return columns.has(aliases.get(name) ?? name);
}

export function findColumn(text: string): Column {
  const [name = "", header] = text.split("=");
  const column = columns.get(aliases.get(name) ?? name);
  if (column === undefined) throw new UsageError(`unknown user-defined format specifier "${name}"`);
  return header === undefined ? column : { ...column, header };
}

export function showLine(format: readonly Column[], cells: readonly string[]): string {
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

function showGroup(row: ProcessRow, { groupNames }: Context): string {
  return groupNames.get(row.gid) ?? String(row.gid);
}

function showKilobytes({ memoryBytes }: ProcessRow): string {
  return String(Math.ceil(memoryBytes / 1024));
}

/** `hh:mm:ss`. */
function showClock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** `m:ss`. */
function showMinutes(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
