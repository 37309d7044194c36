// How much memory a process has, read from /proc/<pid>/statm. The file is opened once: that is cheaper
// than a path for each reading, and the number of a dead process may come back as another process.
import { closeSync, openSync, readSync } from "node:fs";

/** Linux's page size on the platforms we have a Node for. */
const PAGE_BYTES = 4096;

export class MemoryMeter {
  readonly #buffer = Buffer.alloc(128);
  #fd: number | undefined;

  /** Never throws: without a readable /proc there are just no readings. */
  constructor(pid: number) {
    this.#fd = process.platform === "linux" ? tryOpen(`/proc/${pid}/statm`) : undefined;
  }

  /** Resident bytes; undefined when the process is gone or the host does not tell. */
  read(): number | undefined {
    if (this.#fd === undefined) return undefined;
    try {
      const length = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, 0);
      const resident = Number(this.#buffer.toString("latin1", 0, length).split(" ")[1]);
      // A process that has ended and is not yet reaped has no memory.
      return resident > 0 ? resident * PAGE_BYTES : undefined;
    } catch (error) {
      if (isErrno(error, "ESRCH")) return undefined;
      throw error;
    }
  }

  close(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "EACCES")) return undefined;
    throw error;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
