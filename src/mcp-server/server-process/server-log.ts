// The server's log: one file per home, whose size has a limit. Each event is one line, a JSON object without hidden characters.
import { appendFileSync, copyFileSync, statSync, truncateSync } from "node:fs";
import { visibleJson } from "../../toolkit-cli/visible-text.ts";
import { type LogLevel, logLevels } from "../settings.ts";

/** A week of ordinary use; as much again is kept in `server.log.1`. */
const maxLogBytes = 5 * 1024 * 1024;
const maxTextLength = 8192;

export interface ServerLogOptions {
  /** Events less grave than this are left out. */
  readonly level?: LogLevel;
  readonly maxBytes?: number;
}

type Facts = Readonly<Record<string, string | number | undefined>>;

/**
 * Appends events to the log: `time`, `pid`, `level`, `message`, and the facts of the event. Crashes of the process
 * itself reach the same file through its stderr, as they are.
 */
export class ServerLog {
  readonly #file: string;
  readonly #maxBytes: number;
  readonly #levels: ReadonlySet<LogLevel>;

  constructor(file: string, { level = "info", maxBytes = maxLogBytes }: ServerLogOptions = {}) {
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#levels = new Set(logLevels.slice(0, logLevels.indexOf(level) + 1));
  }

  /** Something of ours failed; with the stack of an error and of its causes. */
  error(message: string, error?: unknown): void {
    this.#write("error", message, error === undefined ? {} : { error: describe(error) });
  }

  /** Something that a person may want to look at: of a VM, a toolkit or a sandbox. */
  warn(message: string, facts: Facts = {}): void {
    this.#write("warn", message, facts);
  }

  /** The life of the server. */
  info(message: string, facts: Facts = {}): void {
    this.#write("info", message, facts);
  }

  /** Who comes and goes. */
  debug(message: string, facts: Facts = {}): void {
    this.#write("debug", message, facts);
  }

  /** Who else has the file open appends to it, so it is emptied in place rather than renamed. */
  #write(level: LogLevel, message: string, facts: Facts): void {
    if (!this.#levels.has(level)) return;
    const time = new Date().toISOString();
    const event = { time, pid: process.pid, level, message, ...facts };
    const line = `${visibleJson(event, (_, value) => cut(value))}\n`;
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

function cut(value: unknown): unknown {
  return typeof value === "string" ? value.slice(0, maxTextLength) : value;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${describe(error.cause)}`;
}
