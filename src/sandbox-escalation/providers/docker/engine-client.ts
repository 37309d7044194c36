import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { parseBoundedJson } from "../../../toolkit-cli/index.ts";
import { SandboxError } from "../../provider.ts";
import { AttachStream } from "./attach-stream.ts";
import type { EngineAddress } from "./engine-address.ts";

export interface EngineRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Work that the engine does before it answers: a stop, a pull. */
  readonly limitMs?: number;
  /** Of a long answer the end is enough: progress, and then how it went. */
  readonly keepsEndOnly?: boolean;
}

export interface EngineAnswer {
  readonly status: number;
  /** Parsed JSON, or the text that it is not. */
  readonly body: unknown;
}

/** The container engine's HTTP interface, on its socket. Every answer has a limit of bytes and of time. */
export class EngineClient {
  readonly #address: EngineAddress;

  constructor(address: EngineAddress) {
    this.#address = address;
  }

  /** Any status is an answer. SandboxError "unavailable" when there is none. */
  async ask(request: EngineRequest): Promise<EngineAnswer> {
    const text = request.body === undefined ? "" : JSON.stringify(request.body);
    const limit = AbortSignal.timeout(request.limitMs ?? ANSWER_LIMIT_MS);
    const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal]);
    try {
      return await this.#exchange(request, text, signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof SandboxError) throw error;
      const why = limit.aborted ? "does not answer" : describeFailure(error);
      throw new SandboxError("unavailable", `The container engine ${why}.`, { cause: error });
    }
  }

  /** The answer, if its status is one of these. SandboxError "failed" with the engine's words. */
  async expect(request: EngineRequest, statuses: readonly number[]): Promise<EngineAnswer> {
    const answer = await this.ask(request);
    if (statuses.includes(answer.status)) return answer;
    throw new SandboxError("failed", describeRefusal(answer));
  }

  /** The first process's stdin and stdout. */
  attach(container: string, signal?: AbortSignal): Promise<Duplex> {
    const path = `/containers/${container}/attach?stream=1&stdin=1&stdout=1&stderr=1`;
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        ...this.#address,
        method: "POST",
        path: VERSION + path,
        headers: { Host: "engine", Connection: "Upgrade", Upgrade: "tcp" },
        timeout: ANSWER_LIMIT_MS,
        ...(signal === undefined ? {} : { signal }),
      });
      request.on("error", (error) => reject(reasonOf(signal) ?? error));
      request.on("timeout", () => request.destroy(new Error("does not answer")));
      request.on("response", (response) => {
        response.resume();
        reject(new SandboxError("failed", `The engine answers ${response.statusCode} to attach.`));
      });
      request.on("upgrade", (_response, socket, head) => {
        socket.setTimeout(0);
        resolve(new AttachStream(socket, head));
      });
      request.end();
    });
  }

  #exchange(request: EngineRequest, text: string, signal: AbortSignal): Promise<EngineAnswer> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest({
        ...this.#address,
        method: request.method,
        path: VERSION + request.path,
        headers: {
          Host: "engine",
          "Content-Length": Buffer.byteLength(text),
          ...(text === "" ? {} : { "Content-Type": "application/json" }),
        },
        signal,
      });
      sent.on("error", reject);
      sent.on("response", (response) => {
        readAnswer(response, request.keepsEndOnly ?? false).then(resolve, reject);
      });
      sent.end(text);
    });
  }
}

/** What an aborted request fails with, as everything else that is aborted does: Node has its own error for it. */
function reasonOf(signal: AbortSignal | undefined): Error | undefined {
  const reason: unknown = signal?.aborted === true ? signal.reason : undefined;
  return reason instanceof Error ? reason : undefined;
}

/** Docker 20.10's, which newer engines speak, too. */
const VERSION = "/v1.41";
const ANSWER_LIMIT_MS = 30_000;
/** An inspection takes some kilobytes. */
const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;
/** Of at most 64 KiB each. */
const END_CHUNKS = 32;

async function readAnswer(response: IncomingMessage, keepsEndOnly: boolean): Promise<EngineAnswer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    if (bytes > ANSWER_LIMIT_BYTES && !keepsEndOnly)
      throw new SandboxError("failed", "The container engine's answer is too long.");
    chunks.push(chunk);
    if (keepsEndOnly && chunks.length > END_CHUNKS) chunks.shift();
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: response.statusCode ?? 0, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    // Progress is many lines of JSON, and proxies answer with pages.
    return text;
  }
}

function describeFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EACCES") return "does not let this user in (join the group docker)";
  if (code === "ECONNREFUSED" || code === "ENOENT") return "does not run";
  return `cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
}

/** What the engine says, cut to a line. */
export function describeRefusal({ status, body }: EngineAnswer): string {
  const isObject = typeof body === "object" && body !== null;
  const said = isObject && "message" in body ? body.message : body;
  const text = typeof said === "string" ? said : JSON.stringify(said);
  return `The container engine answers ${status}: ${text.replace(/\s+/g, " ").slice(0, 400)}`;
}
