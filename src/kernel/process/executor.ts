import type { Sys } from "../syscalls/sys.ts";

/** What a process is to run. */
export interface Image {
  /** The file found, without links. */
  readonly path: string;
  /** The file's first bytes, at most 256: enough to tell what it is. */
  readonly header: Uint8Array;
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
}

/** What a process has used. */
export interface ProcessUse {
  readonly memoryBytes: number;
  /** Time of a processor, from its start on. */
  readonly cpuMs: number;
}

/** A run of an image in one process. */
export interface Execution {
  /** Resolves to the exit code. Fails with ProcessEnded when the process was ended from outside. */
  readonly ended: Promise<number>;
  /** Stops it for good; the kernel has already ended the process. Never throws. */
  kill(): void;
  /** Where the executor counts for itself; else a process uses what it says it holds. */
  use?(): ProcessUse;
}

/**
 * Runs one kind of executable. Chosen by the file's first bytes; `#!` scripts never come here, the
 * kernel has replaced them by their interpreter.
 */
export interface Executor {
  readonly name: string;
  accepts(header: Uint8Array): boolean;
  /**
   * What the file runs wherever it lies, as the path that stands for it in the policy; undefined
   * where that is the file itself.
   */
  identify?(header: Uint8Array): string | undefined;
  start(image: Image, sys: Sys): Execution;
}
