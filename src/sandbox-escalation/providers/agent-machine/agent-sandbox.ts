import type { FileSystem } from "../../../kernel/index.ts";
import type { AgentChannel } from "../../agent/agent-channel.ts";
import { AgentLink } from "../../agent/agent-link.ts";
import { ProxyConnections } from "../../agent/proxy-connection.ts";
import { makeSettlement } from "../../agent/settlement.ts";
import {
  type Abilities,
  type Sandbox,
  SandboxError,
  type SandboxProcess,
  type SandboxUsage,
  type SpawnOptions,
} from "../../provider.ts";
import type { Machine } from "./machine.ts";
import { PROXY_PORT, proxyEnvironment } from "./proxy-environment.ts";

export interface AgentSandboxParts {
  readonly machine: Machine;
  /** Shows the workspace; it may start processes to do so once the sandbox runs. */
  readonly openFiles: (sandbox: AgentSandbox) => Promise<FileSystem>;
  /** It is destroyed: the provider forgets it. */
  readonly onDestroyed: () => void;
}

/** A sandbox on a vendor's machine; opened stopped, `resume` starts it. */
export class AgentSandbox implements Sandbox {
  readonly #machine: Machine;
  readonly #onDestroyed: () => void;
  readonly #gone = makeSettlement<string>();
  readonly #proxied = new ProxyConnections();
  #files: FileSystem | undefined;
  #link: AgentLink | undefined;
  #lifetime: NodeJS.Timeout | undefined;
  #startedAtMs = 0;
  #wallMs = 0;
  /** Starts and ends take turns. */
  #turn: Promise<void> = Promise.resolve();
  #isDestroyed = false;

  private constructor(parts: AgentSandboxParts) {
    this.#machine = parts.machine;
    this.#onDestroyed = parts.onDestroyed;
  }

  static async open(parts: AgentSandboxParts): Promise<AgentSandbox> {
    const sandbox = new AgentSandbox(parts);
    sandbox.#files = await parts.openFiles(sandbox);
    return sandbox;
  }

  get ref(): string {
    return this.#machine.ref;
  }

  get abilities(): Abilities {
    return this.#machine.abilities;
  }

  get cwd(): string {
    return this.#machine.cwd;
  }

  get gone(): Promise<string> {
    return this.#gone.promise;
  }

  get files(): FileSystem {
    if (this.#files === undefined) throw new SandboxError("gone", "The sandbox is not open yet.");
    return this.#files;
  }

  async spawn(argv: readonly string[], options: SpawnOptions): Promise<SandboxProcess> {
    if (this.#link === undefined)
      throw new SandboxError("gone", "The sandbox does not run; its files are kept.");
    const proxy = this.#machine.proxySocket === undefined ? {} : proxyEnvironment;
    const env = { ...this.#machine.environment, ...proxy, ...options.env };
    return await this.#link.spawn(argv, { ...options, env });
  }

  resume(signal?: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isDestroyed) throw new SandboxError("gone", "The sandbox was destroyed.");
      if (this.#link !== undefined) return;
      if (this.#machine.endsAtMs <= Date.now())
        throw new SandboxError("limit", "The sandbox's lifetime is over.");
      await this.#start(signal);
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  destroy(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isDestroyed) return;
      this.#closeLink();
      await this.#machine.remove();
      this.#isDestroyed = true;
      this.#onDestroyed();
    });
  }

  async snapshot(name: string): Promise<string> {
    if (this.#machine.stopsForSnapshots !== true) return await this.#machine.snapshot(name);
    let kept = "";
    await this.#inTurn(async () => {
      const isRunning = this.#link !== undefined;
      await this.#end();
      try {
        kept = await this.#machine.snapshot(name);
      } finally {
        if (isRunning) await this.#start(undefined);
      }
    });
    return kept;
  }

  async usage(): Promise<SandboxUsage> {
    if (this.#link === undefined) return { wallMs: Math.round(this.#wallMs) };
    const wallMs = Math.round(this.#wallMs + performance.now() - this.#startedAtMs);
    return { ...(await this.#machine.measure()), wallMs };
  }

  async #start(signal: AbortSignal | undefined): Promise<void> {
    const stream = await this.#machine.start(signal);
    const link = new AgentLink(stream, {
      completeEnd: (end) => this.#machine.completeEnd(end),
      onConnection: (channel) => this.#connectProxy(channel),
      onStopped: () => this.#machine.onStopped?.(),
      beatMs: this.#machine.beatMs,
      windowBytes: this.#machine.windowBytes,
    });
    const abort = () => link.close();
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(abort, READY_LIMIT_MS);
    try {
      signal?.throwIfAborted();
      await link.ready;
      this.#link = link;
      this.#machine.useLink?.(link);
      this.#startedAtMs = performance.now();
      let reason = "The sandbox ended.";
      stream.once("error", (error) => {
        if (error instanceof SandboxError) reason = error.message;
      });
      stream.once("close", () => this.#leave(link, reason));
      this.#limitLifetime(link);
      if (this.#machine.proxySocket !== undefined) await link.listen(PROXY_PORT);
    } catch (error) {
      link.close();
      await this.#end();
      throw signal?.aborted === true ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** It went, or has to, without anybody's asking. */
  #leave(link: AgentLink, reason: string): void {
    if (this.#link !== link) return;
    this.#gone.resolve(reason);
    // What cannot be ended is reported by the stop or destroy that follows.
    this.stop().catch(() => this.#gone.resolve(reason));
  }

  #limitLifetime(link: AgentLink): void {
    const waitMs = Math.min(Math.max(this.#machine.endsAtMs - Date.now(), 0), LONGEST_TIMER_MS);
    this.#lifetime = setTimeout(() => this.#leave(link, "The sandbox's lifetime is over."), waitMs);
    this.#lifetime.unref();
  }

  async #end(): Promise<void> {
    this.#closeLink();
    await this.#machine.stop();
  }

  #closeLink(): void {
    clearTimeout(this.#lifetime);
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined) return;
    this.#wallMs += performance.now() - this.#startedAtMs;
    link.close();
  }

  #connectProxy(channel: AgentChannel): void {
    const { proxySocket } = this.#machine;
    if (proxySocket === undefined) return channel.endInput();
    this.#proxied.carry(channel, proxySocket);
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(act, act);
    this.#turn = turn.catch(() => undefined);
    return await turn;
  }
}

/** An agent says that it is there within milliseconds; far vendors take seconds. */
const READY_LIMIT_MS = 30_000;
/** setTimeout's longest wait. */
const LONGEST_TIMER_MS = 2_147_483_647;
