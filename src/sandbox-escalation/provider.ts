/**
 * Who supplies sandboxes, and what a sandbox is to us. One contract suite and one escape suite run
 * against every provider. Policy, limits of use, idle stop, output limits and records are above this,
 * once; a provider only does what it is told and says honestly what it cannot.
 */
import type { FileSystem } from "../kernel/index.ts";

export interface SandboxProvider {
  /** `local`, `docker`, `e2b`… */
  readonly id: string;
  /** Whether it can be used here, and what it can hold. Cheap, costs no money, starts nothing that stays. */
  probe(signal?: AbortSignal): Promise<Probe>;
  /** Resolves when commands can run. Aborted or failed half-way: nothing is left behind. */
  create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox>;
  /** The sandbox that a server before this one made. SandboxError "gone". */
  attach(ref: string, signal?: AbortSignal): Promise<Sandbox>;
  /** Everything this owner has there, whoever made it: what the reaper looks through. */
  list(owner: string, signal?: AbortSignal): Promise<readonly SandboxRecord[]>;
}

export type Probe =
  | { readonly isUsable: true; readonly abilities: Abilities }
  | { readonly isUsable: false; readonly reason: string; readonly fix?: string };

/** What a provider can really do here; "soft" is watched and ended, not prevented. */
export interface Abilities {
  readonly isolation: "namespace" | "container" | "microvm" | "remote";
  readonly memory: "hard" | "soft" | "none";
  readonly pids: "hard" | "soft" | "none";
  readonly cpu: "hard" | "none";
  readonly disk: "hard" | "soft" | "none";
  readonly network: readonly NetworkMode[];
  /** Whether packages can be installed in it. */
  readonly packages: "full" | "partial" | "none";
  readonly hasTerminals: boolean;
  /** What a stopped one keeps. */
  readonly stopKeeps: "memory" | "files" | "nothing";
  readonly canSnapshot: boolean;
  /** Whether it costs money. */
  readonly isBillable: boolean;
}

export type NetworkMode = "none" | "proxy" | "full";

export interface SandboxSpec {
  /** Who answers for it: one server's home. On the sandbox as a label, with the VM's name. */
  readonly owner: string;
  readonly vm: string;
  readonly reason: string;
  /** `host` for the host's own tools, read-only; else what the provider calls an image. */
  readonly image: string;
  /** Where the workspace is on this host, for providers that share it; it outlives the sandbox. */
  readonly workspace: string;
  readonly limits: SandboxLimits;
  readonly network: NetworkMode;
  /** The proxy's socket on this host, for the network "proxy". */
  readonly proxySocket?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface SandboxLimits {
  readonly memoryMb: number;
  readonly pids: number;
  readonly cpus: number;
  readonly diskMb: number;
  /** The end of its life, set at the vendor, too. */
  readonly lifetimeMs: number;
}

export interface Sandbox {
  /** What `attach` takes: no secret. */
  readonly ref: string;
  readonly abilities: Abilities;
  /** Where the workspace is inside. */
  readonly cwd: string;
  /** The workspace's files, true modes, times and links; nothing outside can be reached through it. */
  readonly files: FileSystem;
  /** SandboxError "gone" where it does not run: then nothing was begun. */
  spawn(argv: readonly string[], options: SpawnOptions): Promise<SandboxProcess>;
  /** Ends its processes; the files stay. */
  stop(): Promise<void>;
  /** Makes a stopped one run again. */
  resume(signal?: AbortSignal): Promise<void>;
  /** Keeps its state under a name that `image` of a later one takes. SandboxError "unsupported". */
  snapshot(name: string): Promise<string>;
  usage(): Promise<SandboxUsage>;
  /** Again: nothing happens. Fails unless the provider confirmed that it is gone. */
  destroy(): Promise<void>;
  /** Resolves with the reason when it is gone without our doing. */
  readonly gone: Promise<string>;
}

export interface SpawnOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly terminal?: { readonly columns: number; readonly rows: number };
}

export interface SandboxProcess {
  /** What the sandbox calls it. */
  readonly id: string;
  /** Waits while there is no room; fails with EPIPE when it reads no more. */
  writeInput(bytes: Uint8Array): Promise<void>;
  closeInput(): Promise<void>;
  /** Bytes as they come, held back while nobody takes them. With a terminal all is output. */
  readonly output: AsyncIterable<Uint8Array>;
  readonly errors: AsyncIterable<Uint8Array>;
  /**
   * How much it had written when it ended, where the provider knows that: all of it comes, unless the sandbox
   * ends before. What comes later is of others that hold its streams.
   */
  writtenAtEnd?(): StreamBytes | undefined;
  resize(columns: number, rows: number): Promise<void>;
  /** To the process and all it started. */
  kill(signal: string): Promise<void>;
  readonly ended: Promise<ProcessEnd>;
}

export interface StreamBytes {
  readonly output: number;
  readonly errors: number;
}

export interface ProcessEnd {
  /** As a shell has it: 128 and the signal's number for one that a signal ended. */
  readonly status: number;
  readonly signal?: string;
  readonly isOutOfMemory?: boolean;
  /** Why its sandbox was ended, where that ended it. */
  readonly sandboxEnd?: string;
}

export interface SandboxUsage {
  readonly wallMs: number;
  readonly cpuMs?: number;
  readonly memoryBytes?: number;
  readonly costUsd?: number;
}

export interface SandboxRecord {
  readonly ref: string;
  readonly vm: string;
  /** By the provider's clock. */
  readonly createdAtMs: number;
  /** The mark of the server that made it, where it is known. */
  readonly server?: string;
}

export type SandboxErrorCode =
  | "unavailable"
  | "denied"
  | "gone"
  | "unsupported"
  | "limit"
  | "not-confirmed"
  | "failed";

/** What went wrong with a sandbox, with what to do about it. */
export class SandboxError extends Error {
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SandboxError";
    this.code = code;
  }
}
