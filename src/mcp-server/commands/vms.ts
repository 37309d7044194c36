// `agentos-mcp vms`: the VMs of this home's server. Starts no server to say that there are none.
// Runs on Node 20.
import type { CommandContext } from "../command-list.ts";
import { connectToRecord } from "../connect/connect-to-server.ts";
import { ControlClient } from "../control/control-client.ts";
import { noVmRemedy } from "../control/no-vm-remedy.ts";
import { ControlError } from "../control/running-call.ts";
import { findRecord, isAnswering, listRecords } from "../server-record.ts";
import { UsageError } from "../settings.ts";
import { textTable } from "./text-table.ts";
import type { VmSummary } from "./vms-methods.ts";

/** Resolves to 0, and to 1 when a VM to destroy does not exist. */
export async function vms(context: CommandContext): Promise<number> {
  const [verb, ...names] = context.words;
  if (verb !== undefined && (verb !== "destroy" || names.length === 0)) {
    throw new UsageError("Use agentos-mcp vms, or agentos-mcp vms destroy NAME...");
  }
  const client = await connect(context);
  try {
    if (verb === "destroy") return await destroy(context, client, names);
    const all = client === undefined ? [] : parseList(await client.call("vms").result);
    process.stdout.write(
      context.switches.has("json") ? `${JSON.stringify(all, null, 2)}\n` : table(all),
    );
    return 0;
  } finally {
    await client?.close();
  }
}

/** To the server of this build. VMs of another build's server are out of reach, which is said. */
async function connect({ launchServer, say }: CommandContext): Promise<ControlClient | undefined> {
  const { home, buildId } = launchServer();
  for (const other of listRecords(home).filter(({ build }) => build !== buildId)) {
    if (!(await isAnswering(other))) continue;
    say(
      `A server of another build is running, too (pid ${other.pid}, build ${other.build}); its VMs are not shown here. agentos-mcp stop ends all servers.`,
    );
  }
  const record = findRecord(home, buildId);
  const socket =
    record === undefined ? undefined : await connectToRecord({ role: "control" }, record);
  return socket === undefined ? undefined : new ControlClient(socket);
}

async function destroy(
  { say }: CommandContext,
  client: ControlClient | undefined,
  names: readonly string[],
): Promise<number> {
  let status = 0;
  for (const vm of names) {
    try {
      if (client === undefined)
        throw new ControlError("VM_NOT_FOUND", `There is no VM named "${vm}". ${noVmRemedy}`);
      await client.call("vm_destroy", { vm }).result;
      process.stdout.write(`Destroyed the VM "${vm}".\n`);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      say(error.message);
      status = 1;
    }
  }
  return status;
}

function parseList(result: unknown): VmSummary[] {
  if (Array.isArray(result) && result.every(isVmSummary)) return result;
  throw new Error("The server told a list of VMs that is none.");
}

function isVmSummary(value: unknown): value is VmSummary {
  return typeof value === "object" && value !== null && "name" in value && "createdAt" in value;
}

function table(all: readonly VmSummary[]): string {
  if (all.length === 0) return "There are no VMs.\n";
  return textTable([
    ["NAME", "STATE", "RUNNING", "MEMORY", "RESTARTS", "CREATED"],
    ...all.map(({ name, state, runningCommands, memoryBytes, restarts, createdAt }) => [
      name,
      state,
      String(runningCommands),
      memoryBytes === null ? "-" : `${Math.round(memoryBytes / 2 ** 20)} MiB`,
      String(restarts),
      createdAt,
    ]),
  ]);
}
