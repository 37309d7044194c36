// agentos-mcp as a client starts it, with the catalogue behind it and a home of its own.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PublishedServer } from "./catalogue/published-servers.ts";
import { McpConnection } from "./mcp-connection.ts";
import type { CallRecord } from "./toolkits/call-record.ts";
import { JOURNAL_VARIABLE } from "./toolkits/module.ts";

const binFile = fileURLToPath(new URL("../../bin/agentos-mcp.mjs", import.meta.url));
const moduleFile = fileURLToPath(new URL("./toolkits/module.ts", import.meta.url));
const STOP_LIMIT_MS = 30_000;

export class ServerUnderTest {
  readonly #home: string;
  readonly #journal: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #connections: McpConnection[] = [];

  constructor(expose: "cli" | "direct", servers: readonly PublishedServer[]) {
    this.#home = mkdtempSync(join(tmpdir(), "agentos-token-bench-"));
    this.#journal = join(this.#home, "calls.jsonl");
    const shared = join(this.#home, "shared");
    mkdirSync(shared);
    const mcpServers = Object.fromEntries(
      servers.map(({ name, description, command }) => [name, { ...command(shared), description }]),
    );
    const config = { toolkits: { bench: { module: moduleFile, expose } }, mcpServers };
    writeFileSync(join(this.#home, "config.json"), JSON.stringify(config));
    this.#env = { AGENTOS_MCP_HOME: this.#home, [JOURNAL_VARIABLE]: this.#journal };
    this.forgetCalls();
  }

  /** A connection of its own for each conversation. */
  async connect(): Promise<McpConnection> {
    const connection = await McpConnection.open({
      command: process.execPath,
      args: [binFile],
      env: this.#env,
    });
    this.#connections.push(connection);
    return connection;
  }

  /** What reached the tools since `forgetCalls`. */
  calls(): readonly CallRecord[] {
    const lines = readFileSync(this.#journal, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as CallRecord);
  }

  forgetCalls(): void {
    writeFileSync(this.#journal, "");
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) await connection.close();
    const stop = spawn(process.execPath, [binFile, "stop", "--yes"], {
      env: { ...process.env, ...this.#env },
      stdio: "ignore",
      timeout: STOP_LIMIT_MS,
    });
    await new Promise((resolve) => stop.once("close", resolve));
    rmSync(this.#home, { recursive: true, force: true });
  }
}
