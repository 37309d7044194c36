// How a cell's host process comes to be: the contract, with two implementations. `launcher-starter`
// has a native program that restricts itself and starts processes; `direct-starter` is for hosts without that.
import type { Duplex, Readable } from "node:stream";
import type { Layer } from "../../confinement/layer.ts";

export interface ProcessCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running process. Its owner consumes `log` and destroys both streams. */
export interface StartedProcess {
  readonly pid: number;
  /** The process's fd 3. */
  readonly wire: Duplex;
  /** The process's stdout and stderr. */
  readonly log: Readable;
  /** Resolves when the process is gone and reaped; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** SIGKILL; does nothing once the process has ended. */
  kill(): void;
}

export interface ProcessStarter {
  /** The layers every process from here has from its first instruction on. */
  readonly layers: readonly Layer[];
  /** What a process from here sees as its parent's pid: 0 where the parent is in another pid namespace. */
  readonly parentPid: number;
  /** Rejects where the process cannot be started. */
  start(command: ProcessCommand): Promise<StartedProcess>;
  /** Kills what is still running and waits for its end. */
  close(): Promise<void>;
}
