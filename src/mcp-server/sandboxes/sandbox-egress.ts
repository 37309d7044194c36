// The proxies of a server's sandboxes: one for each VM whose sandbox has the network, on a socket of the home.

import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { EgressProxy, type RecordLog } from "../../sandbox-escalation/index.ts";
import type { SandboxConfig } from "../config/sandbox-config.ts";
import { newSocketPath } from "../home.ts";

export interface SandboxEgressOptions {
  readonly homeDirectory: string;
  readonly network: SandboxConfig["network"];
  readonly records: RecordLog;
}

interface Opened {
  readonly socket: string;
  readonly proxy: Promise<EgressProxy>;
}

export class SandboxEgress {
  readonly #options: SandboxEgressOptions;
  readonly #opened = new Map<string, Opened>();

  constructor(options: SandboxEgressOptions) {
    this.#options = options;
  }

  /** Where the proxy for a workspace listens; what it decides is recorded for the VM. */
  async socketOf(workspace: string, vm: string): Promise<string> {
    const opened = this.#opened.get(workspace) ?? this.#open(workspace, vm);
    this.#opened.set(workspace, opened);
    await opened.proxy;
    return opened.socket;
  }

  /** Of one workspace, or of all. */
  async close(workspace?: string): Promise<void> {
    const closing = [...this.#opened].filter(
      ([key]) => workspace === undefined || key === workspace,
    );
    for (const [key, { proxy, socket }] of closing) {
      this.#opened.delete(key);
      await (await proxy.catch(() => undefined))?.close();
      await rm(socket, { force: true });
    }
  }

  #open(workspace: string, vm: string): Opened {
    const { homeDirectory, network, records } = this.#options;
    const name = `egress-${randomBytes(4).toString("hex")}`;
    const socket = newSocketPath({ directory: homeDirectory, logFile: "" }, name);
    const proxy = EgressProxy.open({
      socket,
      allow: network?.allow ?? [],
      private: network?.private ?? [],
      record: (isAllowed, facts) =>
        records.add(vm, isAllowed ? "connection allowed" : "connection denied", facts),
    });
    proxy.catch(() => this.#opened.delete(workspace));
    return { socket, proxy };
  }
}
