// Starts cells: puts together the flags, the restricted thread and an empty working directory, and
// says which layers of the jail every cell has from its start.
import { writeFileSync } from "node:fs";
import type { JailOptions } from "../../confinement/jail-options.ts";
import { held, type Layer, type LayerName, notHeld, unavailable } from "../../confinement/layer.ts";
import { openLibc } from "../../confinement/libc.ts";
import { cellFlags } from "./cell-flags.ts";
import type { LogLine } from "./cell-log.ts";
import { CellProcess } from "./cell-process.ts";
import { DirectStarter } from "./direct-starter.ts";
import { makeEmptyDirectory } from "./empty-directory.ts";
import { findCellNode } from "./find-cell-node.ts";
import { describeLauncherSetup, findLauncher } from "./launcher-setup.ts";
import { createLauncher } from "./launcher-starter.ts";
import { ownCode, withRealPaths } from "./own-code.ts";
import type { ProcessStarter } from "./process-starter.ts";

export interface CellStarterOptions {
  /** Further files or folders cells may read, beside this package's code. */
  readonly readable?: readonly string[];
  /** The Node that cells run on; the pinned one when absent. */
  readonly nodePath?: string;
  /** Lets cells load native addons before their jail stands. */
  readonly allowAddons?: boolean;
  /** Layers to leave out, for tests that show what a layer stops. */
  readonly without?: readonly LayerName[];
}

export interface CellOptions {
  /** The file the cell runs, within what it may read. */
  readonly entry: string;
  /** The watchdog's limit for the whole process. */
  readonly memoryLimitBytes: number;
  /** Limit of the cell's own JavaScript heap; half of `memoryLimitBytes` when absent. */
  readonly heapLimitBytes?: number;
  /** Further arguments for the entry, from `process.argv[3]` on. */
  readonly args?: readonly string[];
  readonly onLog?: LogLine;
}

/** The one place cells come from. Its owner closes it, which kills the cells that still run. */
export class CellStarter {
  readonly layers: readonly Layer[];
  readonly #starter: ProcessStarter;
  readonly #options: Required<CellStarterOptions>;
  readonly #workingDirectory: string;

  private constructor(
    starter: ProcessStarter,
    options: Required<CellStarterOptions>,
    workingDirectory: string,
  ) {
    this.#starter = starter;
    this.#options = options;
    this.#workingDirectory = workingDirectory;
    this.layers = starter.layers;
  }

  static async create(options: CellStarterOptions = {}): Promise<CellStarter> {
    const whole = {
      readable: withRealPaths([...ownCode(), ...(options.readable ?? [])]),
      nodePath: options.nodePath ?? (await findCellNode()),
      allowAddons: options.allowAddons ?? true,
      without: options.without ?? [],
    };
    return new CellStarter(await createProcessStarter(whole), whole, makeEmptyDirectory());
  }

  /** Resolves when the process exists, long before its entry has run. Rejects if it cannot be started. */
  async spawnCell(options: CellOptions): Promise<CellProcess> {
    const { allowAddons, readable, without } = this.#options;
    const heapLimitBytes = options.heapLimitBytes ?? options.memoryLimitBytes / 2;
    const flags = cellFlags({ readable, heapLimitBytes, allowAddons, without });
    const jail: JailOptions = {
      parentPid: this.#starter.parentPid,
      dropAddons: allowAddons,
      without,
    };
    const started = await this.#starter.start({
      file: this.#options.nodePath,
      args: [
        ...flags,
        withRealPaths([options.entry]).at(-1) ?? options.entry,
        JSON.stringify(jail),
        ...(options.args ?? []),
      ],
      workingDirectory: this.#workingDirectory,
      environment: without.includes("empty-environment") ? ownEnvironment() : {},
    });
    const layers = [...this.layers, environmentLayer(without), killFirst(started.pid)];
    const { memoryLimitBytes, onLog } = options;
    return new CellProcess(started, { memoryLimitBytes, layers, ...(onLog && { onLog }) });
  }

  async close(): Promise<void> {
    await this.#starter.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function createProcessStarter(
  options: Required<CellStarterOptions>,
): Promise<ProcessStarter> {
  const libc = openLibc();
  if (typeof libc === "string") return new DirectStarter(libc);
  const { readable, nodePath, without } = options;
  return createLauncher(
    libc,
    findLauncher(),
    describeLauncherSetup({ readable, nodePath, without }),
  );
}

function environmentLayer(without: readonly LayerName[]): Layer {
  const name = "empty-environment";
  if (without.includes(name)) return notHeld(name, "switched off by an option");
  return held(name, "no variables, an empty working directory");
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).map(([name, value]) => [name, value ?? ""]),
  );
}

/** When the host runs out of memory, the kernel takes cells before anything else. */
function killFirst(pid: number): Layer {
  const name = "first-out-of-memory";
  if (process.platform !== "linux")
    return unavailable(name, `there is no oom_score_adj on ${process.platform}`);
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
    return held(name, "oom_score_adj is 1000");
  } catch (error) {
    return notHeld(name, error instanceof Error ? error.message : String(error));
  }
}
