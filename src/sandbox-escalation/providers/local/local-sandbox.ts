import { existsSync } from "node:fs";
import type { FileSystem } from "../../../kernel/index.ts";
import type { AgentChannel } from "../../agent/agent-channel.ts";
import { ProxyConnections } from "../../agent/proxy-connection.ts";
import { makeSettlement } from "../../agent/settlement.ts";
import {
  type Abilities,
  type ProcessEnd,
  type Sandbox,
  SandboxError,
  type SandboxProcess,
  type SandboxUsage,
  type SpawnOptions,
} from "../../provider.ts";
import { ControlGroup } from "./control-group.ts";
import type { DiskBrake, DiskUse } from "./disk-watch.ts";
import { launch, type RunningSandbox } from "./launch.ts";
import type { LocalHost } from "./local-host.ts";
import type { LocalRecord } from "./records.ts";
import { insidePaths } from "./sandbox-view.ts";
import { readServerMark } from "./server-mark.ts";
import { trimExcess } from "./trim-excess.ts";
import { sumDiskUse, sumMemoryBytes, UseWatch } from "./use-watch.ts";
import { measureConfined } from "./writable-root/measure-confined.ts";
import { explainRootFailure } from "./writable-root/root-obstacle.ts";
import { runConfined } from "./writable-root/run-confined.ts";
import type { WritableRoot } from "./writable-root/writable-root.ts";

/** What a sandbox has of its provider. */
export interface LocalSandboxParts {
  readonly record: LocalRecord;
  readonly host: LocalHost;
  readonly files: FileSystem;
  /** It is destroyed: the provider forgets it. */
  readonly onDestroyed: () => void;
}

/** A sandbox on this machine; made stopped, `resume` starts it. */
export class LocalSandbox implements Sandbox {
  readonly ref: string;
  readonly cwd = insidePaths.workspace;
  readonly files: FileSystem;
  readonly gone: Promise<string>;
  readonly #record: LocalRecord;
  readonly #host: LocalHost;
  readonly #onDestroyed: () => void;
  readonly #goneFor = makeSettlement<string>();
  readonly #proxied = new ProxyConnections();
  #running: RunningSandbox | undefined;
  #group: ControlGroup | undefined;
  #watch: UseWatch | undefined;
  #lifetime: NodeJS.Timeout | undefined;
  #startedAtMs = 0;
  #wallMs = 0;
  #outOfMemory = 0;
  /** Starts and ends take turns. */
  #turn: Promise<void> = Promise.resolve();
  /** A snapshot that is under way. An end waits for nobody: the guest goes on meanwhile. */
  #keeping = new AbortController();
  #isDestroyed = false;

  constructor(parts: LocalSandboxParts) {
    this.#record = parts.record;
    this.#host = parts.host;
    this.#onDestroyed = parts.onDestroyed;
    this.ref = parts.record.ref;
    this.files = parts.files;
    this.gone = this.#goneFor.promise;
  }

  get abilities(): Abilities {
    return this.#hasOwnRoot ? this.#host.rootAbilities : this.#host.abilities;
  }

  async spawn(argv: readonly string[], options: SpawnOptions): Promise<SandboxProcess> {
    if (this.#running === undefined)
      throw new SandboxError("gone", "The sandbox does not run; its files are kept.");
    const { spec } = this.#record;
    const proxy = spec.network === "proxy" ? proxyEnvironment : {};
    const inherited = this.#host.without.has("empty-environment") ? process.env : {};
    const base = this.#hasOwnRoot ? rootEnvironment : baseEnvironment;
    const env = { ...inherited, ...base, ...proxy, ...spec.env, ...options.env };
    return await this.#running.link.spawn(argv, { ...options, env });
  }

  resume(signal?: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isDestroyed) throw new SandboxError("gone", "The sandbox was destroyed.");
      if (this.#running !== undefined) return;
      try {
        await this.#start(signal);
      } catch (error) {
        await this.#end();
        throw this.#hasOwnRoot ? explainRootFailure(error) : error;
      }
    });
  }

  stop(): Promise<void> {
    this.#callOffSnapshot();
    return this.#inTurn(() => this.#end());
  }

  destroy(): Promise<void> {
    this.#callOffSnapshot();
    return this.#inTurn(async () => {
      if (this.#isDestroyed) return;
      await this.#end();
      await this.#reclaimWorkspace();
      await this.#host.records.remove(this.ref).catch((error: unknown) => {
        // Why is about this host: the record has it.
        throw new SandboxError("not-confirmed", "The sandbox's home stays.", { cause: error });
      });
      this.#isDestroyed = true;
      this.#onDestroyed();
    });
  }

  /** Of what it changed of its root, and not of its workspace. What is written meanwhile may be there half. */
  async snapshot(name: string): Promise<string> {
    let kept = "";
    const { signal } = this.#keeping;
    await this.#inTurn(async () => {
      signal.throwIfAborted();
      if (this.#isDestroyed) throw new SandboxError("gone", "The sandbox was destroyed.");
      const root = await this.#openRoot();
      if (root === undefined)
        throw new SandboxError("unsupported", "One with the host's tools keeps no snapshots.");
      kept = await this.#host.roots.keep(name, root, signal);
    });
    return kept;
  }

  async usage(): Promise<SandboxUsage> {
    const running = this.#running;
    const sinceStart = running === undefined ? 0 : performance.now() - this.#startedAtMs;
    const wallMs = Math.round(this.#wallMs + sinceStart);
    if (running === undefined) return { wallMs };
    const memoryBytes = (await this.#group?.memoryBytes()) ?? (await sumMemoryBytes(running.pid));
    return { wallMs, memoryBytes };
  }

  #callOffSnapshot(): void {
    this.#keeping.abort(new SandboxError("gone", "The sandbox ended before it was kept."));
    this.#keeping = new AbortController();
  }

  get #hasOwnRoot(): boolean {
    return this.#record.spec.image !== "host";
  }

  /** Whether files of it may belong to accounts that the server's user is not. */
  get #hasHiddenFiles(): boolean {
    return this.#hasOwnRoot && this.#host.ids.mappers !== undefined;
  }

  async #openRoot(signal?: AbortSignal): Promise<WritableRoot | undefined> {
    if (!this.#hasOwnRoot) return undefined;
    const { records, roots } = this.#host;
    return await roots.open(records.directoryOf(this.ref), this.#record.spec.image, signal);
  }

  /** The workspace outlives it, and whoever removes that is the server's user. */
  async #reclaimWorkspace(): Promise<void> {
    const { workspace } = this.#record.spec;
    if (!this.#hasHiddenFiles || !existsSync(workspace)) return;
    const argv = ["chown", "-R", "-h", "-P", "0:0", "/a"];
    await runConfined(this.#host, { argv, directories: [workspace] });
  }

  async #start(signal: AbortSignal | undefined): Promise<void> {
    const { spec } = this.#record;
    const home = this.#host.records.homeOf(this.ref);
    const root = await this.#openRoot(signal);
    await this.#host.records.save({ ...this.#record, server: readServerMark() });
    const tree = this.#host.controlGroups;
    if (tree !== undefined) this.#group = new ControlGroup(tree, this.ref, spec.limits);
    this.#outOfMemory = 0;
    const running = await launch(
      {
        bubblewrap: this.#host.bubblewrap,
        workspace: spec.workspace,
        home,
        root,
        become: this.#host.become,
        joinFiles: this.#group?.joinFiles ?? [],
        limits: spec.limits,
        limitsProcesses: this.#host.countsProcesses,
        owner: {
          completeEnd: (end) => this.#completeEnd(end),
          onConnection: (channel) => this.#connectProxy(channel),
          onStopped: () => this.#watch?.recountDisk(),
        },
        without: this.#host.without,
      },
      signal,
    );
    this.#running = running;
    this.#startedAtMs = performance.now();
    const own = root === undefined ? [] : [{ path: root.changes, inside: "/" }];
    this.#supervise(running, [
      { path: spec.workspace, inside: insidePaths.workspace },
      { path: home, inside: root === undefined ? insidePaths.home : undefined },
      ...own,
    ]);
    if (spec.network === "proxy") await running.link.listen(PROXY_PORT);
  }

  /** Notices when it ends by itself, and ends it when it takes too much or lives too long. */
  #supervise(running: RunningSandbox, kept: readonly KeptDirectory[]): void {
    const { spec, createdAtMs } = this.#record;
    const startedAtMs = Date.now();
    const endWith = (reason: string, tidy = async (): Promise<string> => reason) => {
      if (this.#running !== running) return;
      this.#callOffSnapshot();
      let outcome = reason;
      const end = async (): Promise<void> => {
        await this.#end(reason);
        outcome = await tidy();
      };
      // What cannot be ended is reported by the stop or destroy that follows.
      const tell = (): void => this.#goneFor.resolve(outcome);
      this.#inTurn(end).then(tell, tell);
    };
    running.exited.then(
      (reason) => endWith(reason),
      (reason) => endWith(reason),
    );
    this.#watch = new UseWatch({
      pid: running.pid,
      limits: spec.limits,
      watchesMemory: this.#group === undefined,
      watchesProcesses: this.abilities.pids === "soft",
      directories: kept.map(({ path }) => path),
      brake: brakeOf(running, kept),
      measure: (paths) => this.#measure(paths),
      onExceeded: (reason) => endWith(reason, () => this.#trim(reason, startedAtMs)),
    });
    const leftMs = createdAtMs + spec.limits.lifetimeMs - Date.now();
    const waitMs = Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS);
    this.#lifetime = setTimeout(() => endWith("The sandbox's lifetime is over."), waitMs);
    this.#lifetime.unref();
  }

  async #measure(directories: readonly string[]): Promise<DiskUse | undefined> {
    return this.#hasHiddenFiles
      ? await measureConfined(this.#host, directories)
      : await sumDiskUse(directories);
  }

  /** Removes what is above the limit, and adds that to the reason. What it changed of a root of its own goes anyway. */
  async #trim(reason: string, sinceMs: number): Promise<string> {
    const { workspace, limits } = this.#record.spec;
    const removed = await trimExcess(this.#host, {
      directories: [workspace, this.#host.records.homeOf(this.ref)],
      limitBytes: limits.diskMb * MEBIBYTE,
      sinceMs,
      measure: (paths) => this.#measure(paths),
    });
    if (removed.files === 0) return reason;
    const what = `${removed.files} files, ${Math.ceil(removed.bytes / MEBIBYTE)} MB`;
    return `${reason} What it wrote last was removed: ${what}.`;
  }

  async #end(why?: string): Promise<void> {
    const running = this.#running;
    this.#watch?.stop();
    clearTimeout(this.#lifetime);
    this.#running = undefined;
    if (running !== undefined) this.#wallMs += performance.now() - this.#startedAtMs;
    await running?.end(why);
    await this.#group?.remove();
    this.#group = undefined;
  }

  async #completeEnd(end: ProcessEnd): Promise<ProcessEnd> {
    if (end.status !== KILLED || this.#group === undefined) return end;
    const count = await this.#group.countOutOfMemory();
    if (count <= this.#outOfMemory) return end;
    this.#outOfMemory = count;
    return { ...end, isOutOfMemory: true };
  }

  #connectProxy(channel: AgentChannel): void {
    const { proxySocket } = this.#record.spec;
    if (proxySocket === undefined) return channel.endInput();
    this.#proxied.carry(channel, proxySocket);
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(act);
    // Whoever asked hears of a failure; the next turn begins all the same.
    this.#turn = turn.then(proceed, proceed);
    return await turn;
  }
}

function proceed(): void {}

/** A directory of the host that a sandbox writes to, and where it is inside; undefined where it is not. */
interface KeptDirectory {
  readonly path: string;
  readonly inside: string | undefined;
}

function brakeOf({ link }: RunningSandbox, kept: readonly KeptDirectory[]): DiskBrake {
  return {
    set: (floors) => {
      for (const [index, { inside }] of kept.entries()) {
        const floor = floors[index];
        if (inside !== undefined && floor !== undefined) link.setFloor(index, floor, inside);
      }
    },
    release: () => link.release(),
  };
}

const MEBIBYTE = 1024 * 1024;
/** 128 and SIGKILL. */
const KILLED = 137;
/** setTimeout's longest wait. */
const LONGEST_TIMER_MS = 2_147_483_647;
/** Squid's, which tools know. */
const PROXY_PORT = 3128;

const baseEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: insidePaths.home,
  USER: "user",
  LOGNAME: "user",
  SHELL: "/bin/sh",
  LANG: "C.UTF-8",
};

const rootEnvironment = { ...baseEnvironment, HOME: "/root", USER: "root", LOGNAME: "root" };

const proxyUrl = `http://127.0.0.1:${PROXY_PORT}`;
const proxyEnvironment = {
  http_proxy: proxyUrl,
  https_proxy: proxyUrl,
  HTTP_PROXY: proxyUrl,
  HTTPS_PROXY: proxyUrl,
  no_proxy: "localhost,127.0.0.1,::1",
  NO_PROXY: "localhost,127.0.0.1,::1",
};
