// The VMs of a server, shared by all its connections, loaded when somebody needs them.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Toolkit } from "../../toolkit-cli/index.ts";
import { HostError } from "../../vm/host-error.ts";
import type { Approver, Disk, HostToolkits, VmOptions, Vms, VmsOptions } from "../../vm/index.ts";
import type { SharedApprovals } from "../approvals/shared-approvals.ts";
import { ConfigError, findConfigFile, readConfigText } from "../config/config-file.ts";
import type { LimitCeilings } from "../config/limit-ceilings.ts";
import type { SandboxConfig } from "../config/sandbox-config.ts";
import type { Home } from "../home.ts";
import type { Sandboxes } from "../sandboxes/sandboxes.ts";
import type { ServerLog } from "./server-log.ts";
import { VmRecords } from "./vm-records.ts";

export interface SharedVmsOptions {
  readonly log: ServerLog;
  /** Where the configuration is. */
  readonly home: Home;
  readonly build: string;
  /** Whom the VMs ask. */
  readonly approvals: SharedApprovals;
  /** Tells this server from those before it. */
  readonly serverRun: string;
}

/** One `Vms` at most. Closed with the server. */
export class SharedVms {
  readonly #options: SharedVmsOptions;
  /** Where long outputs of commands are kept. Ours alone: emptied before the first use. */
  readonly #outputDirectory: string;
  readonly #records: VmRecords;
  #loading: Promise<Vms> | undefined;
  #vms: Vms | undefined;
  #toolkits: readonly Toolkit[] = [];
  #hostToolkits: HostToolkits | undefined;
  #ceilings: LimitCeilings | undefined;
  #sandboxes: Sandboxes | undefined;
  #disk: Disk | undefined;
  /** The text of the configuration as it was loaded; undefined before, or where there was no file. */
  #configText: string | undefined;

  constructor(options: SharedVmsOptions) {
    this.#options = options;
    this.#outputDirectory = join(options.home.directory, "output", options.build);
    this.#records = new VmRecords(options.home.directory, options.serverRun);
  }

  /** The VMs. A failed load is tried again with the next use. Fails with CONFIG_INVALID. */
  async get(): Promise<Vms> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return await this.#loading;
  }

  /** The toolkits of the configuration, for calls that come from no VM. As `get`. */
  async hostToolkits(): Promise<HostToolkits> {
    await this.get();
    if (this.#hostToolkits === undefined) throw new Error("The VMs are there without toolkits.");
    return this.#hostToolkits;
  }

  /** How much clients may ask for. As `get`. */
  async ceilings(): Promise<LimitCeilings> {
    await this.get();
    if (this.#ceilings === undefined) throw new Error("The VMs are there without ceilings.");
    return this.#ceilings;
  }

  /** Undefined where VMs have none. As `get`. */
  async sandboxes(): Promise<Sandboxes | undefined> {
    await this.get();
    return this.#sandboxes;
  }

  /** What to tell a person whose server has not read the configuration as it is now; undefined where it has. */
  configurationNotice(): string | undefined {
    if (this.#vms === undefined) return undefined;
    const { path } = findConfigFile(this.#options.home.directory, process.env);
    if (readConfigText(path) === this.#configText) return undefined;
    return `${path} has changed since the server (pid ${process.pid}) read it. The change takes effect with the next server: agentos-mcp stop ends this one, and its VMs with it.`;
  }

  /** Whether a process runs in any VM, or in its sandbox: commands, and what they left in the background. */
  async isBusy(): Promise<boolean> {
    if (this.#sandboxes?.isBusy() === true) return true;
    const busy = await Promise.all((this.#vms?.list() ?? []).map((vm) => vm.isBusy()));
    return busy.includes(true);
  }

  /** A VM has ended because nobody used it: whoever comes back is told. One who is back already has a new one. */
  noteUnused(vm: string): void {
    if (this.#vms?.find(vm) === undefined) this.#records.noteUnused(vm);
  }

  /** The names of the VMs there are; loads nothing. */
  names(): string[] {
    return (this.#vms?.list() ?? []).map(({ id }) => id);
  }

  /** Destroys every VM, also those of a load that is under way. */
  async close(): Promise<void> {
    const vms = await this.#loading;
    await vms?.close();
    await this.#sandboxes?.close();
    await this.#disk?.close();
    await this.#closeToolkits();
    rmSync(this.#outputDirectory, { recursive: true, force: true });
  }

  async #load(): Promise<Vms> {
    const { log } = this.#options;
    const outputDirectory = this.#outputDirectory;
    const [{ Disk, HomeSpace, HostToolkits, Vms }, config] = await Promise.all([
      import("../../vm/index.ts"),
      this.#configure(),
    ]);
    rmSync(outputDirectory, { recursive: true, force: true });
    mkdirSync(outputDirectory, { recursive: true, mode: 0o700 });
    const logLine = (line: string): void => log.warn(line);
    const { approvals } = await this.#options.approvals.get();
    const { options, toolkits } = config;
    this.#toolkits = toolkits;
    const logSpace = new HomeSpace({
      directory: this.#options.home.directory,
      limitMb: config.homeLimitMb,
      limit: "the home (homeLimitMb)",
      log: logLine,
    });
    const disk = new Disk();
    this.#disk = disk;
    this.#sandboxes = await this.#openSandboxes(config.sandbox, approvals, disk);
    const { permissions = {} } = options.defaults ?? {};
    this.#hostToolkits = new HostToolkits({ toolkits, permissions, approvals, log: logLine });
    this.#vms = new Vms({
      ...options,
      defaults: {
        ...options.defaults,
        approvals,
        ...withSandboxes(toolkits, this.#sandboxes),
      },
      disk,
      history: this.#records,
      logDirectory: outputDirectory,
      logSpace,
      log: logLine,
    });
    this.#ceilings = config.ceilings(this.#vms.maxMemoryMb);
    return this.#vms;
  }

  async #configure(): Promise<Configured> {
    const [{ loadConfig }, { LimitCeilings }, { vmsOptions }, { loadToolkits }] = await Promise.all(
      [
        import("../config/load-config.ts"),
        import("../config/limit-ceilings.ts"),
        import("../config/vms-options.ts"),
        import("../toolkits/load-toolkits.ts"),
      ],
    );
    const { home, log } = this.#options;
    const homeDirectory = home.directory;
    const { env } = process;
    try {
      const { path } = findConfigFile(homeDirectory, env);
      this.#configText = readConfigText(path);
      const config = loadConfig(homeDirectory, env);
      const directory = dirname(path);
      const sources = { directory, env, log: (line: string) => log.warn(line) };
      const toolkits = await loadToolkits(config, sources);
      return {
        options: vmsOptions(config),
        toolkits,
        sandbox: config.sandbox,
        homeLimitMb: config.homeLimitMb ?? HOME_LIMIT_MB,
        ceilings: (maxMemoryMb) => new LimitCeilings(config, { path, env, maxMemoryMb }),
      };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new HostError("CONFIG_INVALID", { problem: error.problem }, { cause: error });
    }
  }

  async #openSandboxes(
    config: SandboxConfig | undefined,
    approver: Approver,
    disk: Disk,
  ): Promise<Sandboxes | undefined> {
    // A door that the policy refuses is not shown.
    if (config === undefined) return undefined;
    const { providersOf } = await import("../config/sandbox-config.ts");
    if (providersOf(config).every(({ policy }) => policy === "deny")) return undefined;
    const { Sandboxes } = await import("../sandboxes/sandboxes.ts");
    const { home, log } = this.#options;
    const logLine = (line: string): void => log.warn(line);
    return new Sandboxes({ config, homeDirectory: home.directory, approver, disk, log: logLine });
  }

  async #closeToolkits(): Promise<void> {
    const closed = await Promise.allSettled(
      this.#toolkits.map(async (toolkit) => await toolkit.close?.()),
    );
    for (const result of closed) {
      if (result.status === "rejected") this.#options.log.error("a toolkit", result.reason);
    }
  }
}

/** What VMs get to reach their sandboxes. A toolkit of the operator's keeps its name. */
function withSandboxes(
  toolkits: readonly Toolkit[],
  sandboxes: Sandboxes | undefined,
): Omit<VmOptions, "name"> {
  if (sandboxes === undefined) return { toolkits };
  const { commands, toolkit } = sandboxes;
  const isTaken = toolkits.some(({ name }) => name === toolkit.name);
  return {
    toolkits: isTaken ? toolkits : [...toolkits, toolkit],
    commands,
    makeMounts: (vm) => sandboxes.makeMounts(vm),
  };
}

/** Room for the logs of many VMs, and for sandboxes. */
const HOME_LIMIT_MB = 16_384;

interface Configured {
  readonly options: VmsOptions;
  readonly toolkits: readonly Toolkit[];
  readonly sandbox: SandboxConfig | undefined;
  readonly homeLimitMb: number;
  readonly ceilings: (maxMemoryMb: number) => LimitCeilings;
}
