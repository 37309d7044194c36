// To the server that runs for this home and build, where there is one. Runs on Node 20.
import type { CommandContext } from "../command-list.ts";
import { connectToRecord } from "../connect/connect-to-server.ts";
import { ControlClient } from "../control/control-client.ts";
import { findRecord, isAnswering, listRecords } from "../server-record.ts";

/** Starts no server. VMs of another build's server are out of reach, which is said. */
export async function connectToRunning({
  launchServer,
  say,
}: CommandContext): Promise<ControlClient | undefined> {
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
