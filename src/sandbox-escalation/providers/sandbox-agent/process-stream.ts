// A process of the server as a stream of bytes. The server carries input by a request each, and output as a log that is
// followed: pieces that were left out are asked for again, and a connection that breaks is made anew, so nothing is lost.
import { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { SandboxError } from "../../provider.ts";
import { type LogEntry, LogOrder } from "./log-order.ts";
import type { ServerClient } from "./server-client.ts";

export class ProcessStream extends Duplex {
  readonly #client: ServerClient;
  readonly #id: string;
  readonly #end = new AbortController();
  readonly #order = new LogOrder();
  readonly #onClose: () => void;
  #filling: Promise<void> | undefined;

  /** Follows it until it ends, which ends the stream; destroyed, it calls `onClose`. */
  constructor(client: ServerClient, id: string, onClose: () => void) {
    super({ allowHalfOpen: false });
    this.#client = client;
    this.#id = id;
    this.#onClose = onClose;
    this.#follow().catch((error: unknown) => this.destroy(asError(error)));
  }

  override _read(): void {
    // What comes is bounded by what the agent was granted.
  }

  override _write(
    chunk: Uint8Array,
    _encoding: string,
    settle: (error?: Error | null) => void,
  ): void {
    this.#send(chunk).then(
      () => settle(),
      (error: unknown) => settle(asError(error)),
    );
  }

  override _writev(
    chunks: readonly { readonly chunk: Uint8Array }[],
    settle: (error?: Error | null) => void,
  ): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "", settle);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#end.abort();
    this.#onClose();
    done(error);
  }

  /** A request that fails may have arrived: it is not made again. */
  async #send(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
      const data = Buffer.from(bytes.subarray(at, at + INPUT_BYTES)).toString("base64");
      const input = { data, encoding: "base64" };
      await this.#client
        .ask((agent) => agent.sendProcessInput(this.#id, input), this.#end.signal)
        .catch((error: unknown) => this.#explainRefusal(error));
    }
  }

  #explainRefusal(error: unknown): never {
    const { status, words } = this.#client.explain(error);
    const isOver = status !== undefined && NO_READER.has(status);
    throw new SandboxError("gone", isOver ? "The sandbox's agent has ended." : words);
  }

  async #follow(): Promise<void> {
    for (let failures = 0; !this.destroyed; ) {
      const before = this.#order.last;
      const failure = await this.#followOnce().catch((error: unknown) => error);
      if (this.destroyed) return;
      failures = this.#order.last > before ? 0 : failures + 1;
      if (failure instanceof RangeError || (await this.#hasEnded(failures))) {
        this.destroy(new SandboxError("gone", "The sandbox's agent has ended."));
        return;
      }
      await wait(RETRY_MS * failures, undefined, { signal: this.#end.signal });
    }
  }

  /** Until the connection ends. */
  async #followOnce(): Promise<void> {
    const take = (entry: LogEntry) => {
      try {
        this.#take(entry);
      } catch (error) {
        this.destroy(asError(error));
      }
    };
    await this.#client.ask(async (agent) => {
      const query = { since: this.#order.last, stream: "combined" } as const;
      const following = await agent.followProcessLogs(this.#id, take, query);
      try {
        // Asked for again: what was said after the server read its log and before it began to follow.
        await Promise.all([following.closed, this.#fill()]);
      } finally {
        following.close();
      }
    }, this.#end.signal);
  }

  #take(entry: LogEntry): void {
    for (const bytes of this.#order.take(entry)) this.push(bytes);
    if (!this.#order.isMissing || this.#filling !== undefined) return;
    this.#filling = this.#fillGap()
      .catch((error: unknown) => {
        this.destroy(asError(error));
      })
      .finally(() => {
        this.#filling = undefined;
      });
  }

  /** A piece that others overtook is there in a moment; one that the server has dropped never is. */
  async #fillGap(): Promise<void> {
    for (let tries = 1; this.#order.isMissing && !this.destroyed; tries++) {
      if (tries > GAP_TRIES)
        throw new SandboxError("failed", "The sandbox-agent server has lost output.");
      await wait(GAP_MS * (tries - 1), undefined, { signal: this.#end.signal });
      await this.#fill();
    }
  }

  async #fill(): Promise<void> {
    const query = { since: this.#order.last, stream: "combined" } as const;
    const ask = () => this.#client.call((agent) => agent.getProcessLogs(this.#id, query));
    for (const entry of (await ask()).entries) this.#take(entry);
  }

  /** Whether to give up: it runs no more, or nobody answers. */
  async #hasEnded(failures: number): Promise<boolean> {
    if (failures > FAILURES) return true;
    try {
      const { status } = await this.#client.ask((agent) => agent.getProcess(this.#id));
      return status === "exited";
    } catch (error) {
      return this.#client.explain(error).status === 404;
    }
  }
}

/** It is not known, has ended, or has closed its input. */
const NO_READER: ReadonlySet<number> = new Set([404, 409, 502]);
/** The server's own limit is 64 KiB of bytes in a request. */
const INPUT_BYTES = 49_152;
const RETRY_MS = 500;
const FAILURES = 5;
const GAP_MS = 50;
const GAP_TRIES = 10;

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
