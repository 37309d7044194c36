// `agentos-mcp stop`: asks every server of this home to leave, and waits until it has.
import { setTimeout as delay } from "node:timers/promises";
import type { CommandContext } from "../command-list.ts";
import { connectToRecord } from "../connect/connect-to-server.ts";
import { isAlive } from "../connect/is-alive.ts";
import { listRecords, type ServerRecord } from "../server-record.ts";
import { ControlClient } from "./control-client.ts";

/** Closing many VMs takes a while; longer than this and something hangs. */
const stopLimitMs = 10_000;
const pollMs = 20;

/** Resolves to 0 when no server is left, 1 when one did not leave. */
export async function stopServers(context: CommandContext): Promise<number> {
  const { home } = context.launchServer();
  const stops = await Promise.all(listRecords(home).map(stopServer));
  const lines = stops.filter((line) => line !== undefined);
  process.stdout.write(lines.length === 0 ? "No server is running.\n" : `${lines.join("\n")}\n`);
  return lines.every((line) => line.startsWith("Stopped")) ? 0 : 1;
}

async function stopServer(record: ServerRecord): Promise<string | undefined> {
  const socket = await connectToRecord("control", record);
  if (socket === undefined) return undefined;
  const client = new ControlClient(socket);
  await client.call("stop").result;
  await client.close();
  const deadline = Date.now() + stopLimitMs;
  while (isAlive(record.pid)) {
    if (Date.now() > deadline) return `The server ${record.pid} does not leave; end that process.`;
    await delay(pollMs);
  }
  return `Stopped the server ${record.pid} (build ${record.build}).`;
}
