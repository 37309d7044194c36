// `agentos-mcp stop`: asks every server of this home to leave, and waits until it has. Runs on Node 20.
import { createInterface } from "node:readline/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandContext } from "../command-list.ts";
import { connectToRecord } from "../connect/connect-to-server.ts";
import { isAlive } from "../connect/is-alive.ts";
import { listRecords, type ServerRecord } from "../server-record.ts";
import { ControlClient } from "./control-client.ts";

/** Closing many VMs takes a while; longer than this and something hangs. */
const stopLimitMs = 10_000;
const pollMs = 20;
/** More names than this help nobody to decide. */
const namesShown = 10;

interface ReachedServer {
  readonly record: ServerRecord;
  readonly client: ControlClient;
  readonly vms: readonly string[];
}

/** Resolves to 0 when no server is left, 1 when one did not leave or was to stay. */
export async function stopServers(context: CommandContext): Promise<number> {
  const { home } = context.launchServer();
  const reached = await Promise.all(listRecords(home).map(reach));
  const servers = reached.filter((server) => server !== undefined);
  try {
    const vms = servers.flatMap((server) => server.vms);
    if (vms.length > 0 && !context.switches.has("yes") && !(await mayLose(vms, context))) return 1;
    const lines = await Promise.all(servers.map(stop));
    process.stdout.write(lines.length === 0 ? "No server is running.\n" : `${lines.join("\n")}\n`);
    return lines.every((line) => line.startsWith("Stopped")) ? 0 : 1;
  } finally {
    await Promise.all(servers.map(({ client }) => client.close()));
  }
}

async function reach(record: ServerRecord): Promise<ReachedServer | undefined> {
  const socket = await connectToRecord({ role: "control" }, record);
  if (socket === undefined) return undefined;
  const client = new ControlClient(socket);
  return { record, client, vms: namesIn(await client.call("status").result) };
}

/** The VMs that a server's status names; a server of another build may not name them. */
function namesIn(status: unknown): string[] {
  const isObject = typeof status === "object" && status !== null && "vms" in status;
  if (!isObject || !Array.isArray(status.vms)) return [];
  return status.vms.filter((name) => typeof name === "string");
}

/** Asks the person at the terminal; where there is none, nobody can answer, and it is only said. */
async function mayLose(vms: readonly string[], { say }: CommandContext): Promise<boolean> {
  const more = vms.length > namesShown ? `, and ${vms.length - namesShown} more` : "";
  const names = `${vms.slice(0, namesShown).join(", ")}${more}`;
  const what = vms.length === 1 ? `the VM ${names}` : `${vms.length} VMs (${names})`;
  const loss = `This ends ${what}, with all files and processes.`;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    say(loss);
    return true;
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const over = new AbortController();
  prompt.once("close", () => over.abort());
  try {
    const answer = await prompt.question(`${loss} Stop? [y/N] `, { signal: over.signal });
    if (/^\s*y(es)?\s*$/i.test(answer)) return true;
  } catch (error) {
    // Ctrl-C and Ctrl-D are a no.
    if (!over.signal.aborted) throw error;
    process.stderr.write("\n");
  } finally {
    prompt.close();
  }
  say("Nothing was stopped.");
  return false;
}

async function stop({ record, client }: ReachedServer): Promise<string> {
  await client.call("stop").result;
  await client.close();
  const deadline = Date.now() + stopLimitMs;
  while (isAlive(record.pid)) {
    if (Date.now() > deadline) return `The server ${record.pid} does not leave; end that process.`;
    await delay(pollMs);
  }
  return `Stopped the server ${record.pid} (build ${record.build}).`;
}
