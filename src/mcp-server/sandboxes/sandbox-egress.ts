// The proxies of a server's sandboxes: one for each VM whose sandbox has the network, on a socket of the home.

import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { EgressProxy, type RecordLog } from "../../sandbox-escalation/index.ts";
import type { CommonSettings } from "../config/sandbox-values.ts";
import { newSocketPath } from "../home.ts";

export interface SandboxEgressOptions {
  readonly homeDirectory: string;
  /** Of a provider: what its sandboxes may connect to. */
  readonly networkOf: (provider: string) => CommonSettings["network"] | "full";
  readonly records: RecordLog;
}

/** Who connects. */
export interface EgressUser {
  readonly workspace: string;
  readonly vm: string;
  readonly provider: string;
}

interface Opened extends EgressUser {
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
  async socketOf(user: EgressUser): Promise<string> {
    const key = keyOf(user);
    const opened = this.#opened.get(key) ?? this.#open(user);
    this.#opened.set(key, opened);
    await opened.proxy;
    return opened.socket;
  }

  /** Of one workspace, or of all. */
  async close(workspace?: string): Promise<void> {
    const closing = [...this.#opened].filter(
      ([, opened]) => workspace === undefined || opened.workspace === workspace,
    );
    for (const [key, { proxy, socket }] of closing) {
      this.#opened.delete(key);
      await (await proxy.catch(() => undefined))?.close();
      await rm(socket, { force: true });
    }
  }

  #open(user: EgressUser): Opened {
    const { homeDirectory, networkOf, records } = this.#options;
    const setting = networkOf(user.provider);
    const network = setting === "full" ? undefined : setting;
    const name = `egress-${randomBytes(4).toString("hex")}`;
    const socket = newSocketPath({ directory: homeDirectory, logFile: "" }, name);
    const proxy = EgressProxy.open({
      socket,
      allow: network?.allow ?? [],
      private: network?.private ?? [],
      record: (isAllowed, facts) =>
        records.add(user.vm, isAllowed ? "connection allowed" : "connection denied", facts),
    });
    proxy.catch(() => this.#opened.delete(keyOf(user)));
    return { ...user, socket, proxy };
  }
}

function keyOf({ workspace, provider }: EgressUser): string {
  return `${provider} ${workspace}`;
}
