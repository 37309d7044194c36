import type { Socket } from "node:net";
import type { AgentChannel } from "./agent-channel.ts";

/** Carries bytes both ways between a connection in a sandbox and the proxy, each way held back by its reader. */
export function carryConnection(channel: AgentChannel, proxy: Socket): void {
  proxy.on("error", () => proxy.destroy());
  proxy.on("close", () => channel.endInput());
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

async function carryIn(channel: AgentChannel, proxy: Socket): Promise<void> {
  for await (const bytes of proxy) {
    if (bytes instanceof Uint8Array) await channel.writeInput(bytes);
  }
  channel.endInput();
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
