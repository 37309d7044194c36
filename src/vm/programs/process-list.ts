import type { Sys } from "../../kernel/index.ts";
import { readDirectory } from "./directory.ts";
import { readSmallFile } from "./name-database.ts";

/** A process as /proc shows it. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  readonly state: string;
  readonly comm: string;
  readonly args: string;
  readonly uid: number;
  readonly euid: number;
  readonly gid: number;
  /** `pts/0`, or `?` without a terminal. */
  readonly tty: string;
  readonly foregroundPgid: number;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** Linux's USER_HZ. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;
/** Major numbers of Unix98 pseudo-terminals start here. */
const PTS_MAJOR = 136;

/** Every process there is, by pid. One that ends while it is read is left out. */
export async function listProcesses(sys: Sys): Promise<ProcessRow[]> {
  const bootMs =
    Number(/^btime (\d+)/m.exec((await readSmallFile(sys, "/proc/stat")) ?? "")?.[1] ?? 0) * 1000;
  const rows: ProcessRow[] = [];
  for (const { name } of await readDirectory(sys, "/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const row = await readProcess(sys, name, bootMs);
    if (row !== undefined) rows.push(row);
  }
  return rows.toSorted((a, b) => a.pid - b.pid);
}

async function readProcess(sys: Sys, pid: string, bootMs: number): Promise<ProcessRow | undefined> {
  const stat = await readSmallFile(sys, `/proc/${pid}/stat`);
  const status = await readSmallFile(sys, `/proc/${pid}/status`);
  if (stat === undefined || status === undefined) return undefined;
  const cmdline = (await readSmallFile(sys, `/proc/${pid}/cmdline`)) ?? "";
  const close = stat.lastIndexOf(")");
  const comm = stat.slice(stat.indexOf("(") + 1, close);
  const fields = stat.slice(close + 2).split(" ");
  const ids = (name: string): number[] =>
    (new RegExp(`^${name}:\\s+(.*)$`, "m").exec(status)?.[1] ?? "").split(/\s+/).map(Number);
  const args = cmdline.replace(/\0$/, "").replaceAll("\0", " ");
  return {
    pid: Number(pid),
    ppid: Number(fields[1]),
    pgid: Number(fields[2]),
    sid: Number(fields[3]),
    state: fields[0] ?? "?",
    comm,
    args: args === "" ? `[${comm}]` : args,
    uid: ids("Uid")[0] ?? 0,
    euid: ids("Uid")[1] ?? 0,
    gid: ids("Gid")[0] ?? 0,
    tty: terminalName(Number(fields[4])),
    foregroundPgid: Number(fields[5]),
    cpuMs: (Number(fields[11]) / TICKS_PER_SECOND) * 1000,
    memoryBytes: Number(fields[21]) * PAGE_BYTES,
    startMs: bootMs + (Number(fields[19]) / TICKS_PER_SECOND) * 1000,
  };
}

function terminalName(rdev: number): string {
  if (rdev === 0) return "?";
  return rdev >> 8 >= PTS_MAJOR ? `pts/${rdev & 0xff}` : "tty";
}
