import type { Kernel } from "../../kernel.ts";
import { PID_MAX } from "../../process/process-table.ts";
import { directory, file, type ProcDirectory, type ProcNode } from "./proc-node.ts";
import { processDirectory } from "./process-directory.ts";

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
    cpuinfo: file(() => "processor\t: 0\nmodel name\t: agentOS virtual CPU\n\n"),
    filesystems: file(() =>
      ["memory", "overlay", "devtmpfs", "proc"].map((type) => `nodev\t${type}\n`).join(""),
    ),
    loadavg: file(() => loadLine(kernel)),
    meminfo: file(() => memoryLines(kernel)),
    stat: file(
      () =>
        `cpu  0 0 0 0 0 0 0 0 0 0\nbtime ${bootSeconds(kernel)}\nprocesses ${kernel.processes.list().length}\n`,
    ),
    uptime: file(() => `${uptimeSeconds(kernel)} ${uptimeSeconds(kernel)}\n`),
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

function loadLine(kernel: Kernel): string {
  const all = kernel.processes.list();
  const running = all.filter(({ state }) => state === "running").length;
  return `0.00 0.00 0.00 ${running}/${all.length} ${Math.max(...all.map(({ pid }) => pid))}\n`;
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
