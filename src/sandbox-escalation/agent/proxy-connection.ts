import { connect, type Socket } from "node:net";
import type { AgentChannel } from "./agent-channel.ts";

/** More than the agent has at one time: those that end are there a moment longer. */
const CONNECTIONS = 512;

/** The connections of one sandbox to its proxy. However fast an agent makes and drops them, descriptors stay few. */
export class ProxyConnections {
  #open = 0;

  get openCount(): number {
    return this.#open;
  }

  /** One too many ends at once. */
  carry(channel: AgentChannel, socketPath: string): void {
    if (this.#open >= CONNECTIONS) return channel.endInput();
    this.#open += 1;
    const proxy = connect(socketPath);
    proxy.once("close", () => {
      this.#open -= 1;
    });
    carryConnection(channel, proxy);
  }
}

/** Carries bytes both ways between a connection in a sandbox and the proxy, each way held back by its reader. */
function carryConnection(channel: AgentChannel, proxy: Socket): void {
  proxy.on("error", () => proxy.destroy());
  carryOut(channel, proxy).catch(() => proxy.destroy());
  carryIn(channel, proxy).catch(() => proxy.destroy());
}

async function carryOut(channel: AgentChannel, proxy: Socket): Promise<void> {
  for await (const bytes of channel.output) {
    if (proxy.destroyed) return;
    if (!proxy.write(bytes)) await drained(proxy);
  }
  proxy.end();
}

/** The proxy may be gone before the last of its bytes is written: they are all carried. */
async function carryIn(channel: AgentChannel, proxy: Socket): Promise<void> {
  try {
    for await (const bytes of proxy) {
      if (bytes instanceof Uint8Array) await channel.writeInput(bytes);
    }
  } finally {
    channel.endInput();
  }
}

function drained(proxy: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      proxy.off("drain", done).off("close", done);
      resolve();
    };
    proxy.on("drain", done).on("close", done);
  });
}
