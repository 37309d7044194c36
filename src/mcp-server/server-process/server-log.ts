// The server's log: one file per home, whose size has a limit.
import { appendFileSync, copyFileSync, statSync, truncateSync } from "node:fs";

/** A week of ordinary use; as much again is kept in `server.log.1`. */
const maxLogBytes = 5 * 1024 * 1024;
const maxLineLength = 8192;

/** Appends lines to the log. Crashes of the process itself reach the same file through its stderr. */
export class ServerLog {
  readonly #file: string;
  readonly #maxBytes: number;

  constructor(file: string, maxBytes: number = maxLogBytes) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  info(message: string): void {
    this.#write("info", message);
  }

  /** A problem, with the stack of an error and of its causes. */
  error(message: string, error?: unknown): void {
    this.#write("error", error === undefined ? message : `${message}: ${describe(error)}`);
  }

  /** Who else has the file open appends to it, so it is emptied in place rather than renamed. */
  #write(level: string, message: string): void {
    const line = `${new Date().toISOString()} ${process.pid} ${level} ${message.slice(0, maxLineLength)}\n`;
    try {
      appendFileSync(this.#file, line, { mode: 0o600 });
      if (statSync(this.#file).size <= this.#maxBytes) return;
      copyFileSync(this.#file, `${this.#file}.1`);
      truncateSync(this.#file);
    } catch (error) {
      // A full disk or a removed home must not end the server; stderr is all that is left.
      process.stderr.write(`${line}${describe(error)}\n`);
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${describe(error.cause)}`;
}
