import { findThere } from "../command/map-path.ts";
import type { Sandbox } from "../provider.ts";
import type { ControllerOptions, SpawnWish } from "./controller-options.ts";
import type { HeldProcess, ProcessTable } from "./process-table.ts";

export interface ProcessStart {
  readonly sandbox: Sandbox;
  readonly options: ControllerOptions;
  readonly processes: ProcessTable;
  readonly argv: readonly string[];
  readonly wish: SpawnWish;
  /** The command of the VM that wants it. */
  readonly by: string;
}

/** Starts a process in a sandbox that runs, and records it. */
export async function startProcess(start: ProcessStart): Promise<HeldProcess> {
  const { sandbox, options, processes, argv, by } = start;
  const { isDetached = false, ...wish } = start.wish;
  const cwd = findThere(wish.cwd ?? sandbox.cwd, sandbox.cwd) ?? wish.cwd ?? sandbox.cwd;
  const process = await sandbox.spawn(argv, { ...wish, cwd });
  options.records.add(options.vm, "exec", { command: argv.join(" "), cwd, by });
  return processes.add(argv, process, isDetached);
}
