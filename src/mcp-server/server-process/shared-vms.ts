// The VMs of a server, shared by all its connections, loaded when somebody needs them.
import { mkdirSync, rmSync } from "node:fs";
import type { Vms } from "../../vm/index.ts";
import type { ServerLog } from "./server-log.ts";

export interface SharedVmsOptions {
  readonly log: ServerLog;
  /** Where long outputs of commands are kept. Ours alone: emptied before the first use. */
  readonly outputDirectory: string;
}

/** One `Vms` at most. Closed with the server. */
export class SharedVms {
  readonly #options: SharedVmsOptions;
  #loading: Promise<Vms> | undefined;
  #vms: Vms | undefined;

  constructor(options: SharedVmsOptions) {
    this.#options = options;
  }

  /** The VMs. A failed load is tried again with the next use. */
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
    const { Vms } = await import("../../vm/index.ts");
    rmSync(outputDirectory, { recursive: true, force: true });
    mkdirSync(outputDirectory, { recursive: true, mode: 0o700 });
    this.#vms = new Vms({ logDirectory: outputDirectory, log: (line) => log.info(line) });
    return this.#vms;
  }
}
