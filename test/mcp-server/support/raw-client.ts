// A client that speaks JSON-RPC lines to a shim by hand, to see exactly what is on the wire.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Installation } from "./installation.ts";
import type { TestHome } from "./test-home.ts";

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RawClientOptions {
  readonly node?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const answerLimitMs = 20_000;

/** A shim process and what it said. */
export class RawClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: Message[] = [];
  stderr = "";
  readonly #waiters = new Set<() => void>();
  #lastId = 0;

  constructor(installation: Installation, home: TestHome, options: RawClientOptions = {}) {
    const args = [installation.binFile, ...(options.args ?? [])];
    this.child = spawn(options.node ?? process.execPath, args, {
      // Compiled code outlives a test's home, so that each server of a file loads as fast as the second.
      env: {
        ...home.env,
        NODE_COMPILE_CACHE: join(installation.directory, "compiled"),
        ...options.env,
      },
      cwd: options.cwd ?? installation.directory,
    });
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.child.stdin.on("error", () => {});
    this.child.once("close", () => {
      for (const wake of this.#waiters) wake();
    });
    let parts: Buffer[] = [];
    this.child.stdout.on("data", (chunk: Buffer) => {
      parts.push(chunk);
      if (!chunk.includes("\n")) return;
      const read = Buffer.concat(parts);
      const end = read.lastIndexOf("\n");
      parts = [read.subarray(end + 1)];
      for (const line of read.toString("utf8", 0, end).split("\n"))
        this.messages.push(JSON.parse(line) as Message);
      for (const wake of this.#waiters) wake();
    });
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Sends a request and returns its id at once. */
  start(method: string, params: object = {}): number {
    this.#lastId += 1;
    this.send({ id: this.#lastId, method, params });
    return this.#lastId;
  }

  async request(method: string, params: object = {}): Promise<Message> {
    return await this.answer(this.start(method, params));
  }

  async call(name: string, input: object = {}): Promise<Message> {
    return await this.request("tools/call", { name, arguments: input });
  }

  /** The text a tool call answered with. */
  async callText(name: string, input: object = {}): Promise<string> {
    const { result, error } = await this.call(name, input);
    if (error !== undefined) throw new Error(error.message);
    return ((result?.["content"] ?? []) as { text: string }[])[0]?.text ?? "";
  }

  /** The handshake of the legacy era. */
  async initialize(name = "raw"): Promise<Message> {
    const answer = await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: { roots: {} },
      clientInfo: { name, version: "1" },
    });
    this.send({ method: "notifications/initialized" });
    return answer;
  }

  async answer(id: number): Promise<Message> {
    return await this.find(
      `the answer to request ${id}`,
      (message) => message.id === id && message.method === undefined,
    );
  }

  async find(what: string, matches: (message: Message) => boolean): Promise<Message> {
    return await new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(look);
      };
      const look = (): void => {
        const found = this.messages.find(matches);
        const hasLeft = this.child.stdout.closed;
        if (found === undefined && !hasLeft) return;
        finish();
        if (found === undefined)
          reject(new Error(`The shim left without ${what}. stderr: ${this.stderr}`));
        else resolve(found);
      };
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`Waited in vain for ${what}. stderr: ${this.stderr}`));
      }, answerLimitMs);
      this.#waiters.add(look);
      look();
    });
  }

  /** Ends the input, as a client does, and resolves to how the shim left. */
  async leave(): Promise<{ code: number | null; signal: string | null }> {
    this.child.stdin.end();
    return await this.exit();
  }

  async exit(): Promise<{ code: number | null; signal: string | null }> {
    if (this.child.exitCode === null && this.child.signalCode === null)
      await once(this.child, "exit");
    return { code: this.child.exitCode, signal: this.child.signalCode };
  }
}
