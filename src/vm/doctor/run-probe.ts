// Runs the probe cell against targets of its own, and cleans them up.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { syscallNumbers } from "../../linux/index.ts";
import type { CellProcess } from "../broker/cell-process/cell-process.ts";
import { CellStarter } from "../broker/cell-process/cell-starter.ts";
import type { Layer, LayerName } from "../confinement/layer.ts";
import { openLibc } from "../confinement/libc.ts";
import { filterArchitecture } from "../confinement/seccomp.ts";
import type { AttackResult, AttackTargets } from "./attack.ts";

export interface ProbeReport {
  readonly layers: readonly Layer[];
  readonly attacks: readonly AttackResult[];
}

/** A probe takes a tenth of a second; a cell that is stuck is killed after this long. */
const PROBE_LIMIT_MS = 20_000;
const PROBE_MEMORY_BYTES = 512 * 1024 * 1024;

/** Starts a cell like any other, less the layers named in `without`, and lets it try every attack. */
export async function runProbe(
  options: { without?: readonly LayerName[] } = {},
): Promise<ProbeReport> {
  await using targets = await openTargets();
  await using starter = await CellStarter.create({ without: options.without ?? [] });
  const log: string[] = [];
  const cell = await starter.spawnCell({
    entry: probeEntry(),
    args: [JSON.stringify(targets.targets)],
    memoryLimitBytes: PROBE_MEMORY_BYTES,
    onLog: (line) => log.push(line),
  });
  const limit = setTimeout(() => cell.kill("silent"), PROBE_LIMIT_MS);
  try {
    const report = await readReport(cell, log);
    return { layers: mergeLayers(cell.layers, report.layers), attacks: report.attacks };
  } finally {
    clearTimeout(limit);
    cell.kill();
    await cell.exited;
  }
}

/** The compiled probe lies beside the compiled doctor, the source beside the source. */
function probeEntry(): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`./probe-cell.${extension}`, import.meta.url));
}

async function readReport(cell: CellProcess, log: readonly string[]): Promise<ProbeReport> {
  let text = "";
  for await (const chunk of cell.wire) text += String(chunk);
  if (text === "") {
    const end = await cell.exited;
    throw new Error(
      `the probe cell ${end.reason} (${end.signal ?? end.code}): ${log.slice(-5).join(" | ")}`,
    );
  }
  return JSON.parse(text);
}

/** A layer that both the starter and the cell enter is held if either holds it. */
function mergeLayers(fromStart: readonly Layer[], fromCell: readonly Layer[]): Layer[] {
  const merged = new Map<LayerName, Layer>();
  for (const layer of [...fromStart, ...fromCell]) {
    if (merged.get(layer.name)?.state !== "held") merged.set(layer.name, layer);
  }
  return [...merged.values()];
}

interface OpenTargets extends AsyncDisposable {
  readonly targets: AttackTargets;
}

async function openTargets(): Promise<OpenTargets> {
  const folder = await mkdtemp(join(tmpdir(), "agentos-mcp-probe-"));
  const tcp = createServer((socket) => socket.destroy());
  const unix = createServer((socket) => socket.destroy());
  const unixSocket =
    process.platform === "win32"
      ? `\\\\.\\pipe\\agentos-probe-${process.pid}`
      : join(folder, "socket");
  await listen(tcp, { port: 0, host: "127.0.0.1" });
  await listen(unix, { path: unixSocket });
  const abstractSocket = `agentos-mcp-probe-${process.pid}`;
  const abstract = createServer((socket) => socket.destroy());
  if (process.platform === "linux") await listen(abstract, { path: `\0${abstractSocket}` });
  const memory = makeSharedMemory();
  const address = tcp.address();
  const targets: AttackTargets = {
    serverPid: process.pid,
    hostFile: process.platform === "win32" ? "C:\\Windows\\win.ini" : "/etc/passwd",
    newFile: join(folder, "written"),
    program: ["/bin/true", "/usr/bin/true"].find((path) => existsSync(path)) ?? process.execPath,
    device:
      ["/dev/mem", "/dev/kmsg"].find((path) => process.getuid?.() === 0 && existsSync(path)) ??
      "/dev/zero",
    tcpPort: typeof address === "object" && address !== null ? address.port : 0,
    unixSocket,
    abstractSocket,
    sharedMemoryKey: memory.key,
  };
  return {
    targets,
    async [Symbol.asyncDispose]() {
      memory.remove();
      await Promise.all([tcp, unix, abstract].filter(({ listening }) => listening).map(close));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** shmget(2) with a key of this process's own. */
function makeSharedMemory(): { readonly key: number; remove(): void } {
  const key = process.pid;
  const libc = openLibc();
  const architecture = filterArchitecture();
  if (typeof libc === "string" || architecture === undefined)
    return { key, remove: () => undefined };
  const { shmget, shmctl } = syscallNumbers;
  const id = libc.syscall("shmget", shmget[architecture], key, 4096, IPC_CREAT | 0o666);
  return { key, remove: () => void libc.syscall("shmctl", shmctl[architecture], id, IPC_RMID, 0) };
}

/** sys/ipc.h */
const IPC_CREAT = 0o1000;
const IPC_RMID = 0;

function listen(
  server: Server,
  options: { port?: number; host?: string; path?: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => resolve());
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
