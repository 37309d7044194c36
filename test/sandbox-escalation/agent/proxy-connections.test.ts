// An agent makes connections to the proxy and drops them as fast as it can say so.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AgentChannel } from "../../../src/sandbox-escalation/agent/agent-channel.ts";
import { ProxyConnections } from "../../../src/sandbox-escalation/agent/proxy-connection.ts";

it("has no more connections at one time than an honest agent would", async () => {
  const directory = mkdtempSync(join(tmpdir(), "proxied-"));
  const path = join(directory, "p.sock");
  const server = createServer((socket) => socket.on("error", () => socket.destroy()).resume());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const connections = new ProxyConnections();
  for (let n = 0; n < 20_000; n++) {
    const channel = new AgentChannel(() => undefined);
    channel.output.open();
    connections.carry(channel, path);
    channel.end();
  }
  expect(connections.openCount).toBe(512);
  while (connections.openCount > 0) await new Promise(setImmediate);
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
});
