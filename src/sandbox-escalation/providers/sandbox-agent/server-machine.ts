import { readFile } from "node:fs/promises";
import type { Duplex } from "node:stream";
import { findAgentBinary } from "../../agent/agent-binary.ts";
import {
  type Abilities,
  type ProcessEnd,
  SandboxError,
  type SandboxUsage,
} from "../../provider.ts";
import type { Machine } from "../agent-machine/machine.ts";
import { ProcessStream } from "./process-stream.ts";
import type { ServerClient } from "./server-client.ts";
import { runScript, SANDBOX_VARIABLE } from "./server-scripts.ts";

export interface ServerMachineParts {
  readonly client: ServerClient;
  readonly ref: string;
  /** Its own, on the server's machine. */
  readonly directory: string;
  readonly architecture: "x64" | "arm64";
  readonly endsAtMs: number;
}

/** A directory and the processes of an agent of ours on a machine that others run. */
export class ServerMachine implements Machine {
  readonly ref: string;
  readonly abilities: Abilities = serverAbilities;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly endsAtMs: number;
  readonly proxySocket = undefined;
  readonly beatMs = BEAT_MS;
  readonly windowBytes = WINDOW_BYTES;
  readonly #client: ServerClient;
  readonly #architecture: "x64" | "arm64";
  readonly #agentPath: string;

  constructor(parts: ServerMachineParts, env: Readonly<Record<string, string>> = {}) {
    const { client, ref, directory, architecture, endsAtMs } = parts;
    this.ref = ref;
    this.cwd = `${directory}/workspace`;
    this.endsAtMs = endsAtMs;
    this.environment = {
      ...baseEnvironment,
      HOME: `${directory}/home`,
      ...env,
      [SANDBOX_VARIABLE]: ref,
    };
    this.#client = client;
    this.#architecture = architecture;
    this.#agentPath = `${directory}/agent`;
  }

  async start(signal?: AbortSignal): Promise<Duplex> {
    const binary = await readFile(findAgentBinary(this.#architecture));
    const path = `${this.#agentPath}.new`;
    await this.#client.call((agent) => agent.writeFsFile({ path }, new Blob([binary])), signal);
    // Not aborted: what the server has begun to start would stay. It is ended when it is there.
    const id = await this.#startAgent();
    const stream = new ProcessStream(this.#client, id, () => {
      // What cannot be ended now is reported by the stop that follows, and ends by itself without us.
      this.#endAgent(id).catch(() => undefined);
    });
    if (signal?.aborted !== true) return stream;
    stream.destroy();
    throw signal.reason;
  }

  async stop(): Promise<void> {
    await this.#confirm(async () => {
      const { processes } = await this.#client.call((agent) => agent.listProcesses());
      const agents = processes.filter(({ args }) => args.includes(this.#agentPath));
      for (const { id } of agents) await this.#endAgent(id);
      // Whatever an agent that had to be killed could not end.
      const swept = await runScript(this.#client, "sweep", [this.ref]);
      if (swept.status !== 0) throw new SandboxError("failed", "Its processes do not end.");
    });
  }

  async remove(): Promise<void> {
    await this.stop();
    await this.#confirm(async () => {
      const removed = await runScript(this.#client, "remove", [this.ref]);
      if (removed.status !== 0) throw new SandboxError("failed", "Its directory is still there.");
    });
  }

  async measure(): Promise<Omit<SandboxUsage, "wallMs">> {
    return {};
  }

  async completeEnd(end: ProcessEnd): Promise<ProcessEnd> {
    return end;
  }

  async snapshot(): Promise<string> {
    throw new SandboxError("unsupported", "A sandbox-agent server keeps no snapshots.");
  }

  async #startAgent(): Promise<string> {
    const args = ["-c", BECOME_AGENT, "sh", this.#agentPath, String(PATIENCE_SECONDS)];
    const start = () =>
      this.#client.ask((agent) =>
        agent.createProcess({ command: "sh", args, cwd: this.cwd, tty: false, interactive: false }),
      );
    const { id } = await start().catch((error: unknown) => {
      const { status, words } = this.#client.explain(error);
      throw new SandboxError(status === 409 ? "limit" : "failed", words);
    });
    if (typeof id === "string" && /^[\w-]{1,64}$/.test(id)) return id;
    throw new SandboxError("failed", "The sandbox-agent server started no process.");
  }

  /** SIGTERM has the agent end all it started. One that does not exist has ended. */
  async #endAgent(id: string): Promise<void> {
    try {
      const asked = await this.#client.ask((agent) => agent.stopProcess(id, { waitMs: 3000 }));
      if (asked.status !== "exited") {
        const forced = await this.#client.ask((agent) => agent.killProcess(id, { waitMs: 3000 }));
        if (forced.status !== "exited")
          throw new SandboxError("failed", `Its agent ${id} does not end.`);
      }
      await this.#client.ask((agent) => agent.deleteProcess(id));
    } catch (error) {
      if (error instanceof SandboxError) throw error;
      const { status, words } = this.#client.explain(error);
      if (status !== 404) throw new SandboxError("failed", words);
    }
  }

  async #confirm(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SandboxError("not-confirmed", `Sandbox ${this.ref} may be there still. ${why}`);
    }
  }
}

const BECOME_AGENT = 'mv -f "$1.new" "$1" && chmod 700 "$1" && exec "$1" serve - - - pipes "$2"';

/** Without us the agent ends all; that many beats may be lost before. */
const PATIENCE_SECONDS = 60;
const BEAT_MS = 5000;
/** The server holds 10 MiB of what a process says; more than that cannot be asked for again. */
const WINDOW_BYTES = 4 * 1024 * 1024;

const baseEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  SHELL: "/bin/sh",
  LANG: "C.UTF-8",
};

/** The machine is what it is, and others may be on it. */
export const serverAbilities: Abilities = {
  isolation: "remote",
  memory: "none",
  pids: "none",
  cpu: "none",
  disk: "none",
  network: ["full"],
  packages: "partial",
  hasTerminals: true,
  stopKeeps: "files",
  canSnapshot: false,
  isBillable: false,
};
