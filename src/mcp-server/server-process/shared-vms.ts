// The VMs of a server, shared by all its connections, loaded when somebody needs them.
import { mkdirSync, rmSync } from "node:fs";
import { HostError } from "../../vm/host-error.ts";
import type { Vms, VmsOptions } from "../../vm/index.ts";
import type { SharedApprovals } from "../approvals/shared-approvals.ts";
import { ConfigError } from "../config/config-file.ts";
import type { ServerLog } from "./server-log.ts";

export interface SharedVmsOptions {
  readonly log: ServerLog;
  /** Where long outputs of commands are kept. Ours alone: emptied before the first use. */
  readonly outputDirectory: string;
  /** Where the configuration is. */
  readonly homeDirectory: string;
  /** Whom the VMs ask. */
  readonly approvals: SharedApprovals;
}

/** One `Vms` at most. Closed with the server. */
export class SharedVms {
  readonly #options: SharedVmsOptions;
  #loading: Promise<Vms> | undefined;
  #vms: Vms | undefined;

  constructor(options: SharedVmsOptions) {
    this.#options = options;
  }

  /** The VMs. A failed load is tried again with the next use. Fails with CONFIG_INVALID. */
  async get(): Promise<Vms> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return await this.#loading;
  }

  /** Whether a command runs in any VM. */
  isBusy(): boolean {
    const vms = this.#vms?.list() ?? [];
    return vms.some((vm) => vm.info().execs.some((exec) => exec.isRunning));
  }

  /** Destroys every VM, also those of a load that is under way. */
  async close(): Promise<void> {
    const vms = await this.#loading;
    await vms?.close();
    rmSync(this.#options.outputDirectory, { recursive: true, force: true });
  }

  async #load(): Promise<Vms> {
    const { log, outputDirectory } = this.#options;
    const [{ Vms }, options] = await Promise.all([import("../../vm/index.ts"), this.#configure()]);
    rmSync(outputDirectory, { recursive: true, force: true });
    mkdirSync(outputDirectory, { recursive: true, mode: 0o700 });
    const logLine = (line: string): void => log.info(line);
    const { approvals } = await this.#options.approvals.get();
    this.#vms = new Vms({
      ...options,
      defaults: { ...options.defaults, approvals },
      logDirectory: outputDirectory,
      log: logLine,
    });
    return this.#vms;
  }

  async #configure(): Promise<VmsOptions> {
    const [{ loadConfig }, { vmsOptions }] = await Promise.all([
      import("../config/load-config.ts"),
      import("../config/vms-options.ts"),
    ]);
    try {
      return vmsOptions(loadConfig(this.#options.homeDirectory, process.env));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new HostError("CONFIG_INVALID", { problem: error.problem }, { cause: error });
    }
  }
}
