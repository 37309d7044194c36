// MCP over a local socket, one JSON-RPC message per line: the server's end of a shim's connection.
import type { Socket } from "node:net";
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { JsonLimitError, parseBoundedJson } from "../../toolkit-cli/bounded-json.ts";
import { Drained } from "../drained.ts";
import { joinLine, LineSplitter } from "../lines.ts";
import { readEnvelope } from "../shim/envelope.ts";
import { withPlainError } from "./plain-errors.ts";

const parseError = -32700;
const invalidRequest = -32600;
/** Of answers that wait for a client to read them. */
const UNREAD_BYTES = 4 * 1024 * 1024;

export interface SocketTransportOptions {
  /**
   * Marks the ids of the server's own requests. A client may answer a question of a server that has
   * died in the meantime; the mark keeps the next server from taking that answer for its own.
   */
  readonly serverRun: string;
  /** Called once, when the first message has been sent. */
  readonly onFirstSend?: () => void;
}

/**
 * Owns the socket, but for its errors, which whoever accepted it listens to. Its end, and `close`,
 * end the connection and abort what runs for it.
 */
export class SocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #socket: Socket;
  readonly #drained: Drained;
  readonly #idPrefix: string;
  #onFirstSend: (() => void) | undefined;
  #isClosed = false;

  constructor(socket: Socket, options: SocketTransportOptions) {
    this.#socket = socket;
    this.#drained = new Drained(socket);
    this.#idPrefix = `${options.serverRun}:`;
    this.#onFirstSend = options.onFirstSend;
  }

  async start(): Promise<void> {
    const lines = new LineSplitter();
    this.#socket.on("data", (chunk: Buffer) => {
      try {
        for (const line of lines.push(chunk)) this.#receive(joinLine(line));
        this.#holdBack();
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
        this.#socket.destroy();
      }
    });
    this.#socket.once("end", () => this.#finish());
    this.#socket.once("close", () => this.#finish());
    this.#socket.resume();
  }

  /** Resolves when the next message may be sent. Rejects once the client has left. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#socket.writable) throw new Error("The client has left.");
    const plain = withPlainError(this.#markIds(message));
    const hasRoom = this.#socket.write(`${JSON.stringify(idFirst(plain))}\n`);
    this.#onFirstSend?.();
    this.#onFirstSend = undefined;
    if (!hasRoom) await this.#drained.wait();
  }

  async close(): Promise<void> {
    this.#socket.end();
    this.#finish();
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #receive(line: Buffer): void {
    let value: unknown;
    try {
      value = parseBoundedJson(line);
    } catch (error) {
      if (!(error instanceof JsonLimitError))
        return this.#refuse(null, parseError, "This is not JSON.");
      const { id = null } = readEnvelope([line]);
      return this.#refuse(id, invalidRequest, `The message is too much. ${error.message}`);
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return this.#refuse(idOf(value), invalidRequest, "This is not a JSON-RPC message.");
    }
    const known = this.#unmarkIds(message);
    if (known !== undefined) this.onmessage?.(known);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
  }

  /** A client that does not read its answers is not listened to until it does. */
  #holdBack(): void {
    if (this.#socket.writableLength <= UNREAD_BYTES || this.#socket.isPaused()) return;
    this.#socket.pause();
    const goOn = (): unknown => this.#socket.resume();
    this.#drained.wait().then(goOn, goOn);
  }

  #markIds(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message)) return message;
    if ("id" in message) return { ...message, id: `${this.#idPrefix}${message.id}` };
    if (message.method !== "notifications/cancelled") return message;
    const params = {
      ...message.params,
      requestId: `${this.#idPrefix}${String(message.params?.["requestId"])}`,
    };
    return { ...message, params };
  }

  /** An answer's id as the SDK minted it, a number; undefined for an answer to another server. */
  #unmarkIds(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if ("method" in message) return message;
    const { id } = message;
    if (typeof id !== "string" || !id.startsWith(this.#idPrefix)) return undefined;
    return { ...message, id: Number(id.slice(this.#idPrefix.length)) };
  }
}

/** What a shim looks for comes before what may be long. */
function idFirst(message: JSONRPCMessage): JSONRPCMessage {
  return "id" in message ? Object.assign({ id: message.id }, message) : message;
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== "object" || value === null || !("id" in value)) return null;
  return typeof value.id === "string" || typeof value.id === "number" ? value.id : null;
}
