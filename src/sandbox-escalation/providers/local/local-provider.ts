import { chown } from "node:fs/promises";
import type { FileSystem } from "../../../kernel/index.ts";
import {
  type Probe,
  type Sandbox,
  SandboxError,
  type SandboxProvider,
  type SandboxRecord,
  type SandboxSpec,
} from "../../provider.ts";
import { removeLeftControlGroups } from "./control-group.ts";
import { findHostIds, type HostIds } from "./host-ids.ts";
import { findLocalHost, findUserNamespaceObstacle, type LocalHost } from "./local-host.ts";
import { LocalSandbox } from "./local-sandbox.ts";
import type { Protection } from "./protections.ts";
import type { LocalRecord } from "./records.ts";
import { isServerAlive, readServerMark } from "./server-mark.ts";
import { tryLaunch } from "./try-launch.ts";
import { readRootSource } from "./writable-root/root-source.ts";

export interface LocalProviderOptions {
  /** Records and homes of sandboxes; made when the first is. Readable by this user alone. */
  readonly stateDirectory: string;
  /** Shows a workspace, whose files belong to these ids on the host. */
  readonly openFiles: (spec: SandboxSpec, ids: HostIds) => Promise<FileSystem>;
  /** For tests of the walls only. */
  readonly without?: readonly Protection[];
  /** For tests of hosts that have none. */
  readonly usesControlGroups?: boolean;
}

/**
 * Sandboxes on this Linux machine: user namespaces by bubblewrap, a seccomp filter, control groups where
 * they can be had. They share the host's kernel, and end when the server does.
 */
export class LocalProvider implements SandboxProvider {
  readonly id = "local";
  readonly #options: LocalProviderOptions;
  readonly #sandboxes = new Map<string, LocalSandbox>();
  #host: LocalHost | undefined;
  #probed: Promise<Probe> | undefined;

  constructor(options: LocalProviderOptions) {
    this.#options = options;
  }

  /** Starts one for a moment; the answer is kept when it is yes. */
  async probe(signal?: AbortSignal): Promise<Probe> {
    this.#probed ??= this.#look();
    const probe = await this.#probed;
    if (!probe.isUsable) this.#probed = undefined;
    signal?.throwIfAborted();
    return probe;
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    checkSpec(spec);
    const host = await this.#usableHost(signal);
    if (host.become !== undefined) await chown(spec.workspace, host.become.uid, host.become.gid);
    const record = await host.records.create(spec, readServerMark());
    const sandbox = await this.#open(record, host);
    try {
      await sandbox.resume(signal);
    } catch (error) {
      await sandbox.destroy();
      throw error;
    }
    return sandbox;
  }

  /** A stopped one, unless this server runs it: its processes ended with their server. */
  async attach(ref: string, signal?: AbortSignal): Promise<Sandbox> {
    const known = this.#sandboxes.get(ref);
    if (known !== undefined) return known;
    const host = await this.#usableHost(signal);
    const record = await host.records.read(ref);
    if (record.server !== readServerMark() && isServerAlive(record.server))
      throw new SandboxError(
        "gone",
        `Another server (process ${record.server}) has sandbox ${ref}.`,
      );
    return await this.#open(record, host);
  }

  async list(owner: string): Promise<readonly SandboxRecord[]> {
    const host = this.#findHost();
    const records = (await host?.records.list(owner)) ?? [];
    return records.map(({ ref, spec, createdAtMs }) => ({ ref, vm: spec.vm, createdAtMs }));
  }

  async #usableHost(signal: AbortSignal | undefined): Promise<LocalHost> {
    const probe = await this.probe(signal);
    const host = this.#findHost();
    if (probe.isUsable && host !== undefined) return host;
    const why = probe.isUsable
      ? ""
      : [probe.reason, probe.fix].filter(Boolean).join(" To allow it: ");
    throw new SandboxError("unavailable", why);
  }

  #findHost(): LocalHost | undefined {
    this.#host ??= findLocalHost({
      stateDirectory: this.#options.stateDirectory,
      without: new Set(this.#options.without ?? []),
      usesControlGroups: this.#options.usesControlGroups ?? true,
    });
    return this.#host;
  }

  async #look(): Promise<Probe> {
    if (process.platform !== "linux")
      return {
        isUsable: false,
        reason: `Local sandboxes need Linux; this is ${process.platform}.`,
      };
    if (process.arch !== "x64" && process.arch !== "arm64")
      return { isUsable: false, reason: `Local sandboxes need x64 or arm64, not ${process.arch}.` };
    const host = this.#findHost();
    if (host === undefined)
      return {
        isUsable: false,
        reason: "Bubblewrap (bwrap) is not installed.",
        fix: "sudo apt-get install bubblewrap (or dnf, pacman, zypper)",
      };
    const failure = await tryLaunch(host);
    if (failure === undefined) {
      if (host.controlGroups !== undefined) removeLeftControlGroups(host.controlGroups);
      return { isUsable: true, abilities: host.abilities };
    }
    const obstacle = findUserNamespaceObstacle();
    return { isUsable: false, reason: failure, ...obstacle };
  }

  async #open(record: LocalRecord, host: LocalHost): Promise<LocalSandbox> {
    const files = await this.#options.openFiles(record.spec, findHostIds());
    const known = this.#sandboxes.get(record.ref);
    if (known !== undefined) return known;
    const sandbox = new LocalSandbox({
      record,
      host,
      files,
      onDestroyed: () => this.#sandboxes.delete(record.ref),
    });
    this.#sandboxes.set(record.ref, sandbox);
    return sandbox;
  }
}

/** SandboxError "unsupported" or "limit". */
function checkSpec(spec: SandboxSpec): void {
  if (spec.image !== "host") readRootSource(spec.image);
  if (spec.network === "full")
    throw new SandboxError("unsupported", "Local sandboxes have the network none or proxy.");
  if (spec.network === "proxy" && spec.proxySocket === undefined)
    throw new SandboxError("unsupported", "The network proxy needs the proxy's socket.");
  for (const [name, value] of Object.entries(spec.limits))
    if (!Number.isFinite(value) || value <= 0)
      throw new SandboxError("limit", `The limit ${name} is ${value}: it must be above 0.`);
  if (spec.limits.memoryMb < SMALLEST_MEMORY_MB)
    throw new SandboxError("limit", `A sandbox needs ${SMALLEST_MEMORY_MB} MB of memory.`);
}

/** What a shell and a small program take. */
const SMALLEST_MEMORY_MB = 16;
