// The smallest MCP client that can time the server: JSON lines to the shim, as a client starts it.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** What a client of this checkout starts. */
export const ownBinFile = fileURLToPath(new URL("../bin/agentos-mcp.mjs", import.meta.url));
const ANSWER_LIMIT_MS = 30_000;

interface McpAnswer {
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
  readonly error?: unknown;
}

/** One shim process and its connection. Its owner closes it. */
export class McpClient {
  readonly #shim: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, (answer: McpAnswer) => void>();
  readonly #ended: Promise<void>;
  #lastId = 0;

  constructor(binFile: string, home: string) {
    this.#shim = spawn(process.execPath, [binFile], {
      env: { ...process.env, AGENTOS_MCP_HOME: home },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#ended = new Promise((resolve) => {
      this.#shim.once("close", () => resolve());
    });
    // What is written to a shim that is gone; its request fails by #ended.
    this.#shim.stdin.on("error", () => undefined);
    createInterface({ input: this.#shim.stdout }).on("line", (line) => {
      const message = JSON.parse(line) as McpAnswer & { readonly id?: number };
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    });
  }

  /** The shim's. */
  get pid(): number {
    return this.#shim.pid ?? 0;
  }

  async initialize(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "0" },
    });
    this.#write({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** Throws when the tool says it failed. */
  async callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<McpAnswer> {
    const answer = await this.request("tools/call", { name, arguments: args });
    if (answer.result?.isError === true) {
      throw new Error(`${name} failed: ${JSON.stringify(answer.result.content).slice(0, 300)}`);
    }
    return answer;
  }

  async request(method: string, params: unknown): Promise<McpAnswer> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<McpAnswer>();
    const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), ANSWER_LIMIT_MS);
    this.#waiting.set(id, resolve);
    this.#write({ jsonrpc: "2.0", id, method, params });
    try {
      const answer = await Promise.race([promise, this.#ended]);
      if (answer === undefined) throw new Error(`the shim ended before it answered ${method}`);
      if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
      return answer;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#shim.stdin.end();
    const timer = setTimeout(() => this.#shim.kill("SIGKILL"), ANSWER_LIMIT_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  #write(message: unknown): void {
    this.#shim.stdin.write(`${JSON.stringify(message)}\n`);
  }
}

/** Ends the servers of that home and their VMs, as a user would. */
export async function stopServers(binFile: string, home: string): Promise<void> {
  // An older commit that is compared with asks nothing, and does not know the option.
  if ((await runStop(binFile, home, ["--yes"])) === USAGE_ERROR) await runStop(binFile, home, []);
}

/** What a command line that makes no sense ends with. */
const USAGE_ERROR = 2;

async function runStop(
  binFile: string,
  home: string,
  options: readonly string[],
): Promise<number | null> {
  const stop = spawn(process.execPath, [binFile, "stop", ...options], {
    env: { ...process.env, AGENTOS_MCP_HOME: home },
    stdio: "ignore",
    timeout: ANSWER_LIMIT_MS,
  });
  return await new Promise((resolve) => stop.once("close", resolve));
}
