/** Boots a VM's kernel with its executors and mounts. Cells and tests boot through this and nothing else. */
import {
  DeviceFileSystem,
  type FileSystem,
  Kernel,
  type Limits,
  MemoryFileSystem,
  OverlayFileSystem,
  ProcFileSystem,
  PtsFileSystem,
  type SeedEntry,
} from "../../kernel/index.ts";
import type { StreamTable } from "../../streams/index.ts";
import type { GuestNatives } from "../executors/isolate/load-natives.ts";
import { ProgramExecutor } from "../executors/program/program-executor.ts";
import type { ServedFileSystem } from "../filesystems/served/served-file-system.ts";
import { defaultEnvironment, imageEntries } from "../image/image.ts";
import type { BootConfig } from "../wire/messages.ts";
import type { CellHost } from "./cell-host.ts";
import { CellMemory } from "./cell-memory.ts";
import type { CellWire } from "./cell-wire.ts";
import { Commands } from "./commands.ts";
import { HostCommandExecutor, makeHostCommands } from "./host-commands/host-command-executor.ts";
import { linkSoftware } from "./link-software.ts";
import { mountAt } from "./mount-at.ts";
import { mountServed } from "./mount-served.ts";
import { NodeExecutor } from "./node-executor.ts";
import type { ServerRequests } from "./server-requests.ts";
import { findToolkitProgram, makeToolkitCommands } from "./toolkits/toolkit-commands.ts";
import { Toolkits } from "./toolkits/toolkits.ts";
import { Watches } from "./watch-calls.ts";

/** A booted VM: its kernel, and the parts that the server talks to. */
export interface Machine {
  readonly kernel: Kernel;
  readonly streams: StreamTable;
  readonly memory: CellMemory;
  readonly commands: Commands;
  readonly watches: Watches;
  readonly node: NodeExecutor;
  readonly toolkits: Toolkits;
  /** In the order of the boot's configuration. */
  readonly mounts: readonly ServedFileSystem[];
}

/** What a machine needs of the cell around it. */
export interface MachineParts {
  /** The read-only root below what the VM writes. */
  readonly image: FileSystem;
  readonly host: CellHost;
  readonly wire: CellWire;
  readonly requests: ServerRequests;
  /** What runs JavaScript; undefined where the platform has none. */
  readonly natives: GuestNatives | undefined;
  /** Only the end of the cell ends one of its guests. */
  readonly onStuck: () => void;
}

/** A KernelError about the place where something cannot be mounted. */
export async function bootMachine(parts: MachineParts, config: BootConfig): Promise<Machine> {
  const { host, wire, requests, natives, onStuck } = parts;
  const { software = [], toolkits: toolkitNames = [], commands = [] } = config;
  const node = new NodeExecutor({ host, natives, onStuck });
  const memory = new CellMemory({
    totalBytes: config.memoryBytes,
    ledger: natives?.ledger,
    watch: host.memory,
  });
  const kernel: Kernel = new Kernel({
    host,
    root: (counted) => makeRoot(parts, counted),
    executors: [
      new ProgramExecutor({ log: (line) => host.log(line), findMore: findToolkitProgram }),
      node,
      new HostCommandExecutor(requests, () => kernel),
    ],
    limits: config.limits,
    memory,
    permissions: config.permissions,
    hostname: config.hostname,
    env: new Map([...defaultEnvironment, ...Object.entries(config.env)]),
  });
  memory.start(kernel);
  host.onTurn(() => memory.look(kernel));
  const toolkits = new Toolkits(kernel, requests);
  await mountSystem(kernel, toolkits);
  await makeToolkitCommands(kernel, toolkitNames);
  await makeHostCommands(kernel, commands);
  const mounts = await mountServed(kernel, requests, config.mounts ?? []);
  await linkSoftware(
    kernel,
    software.map(({ at }) => at),
  );
  return {
    kernel,
    streams: wire.streams,
    memory,
    commands: new Commands(kernel, wire.streams),
    watches: new Watches(kernel, wire),
    node,
    toolkits,
    mounts,
  };
}

/** A root for any number of VMs, with `more` beside what every VM has. */
export function makeImage(more: Iterable<SeedEntry> = []): FileSystem {
  const image = new MemoryFileSystem({
    now: () => performance.timeOrigin + performance.now(),
    isReadOnly: true,
  });
  image.seed([...imageEntries(), ...more]);
  return image;
}

function makeRoot({ image, host }: MachineParts, limits: Limits): FileSystem {
  return new OverlayFileSystem({
    upper: new MemoryFileSystem({ now: () => host.now(), limits }),
    lower: [image],
    yieldTurn: () => host.yieldTurn(),
  });
}

async function mountSystem(kernel: Kernel, toolkits: Toolkits): Promise<void> {
  const { host, limits, ptys } = kernel;
  const devices = new DeviceFileSystem({ host, limits });
  devices.addDevice("toolkits", toolkits.device);
  await mountAt(kernel, "/dev", devices);
  await mountAt(kernel, "/dev/pts", new PtsFileSystem(ptys, () => host.now()));
  await mountAt(kernel, "/proc", new ProcFileSystem(kernel));
}
