// What answers inside a sandbox of Daytona's: lines of shell, and terminals over WebSockets. As in
// apps/daemon/pkg/toolbox/process: a reader that is 256 messages behind is dropped, a message of more than 64 KiB ends
// the connection, and a terminal stays when its reader leaves.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import type { Sandbox, SandboxProcess } from "../../../../src/sandbox-escalation/provider.ts";
import { runInSandbox } from "../../../contract/sandbox-provider/run-in-sandbox.ts";

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export interface ToolboxAnswer {
  readonly status: number;
  readonly body: unknown;
}

export class FakeToolbox {
  /** What it claims that a line of shell said. */
  lie: string | undefined;
  /** How slow the network is. */
  messageMs = 0;
  readonly #machine: () => Sandbox | undefined;
  readonly #terminals = new Map<string, FakeTerminal>();
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536 });

  constructor(machine: () => Sandbox | undefined) {
    this.#machine = machine;
  }

  async serve(route: string, body: unknown): Promise<ToolboxAnswer> {
    const machine = this.#machine();
    if (machine === undefined) return { status: 400, body: { message: "no machine" } };
    if (route === "POST process/execute") return await this.#execute(machine, body);
    if (route === "POST process/pty") return await this.#open(machine, body);
    const [verb, id = ""] = route.split(" process/pty/");
    const terminal = this.#terminals.get(id);
    if (terminal === undefined) return { status: 404, body: { error: "PTY session not found" } };
    if (verb !== "DELETE") return { status: 200, body: { id, active: true } };
    this.#terminals.delete(id);
    await terminal.process.kill("SIGKILL");
    return { status: 200, body: { message: "PTY session deleted" } };
  }

  upgrade(path: string, { request, socket, head }: Upgrade): void {
    const id = /^process\/pty\/([^/]+)\/connect$/.exec(path)?.[1] ?? "";
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const terminal = this.#terminals.get(id);
      const status = terminal === undefined ? "error" : "connected";
      terminal?.attach(client);
      client.send(JSON.stringify({ type: "control", status, error: "PTY session not found" }));
      if (terminal === undefined) client.close();
    });
  }

  async #execute(machine: Sandbox, body: unknown): Promise<ToolboxAnswer> {
    if (this.lie !== undefined) return { status: 200, body: { exitCode: 0, result: this.lie } };
    const { command } = body as { command: string };
    const options = { cwd: "/", env: {}, input: command };
    const run = await runInSandbox(machine, ["bash"], options);
    return { status: 200, body: { exitCode: run.status, result: run.stdout + run.stderr } };
  }

  async #open(machine: Sandbox, body: unknown): Promise<ToolboxAnswer> {
    const { id, cwd, cols, rows } = body as PtyBody;
    if (this.#terminals.has(id)) return { status: 409, body: { error: "exists" } };
    const terminal = { columns: cols, rows };
    const env = { TERM: "xterm-256color" };
    const process = await machine.spawn(["bash", "-i", "-l"], { cwd, env, terminal });
    const opened = new FakeTerminal(process, () => this.messageMs);
    this.#terminals.set(id, opened);
    const forget = () => this.#terminals.delete(id);
    opened.broadcast().then(forget, forget);
    return { status: 201, body: { sessionId: id } };
  }
}

interface PtyBody {
  readonly id: string;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
}

class FakeTerminal {
  readonly process: SandboxProcess;
  readonly #messageMs: () => number;
  readonly #clients = new Map<WebSocket, Uint8Array[]>();

  constructor(process: SandboxProcess, messageMs: () => number) {
    this.process = process;
    this.#messageMs = messageMs;
  }

  attach(client: WebSocket): void {
    this.#clients.set(client, []);
    client.on("close", () => this.#clients.delete(client));
    client.on("message", (data) => {
      if (!(data instanceof Uint8Array)) return;
      client.pause();
      this.process.writeInput(data).then(
        () => client.resume(),
        () => client.close(1011),
      );
    });
  }

  /** All that the terminal says, to who is there; then its end. */
  async broadcast(): Promise<void> {
    for await (const bytes of this.process.output)
      for (let at = 0; at < bytes.length; at += READ_BYTES)
        for (const client of this.#clients.keys())
          this.#tell(client, bytes.subarray(at, at + READ_BYTES));
    const { status } = await this.process.ended;
    const reason = JSON.stringify({ exitCode: status });
    for (const client of this.#clients.keys()) client.close(status === 0 ? 1000 : 1011, reason);
  }

  #tell(client: WebSocket, bytes: Uint8Array): void {
    const queue = this.#clients.get(client);
    if (queue === undefined) return;
    if (queue.length >= QUEUE_MESSAGES) {
      this.#clients.delete(client);
      return client.close(1008, "slow consumer");
    }
    queue.push(bytes);
    if (queue.length === 1) this.#pump(client, queue).catch(() => client.terminate());
  }

  async #pump(client: WebSocket, queue: Uint8Array[]): Promise<void> {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const bytes = next;
      await new Promise((resolve) => client.send(bytes, resolve));
      if (this.#messageMs() > 0) await sleep(this.#messageMs());
      queue.shift();
    }
  }
}

/** What one read of a terminal gives at most, see n_tty.c. */
const READ_BYTES = 4095;
const QUEUE_MESSAGES = 256;
