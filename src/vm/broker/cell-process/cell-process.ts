// One running cell as the server sees it: its wire, its memory, its end.
import type { Duplex } from "node:stream";
import type { Layer } from "../../confinement/layer.ts";
import { CellLog, type LogLine } from "./cell-log.ts";
import { MemoryMeter } from "./memory-meter.ts";
import type { ProcessEnd, StartedProcess } from "./process-starter.ts";

/**
 * Why the server killed a cell: it is no longer wanted, over its memory limit, does not answer, or
 * says what no cell of ours says.
 */
export type KillReason = "stopped" | "memory" | "all-memory" | "silent" | "stuck" | "protocol";

export interface CellExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** `exited` is status 0; `crashed` is every end nobody asked for; a full heap counts as `memory`. */
  readonly reason: KillReason | "exited" | "crashed";
}

/**
 * A cell from its start to its end. Whoever started it owns it and either kills it or closes its
 * starter. All input from `wire` is hostile. `exited` resolves once, after the process is reaped,
 * and never rejects.
 */
export class CellProcess {
  readonly pid: number;
  /** The cell's fd 3. Destroyed when the cell ends. */
  readonly wire: Duplex;
  readonly exited: Promise<CellExit>;
  readonly memoryLimitBytes: number;
  /** The layers the cell was started with; the cell itself reports the others. */
  readonly layers: readonly Layer[];
  readonly #process: StartedProcess;
  readonly #memory: MemoryMeter;
  #killReason: KillReason | undefined;

  constructor(
    process: StartedProcess,
    options: { memoryLimitBytes: number; layers: readonly Layer[]; onLog?: LogLine },
  ) {
    this.pid = process.pid;
    this.wire = process.wire;
    this.memoryLimitBytes = options.memoryLimitBytes;
    this.layers = options.layers;
    this.#process = process;
    this.#memory = new MemoryMeter(process.pid);
    const log = new CellLog(process.log, options.onLog);
    this.exited = process.ended.then((end) => this.#finish(end, log));
  }

  /** Resident memory of the whole process; undefined once it has ended, or where the host does not tell. */
  residentBytes(): number | undefined {
    return this.#memory.read();
  }

  /** SIGKILL. The first reason given is the one in `exited`. */
  kill(reason: KillReason = "stopped"): void {
    this.#killReason ??= reason;
    this.#process.kill();
  }

  async #finish(end: ProcessEnd, log: CellLog): Promise<CellExit> {
    this.#memory.close();
    await log.finish();
    this.wire.destroy();
    return { ...end, reason: this.#killReason ?? reasonOf(end, log) };
  }
}

function reasonOf(end: ProcessEnd, log: CellLog): CellExit["reason"] {
  if (end.code === 0) return "exited";
  return log.saysHeapIsFull ? "memory" : "crashed";
}
