import type { Kernel } from "../../kernel.ts";
import { PID_MAX } from "../../process/process-table.ts";
import { directory, file, type ProcDirectory, type ProcNode } from "./proc-node.ts";
import { processDirectory, TICKS_PER_SECOND } from "./process-directory.ts";

/** /proc itself: what the machine says of itself, and a directory for each process. */
export function rootDirectory(kernel: Kernel): ProcDirectory {
  const fixed = new Map(Object.entries(machineEntries(kernel)));
  return {
    kind: "directory",
    mode: 0o555,
    names: () => [
      ...[...fixed.keys()].map((name, position) => ({ name, position })),
      ...kernel.processes
        .list()
        .map(({ pid }) => ({ name: String(pid), position: fixed.size + pid }))
        .sort((a, b) => a.position - b.position),
    ],
    find: (name) => {
      if (!/^[1-9]\d*$/.test(name)) return fixed.get(name);
      const process = kernel.processes.find(Number(name));
      return process === undefined ? undefined : processDirectory(process);
    },
  };
}

function machineEntries(kernel: Kernel): Record<string, ProcNode> {
  return {
    self: { kind: "symlink", mode: 0o777, target: String },
    mounts: { kind: "symlink", mode: 0o777, target: () => "self/mounts" },
    net: { kind: "symlink", mode: 0o777, target: () => "self/net" },
    cpuinfo: file(() => cpuLines(kernel)),
    filesystems: file(() =>
      ["memory", "overlay", "devtmpfs", "proc"].map((type) => `nodev\t${type}\n`).join(""),
    ),
    loadavg: file(() => loadLine(kernel)),
    meminfo: file(() => memoryLines(kernel)),
    stat: file(() => statLines(kernel)),
    uptime: file(() => `${uptimeSeconds(kernel)} ${(idleMs(kernel) / 1000).toFixed(2)}\n`),
    version: file(() => {
      const { sysname, release, version } = kernel.uname;
      return `${sysname} version ${release} ${version}\n`;
    }),
    sys: directory({
      kernel: directory({
        hostname: file(() => `${kernel.uname.nodename}\n`),
        ostype: file(() => `${kernel.uname.sysname}\n`),
        osrelease: file(() => `${kernel.uname.release}\n`),
        pid_max: file(() => `${PID_MAX}\n`),
      }),
    }),
  };
}

function uptimeSeconds(kernel: Kernel): string {
  return ((kernel.host.monotonic() - kernel.bootMs) / 1000).toFixed(2);
}

function bootSeconds(kernel: Kernel): number {
  return Math.floor((kernel.host.now() - (kernel.host.monotonic() - kernel.bootMs)) / 1000);
}

function cpuLines({ host }: Kernel): string {
  const lines = (at: number): string => `processor\t: ${at}\nmodel name\t: agentOS virtual CPU\n\n`;
  return Array.from({ length: host.cpus }, (_, at) => lines(at)).join("");
}

/** What the processors had left, all together. */
function idleMs(kernel: Kernel): number {
  const { host, bootMs } = kernel;
  return Math.max(0, (host.monotonic() - bootMs) * host.cpus - kernel.totalCpuMs());
}

/** Deviation: which processor a process used is not known: the line of all together is the only one. */
function statLines(kernel: Kernel): string {
  const ticks = (ms: number): number => Math.round((ms / 1000) * TICKS_PER_SECOND);
  return [
    `cpu  ${ticks(kernel.totalCpuMs())} 0 0 ${ticks(idleMs(kernel))} 0 0 0 0 0 0`,
    `btime ${bootSeconds(kernel)}`,
    `processes ${kernel.processes.list().length}\n`,
  ].join("\n");
}

function loadLine(kernel: Kernel): string {
  const all = kernel.processes.list();
  const running = all.filter(({ state }) => state === "running").length;
  const loads = kernel.load.read(kernel.host.monotonic(), kernel.totalCpuMs());
  const shown = loads.map((load) => load.toFixed(2)).join(" ");
  return `${shown} ${running}/${all.length} ${Math.max(...all.map(({ pid }) => pid))}\n`;
}

/** Files are in memory, as those of a tmpfs: Shmem. */
function memoryLines(kernel: Kernel): string {
  const { limits, memory } = kernel;
  const kilobytes = (bytes: number): string => String(Math.floor(bytes / 1024)).padStart(8);
  const free = Math.max(0, memory.totalBytes - memory.usedBytes());
  return [
    `MemTotal:       ${kilobytes(memory.totalBytes)} kB`,
    `MemFree:        ${kilobytes(free)} kB`,
    `MemAvailable:   ${kilobytes(free)} kB`,
    `Shmem:          ${kilobytes(limits.used("maxFilesystemBytes"))} kB`,
    "SwapTotal:             0 kB",
    "SwapFree:              0 kB",
    "",
  ].join("\n");
}
