import type { Duplex } from "node:stream";
import {
  type Abilities,
  type ProcessEnd,
  SandboxError,
  type SandboxUsage,
} from "../../provider.ts";
import type { Machine } from "../agent-machine/machine.ts";
import { daytonaAbilities, type MachineFacts, sizedAbilities } from "./creation.ts";
import type { CallOptions, DaytonaClient } from "./daytona-client.ts";
import { openTerminal } from "./open-terminal.ts";
import { removeSandbox } from "./remove-sandbox.ts";
import { type DaytonaRecord, reachState } from "./sandbox-state.ts";
import { type AgentPlace, setUpAgent } from "./set-up-agent.ts";
import { takeSnapshot } from "./take-snapshot.ts";

/** A sandbox of Daytona's: a container or a VM with what its snapshot or image holds. */
export class DaytonaMachine implements Machine {
  readonly ref: string;
  readonly abilities: Abilities;
  readonly endsAtMs: number;
  readonly proxySocket: string | undefined;
  readonly beatMs = BEAT_MS;
  readonly windowBytes = WINDOW_BYTES;
  readonly #client: DaytonaClient;
  readonly #env: Readonly<Record<string, string>>;
  #place: AgentPlace = usualPlace;
  #isContainer = true;
  #wakeTimer: NodeJS.Timeout | undefined;

  constructor(
    client: DaytonaClient,
    ref: string,
    facts: MachineFacts,
    env: Readonly<Record<string, string>> = {},
  ) {
    this.ref = ref;
    this.abilities = facts.isSized ? sizedAbilities : daytonaAbilities;
    this.endsAtMs = facts.endsAtMs;
    this.proxySocket = facts.proxySocket;
    this.#client = client;
    this.#env = env;
  }

  /** The image's own home decides; known once it runs. */
  get cwd(): string {
    return this.#place.workspace;
  }

  get environment(): Readonly<Record<string, string>> {
    return { ...this.#place.environment, ...this.#env };
  }

  /** Daytona takes a snapshot of a VM that is stopped, and of a container that runs. */
  get stopsForSnapshots(): boolean {
    return !this.#isContainer;
  }

  async start(signal?: AbortSignal): Promise<Duplex> {
    try {
      return await this.#startAgent(await this.#run(signal), signal);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#wakeTimer);
    const client = this.#client;
    try {
      await reachState(client, {
        ref: this.ref,
        wanted: ["stopped", "archiving", "archived", "error", "build_failed", "destroying"],
        limitMs: CHANGE_LIMIT_MS,
        act: async ({ state }) => {
          if (state !== "started" && state !== "paused") return;
          await client.ask((options) =>
            client.sandboxes.stopSandbox(this.ref, undefined, false, options),
          );
        },
      });
    } catch (error) {
      throw new SandboxError("not-confirmed", `Sandbox ${this.ref} may run on. ${wordsOf(error)}`);
    }
  }

  async remove(): Promise<void> {
    clearInterval(this.#wakeTimer);
    await removeSandbox(this.#client, this.ref);
  }

  async measure(): Promise<Omit<SandboxUsage, "wallMs">> {
    return {};
  }

  async completeEnd(end: ProcessEnd): Promise<ProcessEnd> {
    return end;
  }

  async snapshot(name: string): Promise<string> {
    return await takeSnapshot(this.#client, this.ref, name);
  }

  /** A stopped one is booted from its files. Its end stays where it was set. */
  async #run(signal: AbortSignal | undefined): Promise<DaytonaRecord> {
    const client = this.#client;
    const start = (options: CallOptions) =>
      client.sandboxes.startSandbox(this.ref, undefined, options);
    const record = await reachState(client, {
      ref: this.ref,
      wanted: ["started"],
      limitMs: BUILD_LIMIT_MS,
      signal,
      act: async ({ state }) => {
        if (resting.has(state ?? "")) await client.ask(start, { signal });
        if (state === "destroying") throw new SandboxError("gone", "It is being destroyed.");
      },
    });
    this.#isContainer = (record?.sandboxClass ?? "container") === "container";
    if (record !== undefined) return record;
    throw new SandboxError("gone", `There is no sandbox ${this.ref} at Daytona any more.`);
  }

  async #startAgent(record: DaytonaRecord, signal: AbortSignal | undefined): Promise<Duplex> {
    if (record.toolboxProxyUrl === undefined)
      throw new SandboxError("failed", "Daytona does not say where the sandbox is reached.");
    const url = `${record.toolboxProxyUrl.replace(/\/$/, "")}/${record.id}`;
    const toolbox = { client: this.#client, processes: this.#client.openToolbox(url), signal };
    const agent = await setUpAgent(toolbox);
    const stream = await openTerminal(toolbox, { url, agent, patienceSeconds: PATIENCE_SECONDS });
    this.#place = agent;
    this.#keepAwake(stream);
    return stream;
  }

  /** A long command that says nothing is no idleness: Daytona would stop the sandbox. */
  #keepAwake(stream: Duplex): void {
    const client = this.#client;
    const tell = (options: CallOptions) =>
      client.sandboxes.updateLastActivity(this.ref, undefined, undefined, options);
    clearInterval(this.#wakeTimer);
    // What is not told is told again; the open connection counts, too.
    const timer = setInterval(() => {
      client.ask(tell).catch(() => undefined);
    }, AWAKE_MS);
    timer.unref();
    stream.once("close", () => clearInterval(timer));
    this.#wakeTimer = timer;
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** States that a start leads out of. */
const resting: ReadonlySet<string> = new Set(["stopped", "archived", "archiving", "paused"]);

/** Of Daytona's own images; others are asked when they run. */
const usualPlace: AgentPlace = {
  agentPath: "/home/daytona/.agentos-agent",
  workspace: "/home/daytona/workspace",
  environment: {},
};

const CHANGE_LIMIT_MS = 120_000;
/** An image is built or pulled first. */
const BUILD_LIMIT_MS = 600_000;
const BEAT_MS = 20_000;
const PATIENCE_SECONDS = 90;
const AWAKE_MS = 240_000;
/** The toolbox holds 256 messages for a slow reader and drops it at the next; a message may be 512 bytes. */
const WINDOW_BYTES = 131_072;
