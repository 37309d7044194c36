// Stands between a client's stdio and the server: carries lines both ways, and when the server dies
// answers what it owed and introduces the client to the next one. Knows nothing of MCP but that.
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { ServerUnavailableError } from "../connect/connect-to-server.ts";
import type { LeaveReason } from "../greeting.ts";
import { type Line, LineSplitter, type LongLine, maxLineBytes, writeLine } from "../lines.ts";
import { requestIdOfLongLine } from "./envelope.ts";
import { Exchange, isAnswerTo, requestIdOf } from "./exchange.ts";
import { ServerEnd } from "./server-end.ts";

export interface StdioShimOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Finds or starts a server. Rejects with what the user must know. */
  readonly connect: () => Promise<Socket>;
  /** Whether whoever started us is gone, and with it the reader of our output. */
  readonly isClientGone: () => boolean;
  /** Tells the user. Not the client: that is `output`. */
  readonly say: (message: string) => void;
}

/** JSON-RPC's own codes. */
const internalError = -32603;
const invalidRequest = -32600;
/** A client that closes our input and wants its answers gets them, if they take no longer. */
const lastAnswersLimitMs = 600_000;
/** How often it is looked whether there is still somebody to answer. */
const clientLookMs = 500;
/** A server that has welcomed us and does not answer `initialize` for so long hangs. */
const introductionLimitMs = 10_000;
const maxLosses = 5;
const lossWindowMs = 60_000;

/** One client's connection, for as long as its input is open. */
export class StdioShim {
  readonly #options: StdioShimOptions;
  readonly #exchange = new Exchange();
  readonly #queue: Line[] = [];
  #server: ServerEnd | undefined;
  #opening: Promise<ServerEnd> | undefined;
  #isPumping = false;
  #hasEnded = false;
  #lossTimes: number[] = [];
  /** The introduction that waits for its answer, or for the server to be gone. */
  #replayed: { readonly id: string; readonly resolve: () => void } | undefined;
  #replays = 0;
  #isDone = false;
  #leaveTimer: NodeJS.Timeout | undefined;
  #resolveDone: ((exitCode: number) => void) | undefined;

  constructor(options: StdioShimOptions) {
    this.#options = options;
  }

  /** Serves until the client leaves (0) or no server can be had (1). */
  async run(): Promise<number> {
    const { input, output } = this.#options;
    const done = new Promise<number>((resolve) => {
      this.#resolveDone = resolve;
    });
    const lines = new LineSplitter(maxLineBytes, (line) => this.#refuse(line));
    input.on("data", (chunk: Buffer) => this.#receive(lines, chunk));
    input.on("end", () => this.#endInput());
    input.on("error", () => this.stop());
    output.on("error", () => this.stop());
    output.on("drain", () => this.#server?.resume());
    // The server starts while the client is still thinking about its first message.
    this.#openServer().catch((error: Error) => this.#fail(error));
    return await done;
  }

  /** Leaves at once, without waiting for answers. */
  stop(): void {
    this.#finish(0);
  }

  #receive(lines: LineSplitter, chunk: Buffer): void {
    this.#queue.push(...lines.push(chunk));
    this.#pump();
  }

  /** A message nobody can take is answered here, as far as it can be told what it is. */
  #refuse(line: LongLine): void {
    const id = requestIdOfLongLine(line);
    if (id === undefined) return;
    const message = `The message is longer than ${maxLineBytes} bytes, the limit. Send its content in parts.`;
    this.#writeError(id, message, invalidRequest);
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    this.#options.input.pause();
    this.#sendQueue()
      .then(() => {
        this.#isPumping = false;
        if (this.#queue.length > 0) return this.#pump();
        this.#options.input.resume();
        if (this.#hasEnded) this.#leaveWhenAnswered();
      })
      .catch((error: Error) => this.#fail(error));
  }

  async #sendQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      const server = await this.#openServer();
      const line = this.#queue.shift();
      if (line === undefined) return;
      // No await until the line is written: a server that dies now owes this answer, too.
      this.#exchange.noteFromClient(line);
      await server.send(line);
    }
  }

  /** The server to write to: the one there is, or a new one that knows the client. */
  async #openServer(): Promise<ServerEnd> {
    if (this.#server !== undefined) return this.#server;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return await this.#opening;
  }

  async #open(): Promise<ServerEnd> {
    for (;;) {
      this.#checkLosses();
      const socket = await this.#options.connect();
      const server = new ServerEnd(socket, {
        onLine: (line) => this.#forward(server, line),
        onGone: (reason) => this.#lose(reason),
      });
      this.#server = server;
      await this.#introduce(server);
      if (this.#server === server) return server;
    }
  }

  /** Says again what the client said to a server before. */
  async #introduce(server: ServerEnd): Promise<void> {
    this.#replays += 1;
    const id = `agentos-mcp-replay-${this.#replays}`;
    const introduction = this.#exchange.introduction(id);
    if (introduction === undefined) return;
    const answered = new Promise<void>((resolve) => {
      this.#replayed = { id, resolve };
    });
    const limit = setTimeout(() => server.close(), introductionLimitMs);
    await server.send(introduction.initialize);
    await answered;
    clearTimeout(limit);
    this.#replayed = undefined;
    if (introduction.initialized !== undefined) await server.send(introduction.initialized);
  }

  #forward(server: ServerEnd, line: Line): void {
    if (this.#replayed !== undefined && isAnswerTo(this.#replayed.id, line)) {
      this.#replayed.resolve();
      return;
    }
    this.#exchange.noteFromServer(line);
    if (!writeLine(this.#options.output, line)) server.pause();
    if (this.#hasEnded) this.#leaveWhenAnswered();
  }

  /** The server is gone: answers what it owed. The next line of the client finds or starts another. */
  #lose(reason: LeaveReason | undefined): void {
    this.#server = undefined;
    if (this.#isDone) return;
    this.#lossTimes.push(Date.now());
    this.#replayed?.resolve();
    const { unanswered, unasked, initialize } = this.#exchange.takeDebts();
    for (const id of unanswered) this.#writeError(id, describeLoss(reason));
    for (const requestId of unasked) {
      const params = { requestId, reason: "The server that asked is gone." };
      this.#write({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    if (initialize !== undefined) this.#queue.unshift(initialize);
    if (initialize !== undefined) this.#pump();
    else if (this.#hasEnded) this.#leaveWhenAnswered();
  }

  #checkLosses(): void {
    const since = Date.now() - lossWindowMs;
    this.#lossTimes = this.#lossTimes.filter((time) => time > since);
    if (this.#lossTimes.length < maxLosses) return;
    throw new ServerUnavailableError(
      `The agentos-mcp server went away ${maxLosses} times within a minute; giving up.`,
    );
  }

  #endInput(): void {
    this.#hasEnded = true;
    if (!this.#isPumping) this.#leaveWhenAnswered();
  }

  #leaveWhenAnswered(): void {
    if (this.#isPumping) return;
    if (!this.#exchange.isAnswerDue) return this.#finish(0);
    const deadline = performance.now() + lastAnswersLimitMs;
    this.#leaveTimer ??= setInterval(() => {
      if (this.#options.isClientGone() || performance.now() > deadline) this.#finish(0);
    }, clientLookMs);
  }

  /** There is no server and there will be none: whoever waits is told, and the shim leaves. */
  #fail(error: Error): void {
    if (this.#isDone) return;
    const { unanswered, initialize } = this.#exchange.takeDebts();
    const waiting = initialize === undefined ? this.#queue : [initialize, ...this.#queue];
    const ids = [...unanswered, ...waiting.map(requestIdOf).filter((id) => id !== undefined)];
    for (const id of ids) this.#writeError(id, error.message);
    this.#options.say(error.message);
    this.#finish(1);
  }

  #finish(exitCode: number): void {
    this.#isDone = true;
    clearInterval(this.#leaveTimer);
    this.#server?.close();
    this.#resolveDone?.(exitCode);
  }

  #writeError(id: string | number | null, message: string, code = internalError): void {
    this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  /** A message of our own. */
  #write(message: object): void {
    this.#options.output.write(`${JSON.stringify(message)}\n`);
  }
}

function describeLoss(reason: LeaveReason | undefined): string {
  const what =
    reason === undefined || reason === "failed"
      ? "The agentos-mcp server died before it answered."
      : "The agentos-mcp server was stopped before it answered.";
  return `${what} Its VMs and all that was in them are lost. Call again: a new server starts by itself.`;
}
