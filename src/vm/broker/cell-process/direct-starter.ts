// Starts processes from the server's own thread, where no thread can be restricted first. It takes
// nothing away; the flags and the jail inside the cell are all there is.
import { type ChildProcess, spawn } from "node:child_process";
import { Duplex, PassThrough } from "node:stream";
import { type Layer, notHeld, unavailable } from "../../confinement/layer.ts";
import { launcherLayers } from "./launcher-frames.ts";
import type {
  ProcessCommand,
  ProcessEnd,
  ProcessStarter,
  StartedProcess,
} from "./process-starter.ts";

/** `reason` says why processes are not restricted from their start on. */
export class DirectStarter implements ProcessStarter {
  readonly layers: readonly Layer[];
  readonly parentPid = process.pid;
  readonly #running = new Map<ChildProcess, Promise<ProcessEnd>>();

  constructor(reason: string) {
    const missing = process.platform === "linux" ? notHeld : unavailable;
    this.layers = launcherLayers
      // The cell enters these by itself.
      .filter((name) => name !== "no-new-privileges" && name !== "parent-death")
      .map((name) => missing(name, reason));
  }

  async start(command: ProcessCommand): Promise<StartedProcess> {
    const child = spawn(command.file, command.args, {
      cwd: command.workingDirectory,
      env: command.environment,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const ended = new Promise<ProcessEnd>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const pid = child.pid;
    if (pid === undefined) {
      return new Promise((_resolve, reject) => child.once("error", reject));
    }
    this.#running.set(child, ended);
    child.once("exit", () => this.#running.delete(child));
    const wire = child.stdio[3];
    if (!(wire instanceof Duplex)) throw new Error("the cell's wire is not a duplex stream");
    const log = new PassThrough();
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log);
    return { pid, wire, log, ended, kill: () => void child.kill("SIGKILL") };
  }

  async close(): Promise<void> {
    for (const child of this.#running.keys()) child.kill("SIGKILL");
    await Promise.all(this.#running.values());
  }
}
