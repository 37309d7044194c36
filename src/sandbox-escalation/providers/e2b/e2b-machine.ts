import { readFile } from "node:fs/promises";
import type { Duplex } from "node:stream";
import type { Sandbox as E2bSandbox } from "e2b";
import { findAgentBinary } from "../../agent/agent-binary.ts";
import {
  type Abilities,
  type ProcessEnd,
  SandboxError,
  type SandboxUsage,
} from "../../provider.ts";
import type { Machine } from "../agent-machine/machine.ts";
import { becomeAgentLine, TerminalStream } from "../agent-machine/terminal-stream.ts";
import {
  callE2b,
  describeE2bFailure,
  type E2bAccess,
  type E2bLibrary,
  e2bOptions,
} from "./e2b-client.ts";

export interface E2bMachineParts {
  readonly library: E2bLibrary;
  readonly access: E2bAccess;
  readonly ref: string;
  readonly endsAtMs: number;
  readonly proxySocket: string | undefined;
}

/** A sandbox of E2B's: a microVM with what its template holds. */
export class E2bMachine implements Machine {
  readonly ref: string;
  readonly abilities: Abilities = e2bAbilities;
  readonly cwd = WORKSPACE;
  readonly environment: Readonly<Record<string, string>>;
  readonly endsAtMs: number;
  readonly proxySocket: string | undefined;
  /** E2B's terminals outlive the connection to them. */
  readonly beatMs = BEAT_MS;
  readonly #library: E2bLibrary;
  readonly #access: E2bAccess;

  constructor(parts: E2bMachineParts, env: Readonly<Record<string, string>> = {}) {
    this.ref = parts.ref;
    this.endsAtMs = parts.endsAtMs;
    this.proxySocket = parts.proxySocket;
    this.environment = { ...baseEnvironment, ...env };
    this.#library = parts.library;
    this.#access = parts.access;
  }

  /** A stopped one is booted from its files. Its end stays where it was set. */
  async start(signal?: AbortSignal): Promise<Duplex> {
    const timeoutMs = Math.max(this.endsAtMs - Date.now(), 1000);
    const options = { ...e2bOptions(this.#access, signal), timeoutMs };
    const connect = () => this.#library.Sandbox.connect(this.ref, options);
    const remote = await callE2b(this.#access, connect, signal);
    try {
      return await callE2b(this.#access, () => this.#startAgent(remote, signal), signal);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.#confirm(async () => {
      // Without its memory: processes end, as everywhere. False: it is paused already.
      await this.#library.Sandbox.pause(this.ref, {
        ...e2bOptions(this.#access),
        keepMemory: false,
      });
    });
  }

  async remove(): Promise<void> {
    await this.#confirm(async () => {
      // False: there is none.
      await this.#library.Sandbox.kill(this.ref, e2bOptions(this.#access));
    });
    const left = await this.#library.Sandbox.getInfo(this.ref, e2bOptions(this.#access)).catch(
      (error: unknown) => error,
    );
    if (left instanceof this.#library.NotFoundError) return;
    const why =
      left instanceof Error ? describeE2bFailure(left, this.#access) : "It is listed still.";
    throw new SandboxError("not-confirmed", `Sandbox ${this.ref} may run on. ${why}`);
  }

  async measure(): Promise<Omit<SandboxUsage, "wallMs">> {
    return {};
  }

  async completeEnd(end: ProcessEnd): Promise<ProcessEnd> {
    return end;
  }

  async snapshot(): Promise<string> {
    throw new SandboxError("unsupported", "Snapshots of E2B's sandboxes are not taken from here.");
  }

  /** A sandbox that is gone needs no stop. */
  async #confirm(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof this.#library.NotFoundError) return;
      throw new SandboxError("not-confirmed", describeE2bFailure(error, this.#access));
    }
  }

  async #startAgent(remote: E2bSandbox, signal: AbortSignal | undefined): Promise<Duplex> {
    const agent = await readFile(findAgentBinary("x64"));
    await remote.files.write(AGENT_PATH, new Blob([agent]));
    await remote.files.makeDir(WORKSPACE);
    signal?.throwIfAborted();
    const stream = new TerminalStream();
    const handle = await remote.pty.create({
      cols: 80,
      rows: 24,
      cwd: WORKSPACE,
      timeoutMs: 0,
      onData: (bytes) => stream.hear(bytes),
    });
    const end = () => stream.destroy();
    handle.wait().then(end, end);
    stream.connect({
      send: (bytes) => remote.pty.sendInput(handle.pid, bytes),
      close: () => {
        handle.kill().catch(() => undefined);
        handle.disconnect().catch(() => undefined);
      },
    });
    stream.write(becomeAgentLine(AGENT_PATH, PATIENCE_SECONDS));
    return stream;
  }
}

const BEAT_MS = 20_000;
const PATIENCE_SECONDS = 90;
/** E2B's own user's. */
const HOME = "/home/user";
const WORKSPACE = `${HOME}/workspace`;
const AGENT_PATH = `${HOME}/.agentos-agent`;

const baseEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME,
  USER: "user",
  LOGNAME: "user",
  SHELL: "/bin/bash",
  LANG: "C.UTF-8",
};

/** Its size is its template's, whatever our limits are. */
export const e2bAbilities: Abilities = {
  isolation: "remote",
  memory: "none",
  pids: "none",
  cpu: "none",
  disk: "none",
  network: ["none", "proxy", "full"],
  packages: "full",
  hasTerminals: true,
  stopKeeps: "files",
  canSnapshot: false,
  isBillable: true,
};
