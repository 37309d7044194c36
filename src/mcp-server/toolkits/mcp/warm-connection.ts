// One MCP server as its toolkit uses it: started at first use, kept warm, restarted with patience.
import { ToolError } from "../../../toolkit-cli/index.ts";
import { ConnectionLostError } from "./connection-lost.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { untilAborted } from "./until-aborted.ts";

export interface WarmOptions {
  readonly name: string;
  /** How long it stays open with nobody using it. */
  readonly idleMs: number;
  /** Opens a connection, unless the signal says that nobody wants it any more; fails with a ToolError. */
  readonly open: (signal: AbortSignal) => Promise<McpConnection>;
  /** Called when a server has gone that nobody asked to go. */
  readonly onLost: () => void;
  readonly log: (line: string) => void;
  /** A clock that only goes forward, in milliseconds. */
  readonly now: () => number;
}

/** A server that lived this long was not broken. */
const healthyMs = 60_000;
const longestDelayMs = 60_000;

export class WarmConnection {
  readonly #options: WarmOptions;
  #opening: Promise<McpConnection> | undefined;
  #users = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Failed starts and early deaths in a row. */
  #failures = 0;
  #lastFailure: { readonly atMs: number; readonly message: string } | undefined;
  readonly #closing = new AbortController();
  /** Connections that we end ourselves: all but the current one. */
  readonly #ending = new WeakSet<McpConnection>();
  /** Ends that are under way. */
  readonly #ends = new Set<Promise<void>>();

  constructor(options: WarmOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` on a connection. A server that has failed twice in a row is left alone for a while: then
   * this fails at once with its last failure.
   */
  async use<T>(
    signal: AbortSignal | undefined,
    work: (connection: McpConnection) => Promise<T>,
  ): Promise<T> {
    this.#users++;
    clearTimeout(this.#idleTimer);
    try {
      const connection = await untilAborted(this.#opened(), signal);
      try {
        return await work(connection);
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        this.#drop(connection);
        return await work(await untilAborted(this.#opened(), signal));
      }
    } finally {
      if (--this.#users === 0) this.#waitIdle();
    }
  }

  /** Ends the server; resolves once it is gone. Later uses fail. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#idleTimer);
    this.#dropCurrent();
    await Promise.all(this.#ends);
  }

  async #opened(): Promise<McpConnection> {
    const { name } = this.#options;
    if (this.#closing.signal.aborted) {
      throw new ToolError("unavailable", `The MCP server "${name}" is being ended.`);
    }
    if (this.#opening === undefined) {
      this.#refuseEarlyRetry();
      this.#opening = this.#open();
    }
    return await this.#opening;
  }

  async #open(): Promise<McpConnection> {
    const { open, onLost, log, name } = this.#options;
    try {
      const connection = await open(this.#closing.signal);
      const openedMs = this.#options.now();
      const lost = async (): Promise<void> => {
        await connection.closed;
        if (this.#ending.has(connection)) return;
        this.#opening = undefined;
        const isHealthy = this.#options.now() - openedMs >= healthyMs;
        this.#failed(
          `The MCP server "${name}" ended unexpectedly.`,
          isHealthy ? 0 : this.#failures + 1,
        );
        this.#track(this.#ended(connection));
        onLost();
        log(`mcp ${name}: ${await connection.describeEnd()}`);
      };
      lost().catch((error: unknown) => log(`mcp ${name}: ${String(error)}`));
      return connection;
    } catch (error) {
      this.#opening = undefined;
      this.#failed(error instanceof Error ? error.message : String(error), this.#failures + 1);
      throw error;
    }
  }

  #failed(message: string, failures: number): void {
    this.#failures = failures;
    this.#lastFailure = { atMs: this.#options.now(), message };
  }

  #refuseEarlyRetry(): void {
    if (this.#lastFailure === undefined || this.#failures < 2) return;
    const delayMs = Math.min(longestDelayMs, 1000 * 2 ** (this.#failures - 2));
    const waitMs = this.#lastFailure.atMs + delayMs - this.#options.now();
    if (waitMs <= 0) return;
    throw new ToolError(
      "unavailable",
      `${this.#lastFailure.message}\nIt has failed ${this.#failures} times and can be tried again in ${Math.ceil(waitMs / 1000)} s.`,
    );
  }

  #waitIdle(): void {
    if (this.#closing.signal.aborted || this.#opening === undefined) return;
    this.#idleTimer = setTimeout(() => this.#dropCurrent(), this.#options.idleMs).unref();
  }

  #dropCurrent(): void {
    const opening = this.#opening;
    if (opening === undefined) return;
    this.#opening = undefined;
    const end = opening.then(
      async (connection) => await this.#ended(connection),
      () => undefined,
    );
    this.#track(end);
  }

  #drop(connection: McpConnection): void {
    this.#opening = undefined;
    this.#track(this.#ended(connection));
  }

  async #ended(connection: McpConnection): Promise<void> {
    this.#ending.add(connection);
    try {
      await connection.close();
    } catch (error) {
      this.#options.log(`mcp ${this.#options.name}: could not be ended: ${String(error)}`);
    }
  }

  #track(end: Promise<void>): void {
    const tracked = end.finally(() => this.#ends.delete(tracked));
    this.#ends.add(tracked);
  }
}
