import { findSignalName, LAST_SIGNAL } from "../../abi/signals.ts";
import { limitNames, limitTable } from "../../limits/limits.ts";
import type { Process } from "../../process/process.ts";
import { mountLines } from "./mount-lines.ts";
import { netDirectory } from "./net-directory.ts";
import { directory, file, type ProcDirectory, type ProcLink, type ProcNode } from "./proc-node.ts";

/** Ticks of /proc/PID/stat per second: Linux's USER_HZ. */
export const TICKS_PER_SECOND = 100;

const PAGE_BYTES = 4096;

const stateLetters = { running: "S", stopped: "T", zombie: "Z" } as const;
const stateWords = {
  running: "S (sleeping)",
  stopped: "T (stopped)",
  zombie: "Z (zombie)",
} as const;

/** /proc/PID, see proc(5). What shows secrets is for the owner only. */
export function processDirectory(process: Process): ProcNode {
  const { credentials } = process;
  const entries = directory({
    cmdline: file(() => process.argv.map((argument) => `${argument}\0`).join("")),
    comm: file(() => `${process.comm}\n`),
    environ: owned(
      process,
      file(() => environText(process), 0o400),
    ),
    stat: file(() => statLine(process)),
    status: file(() => statusLines(process)),
    limits: file(() => limitLines(process)),
    mounts: file(() => mountLines(process.kernel)),
    net: netDirectory(process.kernel),
    cwd: magicLink(
      process,
      () => process.cwd.path,
      () => ({ place: process.cwd }),
    ),
    root: magicLink(
      process,
      () => "/",
      () => ({ place: process.kernel.vfs.mounts.root }),
    ),
    exe: owned(process, { kind: "symlink", mode: 0o777, target: () => process.exe }),
    fd: owned(process, fdDirectory(process)),
  });
  return { ...entries, uid: credentials.euid, gid: credentials.egid, subject: process };
}

/** The host's own processes show none. */
function environText({ env, isTrusted }: Process): string {
  return isTrusted ? "" : [...env].map(([name, value]) => `${name}=${value}\0`).join("");
}

function fdDirectory(process: Process): ProcDirectory {
  return {
    kind: "directory",
    mode: 0o500,
    names: () => process.fds.numbers().map((fd) => ({ name: String(fd), position: fd })),
    find: (name) => {
      const fd = Number(name);
      if (!/^(0|[1-9]\d*)$/.test(name) || process.fds.find(fd) === undefined) return undefined;
      return magicLink(
        process,
        () => process.fds.find(fd)?.describe() ?? "",
        () => {
          const open = process.fds.find(fd);
          if (open === undefined) return undefined;
          const isStored =
            open.place !== undefined && !open.isTerminal && open.place.inode.kind !== "fifo";
          return isStored && open.place !== undefined ? { place: open.place } : { file: open };
        },
      );
    },
  };
}

function magicLink(
  process: Process,
  target: () => string,
  follow: NonNullable<ProcLink["follow"]>,
): ProcNode {
  return owned(process, { kind: "symlink", mode: 0o777, target, follow });
}

function owned<N extends ProcNode>(process: Process, node: N): ProcNode {
  return { ...node, uid: process.credentials.euid, gid: process.credentials.egid };
}

/** The fields of proc_pid_stat(5) that mean something here; the others are 0. */
function statLine(process: Process): string {
  const { pid, session, pgid, parent, kernel, use } = process;
  const terminal = session.terminal;
  const startTicks =
    ((process.startedMs - (kernel.host.now() - (kernel.host.monotonic() - kernel.bootMs))) / 1000) *
    TICKS_PER_SECOND;
  const fields = [
    pid,
    `(${process.comm})`,
    stateLetters[process.state],
    parent?.pid ?? 0,
    pgid,
    session.sid,
    terminal === undefined ? 0 : terminal.rdev,
    terminal === undefined ? -1 : terminal.foregroundPgid,
    ...Array<number>(5).fill(0),
    ticksOf(use.cpuMs),
    0,
    ticksOf(process.childrenCpuMs),
    ...Array<number>(5).fill(0),
    Math.max(0, Math.round(startTicks)),
    use.memoryBytes,
    Math.ceil(use.memoryBytes / PAGE_BYTES),
    ...Array<number>(28).fill(0),
  ];
  return `${fields.join(" ")}\n`;
}

function ticksOf(ms: number): number {
  return Math.round((ms / 1000) * TICKS_PER_SECOND);
}

function statusLines(process: Process): string {
  const { credentials: who, signals } = process;
  return [
    `Name:\t${process.comm}`,
    `Umask:\t${process.umask.toString(8).padStart(4, "0")}`,
    `State:\t${stateWords[process.state]}`,
    `Tgid:\t${process.pid}`,
    `Pid:\t${process.pid}`,
    `PPid:\t${process.parent?.pid ?? 0}`,
    `Uid:\t${who.uid}\t${who.euid}\t${who.suid}\t${who.euid}`,
    `Gid:\t${who.gid}\t${who.egid}\t${who.sgid}\t${who.egid}`,
    `FDSize:\t${process.fds.numbers().length}`,
    `Groups:\t${who.groups.join(" ")}`,
    `VmRSS:\t${String(Math.ceil(process.use.memoryBytes / 1024)).padStart(8)} kB`,
    "Threads:\t1",
    `SigPnd:\t${mask((signal) => signals.pending.has(signal))}`,
    `SigBlk:\t${mask((signal) => signals.blocked.has(signal))}`,
    `SigIgn:\t${mask((signal) => signals.disposition(signal) === "ignore")}`,
    `SigCgt:\t${mask((signal) => signals.disposition(signal) === "catch")}`,
    "",
  ].join("\n");
}

function mask(has: (signal: number) => boolean): string {
  let bits = 0n;
  for (let signal = 1; signal <= LAST_SIGNAL; signal++) {
    if (findSignalName(signal) !== undefined && has(signal)) bits |= 1n << BigInt(signal - 1);
  }
  return bits.toString(16).padStart(16, "0");
}

function limitLines(process: Process): string {
  const { values } = process.kernel.limits;
  const rows = limitNames.map((name) => {
    const value = String(values[name]);
    const { unit } = limitTable[name];
    return `${name.padEnd(26)}${value.padEnd(21)}${value.padEnd(21)}${unit}`;
  });
  const head = `${"Limit".padEnd(26)}${"Soft Limit".padEnd(21)}${"Hard Limit".padEnd(21)}Units`;
  return `${[head, ...rows].join("\n")}\n`;
}
