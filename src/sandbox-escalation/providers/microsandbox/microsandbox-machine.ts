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
import { ExecStream } from "./exec-stream.ts";
import {
  type Box,
  type BoxHandle,
  codeOfFailure,
  describeFailure,
  type MicrosandboxLibrary,
} from "./microsandbox-library.ts";

export interface MicrosandboxMachineParts {
  readonly library: MicrosandboxLibrary;
  readonly ref: string;
  readonly endsAtMs: number;
  readonly proxySocket: string | undefined;
}

/** A microVM on this machine, with a kernel of its own. */
export class MicrosandboxMachine implements Machine {
  readonly ref: string;
  readonly abilities: Abilities = microsandboxAbilities;
  readonly cwd = WORKSPACE;
  readonly environment: Readonly<Record<string, string>>;
  readonly endsAtMs: number;
  readonly proxySocket: string | undefined;
  readonly stopsForSnapshots = true;
  readonly #library: MicrosandboxLibrary;
  /** It ends when nobody holds it. */
  #box: Box | undefined;

  constructor(parts: MicrosandboxMachineParts, env: Readonly<Record<string, string>> = {}) {
    this.ref = parts.ref;
    this.endsAtMs = parts.endsAtMs;
    this.proxySocket = parts.proxySocket;
    this.environment = { ...baseEnvironment, ...env };
    this.#library = parts.library;
  }

  /** One that was made a moment ago, and runs. */
  hold(box: Box): void {
    this.#box = box;
  }

  async start(signal?: AbortSignal): Promise<Duplex> {
    try {
      this.#box ??= await (await this.#library.Sandbox.get(this.ref)).start();
      signal?.throwIfAborted();
      return await this.#startAgent(this.#box);
    } catch (error) {
      await this.stop();
      signal?.throwIfAborted();
      if (error instanceof SandboxError) throw error;
      throw new SandboxError("failed", describeFailure(error));
    }
  }

  async stop(): Promise<void> {
    this.#box = undefined;
    const found = await this.#find();
    if (found === undefined || ENDED.has(found.status)) return;
    const why = await found.stop().catch((error: unknown) => error);
    const left = await this.#find();
    if (left === undefined || ENDED.has(left.status)) return;
    throw this.#notConfirmed(why);
  }

  async remove(): Promise<void> {
    this.#box = undefined;
    const found = await this.#find();
    const why = await found
      ?.destroy({ force: true, timeoutMs: DESTROY_MS })
      .catch((error: unknown) => error);
    if ((await this.#find()) !== undefined) throw this.#notConfirmed(why);
  }

  async measure(): Promise<Omit<SandboxUsage, "wallMs">> {
    try {
      const metrics = await this.#box?.metrics();
      if (metrics === undefined) return {};
      const { vcpuTimeNs, memoryBytes } = metrics;
      return { cpuMs: Math.round(vcpuTimeNs / 1e6), memoryBytes };
    } catch {
      // There are none in its first second, and where the operator has turned them off.
      return {};
    }
  }

  async completeEnd(end: ProcessEnd): Promise<ProcessEnd> {
    return end;
  }

  async snapshot(name: string): Promise<string> {
    try {
      await (await this.#library.Sandbox.get(this.ref)).snapshot(name);
      return `${SNAPSHOT_PREFIX}${name}`;
    } catch (error) {
      throw new SandboxError("failed", describeFailure(error));
    }
  }

  async #startAgent(box: Box): Promise<Duplex> {
    await box.fs().write(AGENT_PATH, await readFile(findAgentBinary()));
    const process = await box.execStreamWith("/bin/sh", (options) =>
      options.args(["-c", BECOME_AGENT]).user("0").stdinPipe(),
    );
    const input = await process.takeStdin();
    if (input !== null) return new ExecStream(process, input);
    await process.kill();
    throw new SandboxError("failed", "microsandbox gives the sandbox's agent no input.");
  }

  /** Undefined where there is none. SandboxError "not-confirmed". */
  async #find(): Promise<BoxHandle | undefined> {
    try {
      return await this.#library.Sandbox.get(this.ref);
    } catch (error) {
      if (codeOfFailure(error) === "sandboxNotFound") return undefined;
      throw this.#notConfirmed(error);
    }
  }

  #notConfirmed(why: unknown): SandboxError {
    const reason = why === undefined ? "It is there still." : describeFailure(why);
    return new SandboxError("not-confirmed", `Sandbox ${this.ref} may run on. ${reason}`);
  }
}

/** What `image` of a later one begins with to be made from a snapshot. */
export const SNAPSHOT_PREFIX = "snapshot:";

const ENDED: ReadonlySet<string> = new Set(["created", "stopped", "crashed"]);
const DESTROY_MS = 10_000;
const WORKSPACE = "/workspace";
const AGENT_PATH = "/.agentos-agent";
const BECOME_AGENT = `mkdir -p ${WORKSPACE} && chmod 700 ${AGENT_PATH} && exec ${AGENT_PATH} serve - - - pipes`;

const baseEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  USER: "root",
  LOGNAME: "root",
  SHELL: "/bin/sh",
  LANG: "C.UTF-8",
};

/** Its memory, processors and root disk are its own; the number of its processes nobody counts. */
export const microsandboxAbilities: Abilities = {
  isolation: "microvm",
  memory: "hard",
  pids: "none",
  cpu: "hard",
  disk: "hard",
  network: ["none", "proxy", "full"],
  packages: "full",
  hasTerminals: true,
  stopKeeps: "files",
  canSnapshot: true,
  isBillable: false,
};
