// The VMs of a server, shared by all its connections, loaded when somebody needs them.
import type { Vms } from "../../vm/index.ts";
import type { ServerLog } from "./server-log.ts";

/** One `Vms` at most. Closed with the server. */
export class SharedVms {
  readonly #log: ServerLog;
  #loading: Promise<Vms> | undefined;
  #vms: Vms | undefined;

  constructor(log: ServerLog) {
    this.#log = log;
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
    return vms.some((vm) => vm.info().execs.some((exec) => exec.state === "running"));
  }

  /** Destroys every VM, also those of a load that is under way. */
  async close(): Promise<void> {
    const vms = await this.#loading;
    await vms?.close();
  }

  async #load(): Promise<Vms> {
    const { Vms } = await import("../../vm/index.ts");
    this.#vms = new Vms({ log: (line) => this.#log.info(JSON.stringify(line)) });
    return this.#vms;
  }
}
