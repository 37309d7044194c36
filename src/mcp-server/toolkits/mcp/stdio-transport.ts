// MCP over the stdin and stdout of a process: one JSON-RPC message a line, everything bounded.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { JsonLimitError } from "../../../toolkit-cli/index.ts";
import { joinLine, LineSplitter, LineTooLongError } from "../../lines.ts";
import { messageLimitBytes } from "./message-limit.ts";
import { parseMessage } from "./parse-message.ts";
import type { ServerChild } from "./server-child.ts";
import { Throttle } from "./throttle.ts";

/** What may wait for a server that does not read its stdin. */
const unsentLimitBytes = 64 * 1024 * 1024;

/** How long the last words of a process are waited for. */
const lastWordsMs = 200;

/** Owns the child: `close` ends it, and its end closes this. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #child: ServerChild;
  readonly #throttle: Throttle;
  #isClosed = false;

  constructor(child: ServerChild) {
    this.#child = child;
    this.#throttle = new Throttle(child.stdout);
  }

  /** These two tell the SDK that it talks to a process. */
  get pid(): number | null {
    return this.#child.pid;
  }

  get stderr(): null {
    return null;
  }

  async start(): Promise<void> {
    await this.#child.started();
    const { stdin, stdout } = this.#child;
    const lines = new LineSplitter(messageLimitBytes);
    const fail = (error: Error): void => {
      this.onerror?.(error);
      this.#finish();
    };
    stdin.on("error", fail);
    stdout.on("error", fail);
    stdout.on("data", (chunk: Buffer) => {
      if (this.#isClosed) return;
      try {
        for (const line of lines.push(chunk)) this.#receive(joinLine(line));
      } catch (error) {
        this.#finish(tooLong(error));
      }
    });
    stdout.once("end", () => this.#finish());
    // Somebody else may hold its stdout open.
    this.#child.gone.then(() => setTimeout(() => this.#finish(), lastWordsMs), fail);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child;
    if (this.#isClosed || !stdin.writable) throw new Error("The MCP server is gone.");
    this.#throttle.allowOneMore();
    stdin.write(`${JSON.stringify(message)}\n`);
    if (stdin.writableLength <= unsentLimitBytes) return;
    this.#finish("it was ended: it does not read what it is sent");
  }

  async close(): Promise<void> {
    this.#finish();
    await this.#child.end();
  }

  /** A line that is no message (a banner, a log line) is left out. */
  #receive(line: Buffer): void {
    this.#throttle.count(line.length);
    const message = parseMessage(line);
    if (message !== undefined) this.onmessage?.(message);
  }

  #finish(why?: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#throttle.stop();
    this.#child.end(why).catch((error: unknown) => {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    });
    this.onclose?.();
  }
}

function tooLong(error: unknown): string {
  if (error instanceof JsonLimitError) {
    return `it was ended: it sent a message that is too much. ${error.message}`;
  }
  if (!(error instanceof LineTooLongError)) throw error;
  return `it was ended: it sent more than ${messageLimitBytes / 1024 / 1024} MiB in one line`;
}
