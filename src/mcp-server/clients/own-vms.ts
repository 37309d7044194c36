// The VMs of clients that name none: each has one, over connections and servers.
import type { Vm, Vms } from "../../vm/index.ts";
import { IdleWatch } from "../idle-watch.ts";
import type { McpCall, McpConnection } from "../mcp-tool.ts";
import { ownVmName } from "./client-identity.ts";

export interface OwnVmsOptions {
  /** How long a VM stays that no client is there for, and in which nothing runs. */
  readonly idleMs: number;
  /** Notes that such a VM has ended. */
  readonly noteUnused: (vm: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Shared by all connections of a server. */
export class OwnVms {
  readonly #options: OwnVmsOptions;
  readonly #users = new WeakMap<Vm, Set<McpConnection>>();
  readonly #watches = new WeakMap<Vm, IdleWatch>();

  constructor(options: OwnVmsOptions) {
    this.#options = options;
  }

  /** The VM of the client that calls, made if it is not there. The first answer to a connection names it. */
  async get(vms: Vms, call: McpCall): Promise<Vm> {
    const name = ownVmName(await call.identity());
    const { vm, isNew } = await vms.getOrCreate({ name });
    if (this.#isUser(vm, call.connection)) return vm;
    const what = isNew ? "a new VM" : "which has the files of earlier calls";
    call.connection.notices.add(vm, `vm_id defaults to "${name}", ${what}.`);
    return vm;
  }

  /** Whether the connection uses the VM already; it does from now on, until it ends. */
  #isUser(vm: Vm, connection: McpConnection): boolean {
    const users = this.#users.get(vm) ?? new Set();
    this.#users.set(vm, users);
    if (users.has(connection)) return true;
    users.add(connection);
    this.#watches.get(vm)?.stop();
    const leave = (): void => {
      users.delete(connection);
      if (users.size === 0) this.#watch(vm);
    };
    connection.signal.addEventListener("abort", leave, { once: true });
    if (connection.signal.aborted) leave();
    return false;
  }

  #watch(vm: Vm): void {
    const { idleMs, noteUnused, onError } = this.#options;
    this.#watches.get(vm)?.stop();
    const watch = new IdleWatch({
      idleMs,
      isUsed: () => vm.isBusy(),
      onIdle: () => {
        vm.destroy()
          .then(() => noteUnused(vm.id))
          .catch(onError);
      },
      onError,
    });
    this.#watches.set(vm, watch);
  }
}
