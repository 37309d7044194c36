import type { Duplex } from "node:stream";
import type { AgentLink } from "../../agent/agent-link.ts";
import type { Abilities, ProcessEnd, SandboxUsage } from "../../provider.ts";

/**
 * A Linux machine that some vendor runs, with our agent (native/sandbox-agent) in it. The agent does all
 * about processes; a vendor's code makes, stops and removes the machine and carries the agent's bytes.
 */
export interface Machine {
  /** What the vendor finds it by again: no secret. */
  readonly ref: string;
  readonly abilities: Abilities;
  /** Where the workspace is inside. */
  readonly cwd: string;
  /** What processes have unless they are told otherwise. */
  readonly environment: Readonly<Record<string, string>>;
  /** When its life is over. */
  readonly endsAtMs: number;
  /** The proxy's socket on this host, where its only network is the proxy. */
  readonly proxySocket: string | undefined;
  /** How often the agent must hear from us, where a stream that ends does not end it. */
  readonly beatMs?: number;
  /** How much output may be under way in it, where its stream loses what is more. */
  readonly windowBytes?: number;
  /**
   * Makes it run, with a new agent; answers the bytes from and to the agent. When the stream ends the
   * agent does, and every process it started; ended by a SandboxError, that is the reason. Failed or aborted: nothing of it runs.
   */
  start(signal?: AbortSignal): Promise<Duplex>;
  /** The agent runs: it can be given floors of the disk. */
  useLink?(link: AgentLink): void;
  /** The agent has stopped everything because a disk is below its floor. */
  onStopped?(): void;
  /** Ends its processes and keeps its files. SandboxError "not-confirmed". */
  stop(): Promise<void>;
  /** Gone for good. SandboxError "not-confirmed" unless the vendor says so. */
  remove(): Promise<void>;
  measure(): Promise<Omit<SandboxUsage, "wallMs">>;
  /** Adds to a process's end what only the vendor knows. */
  completeEnd(end: ProcessEnd): Promise<ProcessEnd>;
  /** Whether it must be stopped for a snapshot, and is started again after. */
  readonly stopsForSnapshots?: boolean;
  /** SandboxError "unsupported". */
  snapshot(name: string): Promise<string>;
}
