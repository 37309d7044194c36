import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { AgentChannel } from "../../../src/sandbox-escalation/agent/agent-channel.ts";
import {
  encodeNumbers,
  fromAgent,
  toAgent,
} from "../../../src/sandbox-escalation/agent/agent-frames.ts";
import { ProxyConnections } from "../../../src/sandbox-escalation/agent/proxy-connection.ts";
import { settle } from "../../support/waiter.ts";

let directory = "";
let server: Server;

/** A proxy that does that with each connection; its path. */
async function serve(onConnection: (socket: Socket) => void): Promise<string> {
  directory = mkdtempSync(join(tmpdir(), "proxied-"));
  server = createServer((socket) => {
    onConnection(socket.on("error", () => socket.destroy()).resume());
  });
  const path = join(directory, "p.sock");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return path;
}

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
});

describe("the connections of a sandbox to its proxy", () => {
  it("are no more at one time than an honest agent would make, however fast they come and go", async () => {
    const path = await serve(() => undefined);
    const connections = new ProxyConnections();
    for (let n = 0; n < 20_000; n++) {
      const channel = new AgentChannel(() => undefined);
      channel.output.open();
      connections.carry(channel, path);
      channel.end();
    }
    expect(connections.openCount).toBe(512);
    while (connections.openCount > 0) await new Promise(setImmediate);
  });

  it("carry all that the proxy sent before it left, also what the agent takes later", async () => {
    const path = await serve((socket) => socket.end(Buffer.alloc(100_000)));
    const ended = Promise.withResolvers<void>();
    let carried = 0;
    const channel = new AgentChannel((kind, payload) => {
      if (kind === toAgent.input) carried += payload.length;
      if (kind === toAgent.inputEnd) ended.resolve();
    });
    channel.output.open();
    await channel.writeInput(Buffer.alloc(1));
    new ProxyConnections().carry(channel, path);
    while (carried < 65_536) await new Promise(setImmediate);
    // The rest and the end have come while the last byte of the first part waits.
    await settle();
    channel.take(fromAgent.inputGrant, encodeNumbers(1));
    await settle();
    channel.take(fromAgent.inputGrant, encodeNumbers(65_536));
    await ended.promise;
    expect(carried).toBe(100_001);
  });
});
